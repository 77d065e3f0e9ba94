import type { previewMarginRule } from '@heliograph/contract/billing/margin-rule';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { Fact } from '../../ui/fact.tsx';
import classes from './card-result.module.css';

const COUNTS = ['rates', 'dearer', 'cheaper', 'same', 'new', 'ended', 'below_cost'] as const;

/** Prices that a margin rule would give, beside the cost and the present prices. */
export function MarginPreview({ preview }: { preview: ReplyOf<typeof previewMarginRule>['data'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = (amount: string | null) => (amount === null ? '–' : format.money(amount, preview.currency));
  return (
    <Stack gap="sm">
      <Text fw={600}>{t('margin_rule.prices')}</Text>
      <SimpleGrid component="dl" cols={{ base: 2, xs: 4, md: 7 }} spacing="sm" m={0}>
        {COUNTS.map((count) => (
          <Fact key={count} label={t(`margin_rule.count.${count}`)}>
            {format.integer(preview[count])}
          </Fact>
        ))}
      </SimpleGrid>
      {preview.data.length < preview.rates && (
        <Text size="sm" c="dimmed">
          {t('margin_rule.first', {
            n: format.integer(preview.data.length),
            total: format.integer(preview.rates),
          })}
        </Text>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide rows must be scrollable by keyboard */}
      <section className={classes.rows} tabIndex={0} aria-label={t('margin_rule.prices')}>
        <Table verticalSpacing={6} horizontalSpacing="sm" fz="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('card_column.zone')}</Table.Th>
              <Table.Th>{t('card_column.prefix')}</Table.Th>
              <Table.Th ta="right">{t('margin_rule.column.cost')}</Table.Th>
              <Table.Th ta="right">{t('card_column.present')}</Table.Th>
              <Table.Th ta="right">{t('margin_rule.column.price')}</Table.Th>
              <Table.Th>{t('card_column.starts_on')}</Table.Th>
              <Table.Th>{t('card_column.ends_on')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            <Table.Tr>
              <Table.Td colSpan={2}>{t('margin_rule.default')}</Table.Td>
              <Table.Td ta="right">{money(preview.default.cost)}</Table.Td>
              <Table.Td ta="right">{money(preview.default.present)}</Table.Td>
              <Table.Td ta="right" fw={600}>
                {money(preview.default.price)}
              </Table.Td>
              <Table.Td colSpan={2} />
            </Table.Tr>
            {preview.data.map((row) => (
              <Table.Tr key={`${row.zone} ${row.prefix} ${row.starts_on}`}>
                <Table.Td>{row.zone}</Table.Td>
                <Table.Td>{row.prefix}</Table.Td>
                <Table.Td ta="right">{money(row.cost)}</Table.Td>
                <Table.Td ta="right">{money(row.present)}</Table.Td>
                <Table.Td ta="right" fw={row.price === row.present ? 400 : 600}>
                  {money(row.price)}
                </Table.Td>
                <Table.Td>{format.date(row.starts_on)}</Table.Td>
                <Table.Td>{row.ends_on === null ? '–' : format.date(row.ends_on)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </section>
    </Stack>
  );
}

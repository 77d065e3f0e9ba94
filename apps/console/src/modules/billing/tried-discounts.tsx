import type { showTrial } from '@heliograph/contract/billing/price-trial';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Badge, Group, Stack, Table, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { labelOf } from '../../resource/columns.tsx';
import classes from './card-result.module.css';

type Discounts = NonNullable<NonNullable<ReplyOf<typeof showTrial>['data']>['discounts']>;
type Line = Discounts['lines'][number];

const NAME = 'price-trials';
const SUMS = ['discount', 'net'] as const;

/** Volume discounts of a trial: their sums, the margins less them, and each account and month. */
export function TriedDiscounts({ discounts, currency }: { discounts: Discounts; currency: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { lines, more } = discounts;
  return (
    <Stack gap="sm" mt="sm">
      <Title order={3} size="h5">
        {t('price_trial.discounts.title')}
      </Title>
      {lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('price_trial.discounts.none')}
        </Text>
      ) : (
        <>
          <Text size="sm" c="dimmed">
            {t('price_trial.discounts.about')}
          </Text>
          <Amounts
            label={t('price_trial.discounts.sum')}
            head={<Table.Th>{t('price_trial.discounts.sum')}</Table.Th>}
            rows={SUMS.map((field) => ({
              key: field,
              head: <Table.Td>{t(`price_trial.discounts.${field}`)}</Table.Td>,
              amounts: [discounts[field], discounts[`${field}_tried`], discounts[`${field}_change`]],
            }))}
            currency={currency}
          />
          <Amounts
            label={t('price_trial.discounts.title')}
            head={
              <>
                <Table.Th>{labelOf(NAME, 'billing_account_name')}</Table.Th>
                <Table.Th>{labelOf(NAME, 'month')}</Table.Th>
                <Table.Th ta="right">{labelOf(NAME, 'volume_parts')}</Table.Th>
              </>
            }
            rows={lines.map((line) => ({
              key: `${line.billing_account_id} ${line.month}`,
              head: <Place line={line} />,
              amounts: [line.discount, line.discount_tried, line.discount_change],
              notes: [line.terms, line.terms_tried],
            }))}
            currency={currency}
          />
          {more > 0 && (
            <Text size="sm" c="dimmed">
              {t('price_trial.discounts.more', { count: more, n: format.integer(more) })}
            </Text>
          )}
        </>
      )}
    </Stack>
  );
}

/** Cells of an account, its month and its parts. */
function Place({ line }: { line: Line }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <Table.Td>
        {line.billing_account_name}
        <Text size="xs" c="dimmed">
          {line.corporation_name}
        </Text>
      </Table.Td>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          {format.month(line.month)}
          {!line.whole && (
            <Badge variant="light" color="gray" size="sm" miw="max-content">
              {t('price_trial.discounts.partial')}
            </Badge>
          )}
        </Group>
      </Table.Td>
      <Table.Td ta="right">{format.integer(line.volume_parts)}</Table.Td>
    </>
  );
}

interface AmountsProps {
  label: string;
  head: ReactNode;
  rows: readonly { key: string; head: ReactNode; amounts: readonly string[]; notes?: readonly (string | null)[] }[];
  currency: string;
}

/** Table with amounts now, by the tried prices, and their difference. Notes name the terms of the first two. */
function Amounts({ label, head, rows, currency }: AmountsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    /* biome-ignore lint/a11y/noNoninteractiveTabindex: wide rows must be scrollable by keyboard */
    <section className={classes.rows} tabIndex={0} aria-label={label}>
      <Table verticalSpacing={6} horizontalSpacing="sm" fz="sm">
        <Table.Thead>
          <Table.Tr>
            {head}
            {(['now', 'tried', 'change'] as const).map((column) => (
              <Table.Th key={column} ta="right">
                {t(`price_trial.discounts.${column}`)}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row) => (
            <Table.Tr key={row.key}>
              {row.head}
              {row.amounts.map((amount, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the three amounts keep their places.
                <Table.Td key={place} ta="right">
                  {format.money(amount, currency)}
                  {row.notes && place < row.notes.length && (
                    <Text size="xs" c="dimmed">
                      {row.notes[place] ?? t('price_trial.discounts.no_terms')}
                    </Text>
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </section>
  );
}

import { invoiceLines } from '@heliograph/contract/invoices/invoice';
import { Group, Stack, Table, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { labelOf } from '../../resource/columns.tsx';
import { Fact } from '../../ui/fact.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Section } from '../../ui/section.tsx';
import type { Invoice } from './invoice-state.tsx';

const NAME = 'invoices';
const trimmed = (decimal: string) => decimal.replace(/\.?0+$/, '');

/** Document as it is printed: its sides, lines and sums. */
export function InvoicePaper({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Section title={t(`invoice_kind.${invoice.kind}`)}>
      <Group justify="space-between" align="flex-start" gap="lg" component="dl" m={0}>
        <Fact label={labelOf(NAME, 'seller_name')}>{invoice.seller_name ?? '–'}</Fact>
        <Fact label={t('invoicing.to')}>{invoice.buyer_name}</Fact>
        {invoice.issue_date && <Fact label={labelOf(NAME, 'issue_date')}>{format.date(invoice.issue_date)}</Fact>}
        {invoice.due_date && <Fact label={labelOf(NAME, 'due_date')}>{format.date(invoice.due_date)}</Fact>}
        {invoice.period_from && invoice.period_to && (
          <Fact label={labelOf(NAME, 'period_from')}>
            {format.date(invoice.period_from)} – {format.date(invoice.period_to)}
          </Fact>
        )}
      </Group>
      <Lines invoice={invoice} />
      <Sums invoice={invoice} />
      {invoice.reason && <Text size="sm">{invoice.reason}</Text>}
      {invoice.note && (
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'pre-line' }}>
          {invoice.note}
        </Text>
      )}
    </Section>
  );
}

function Lines({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation();
  const format = useFormat();
  const list = useInfiniteQuery({
    queryKey: [NAME, 'lines', invoice.id, invoice.payable],
    queryFn: ({ pageParam, signal }) =>
      call(invoiceLines, {
        params: { id: invoice.id },
        query: { limit: 100, ...(pageParam ? { cursor: pageParam } : {}) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page.has_more ? page.next_cursor : null),
  });
  const rows = list.data?.pages.flatMap((page) => page.data) ?? [];
  return (
    <div>
      <Table.ScrollContainer minWidth={440}>
        <Table aria-label={t('invoicing.lines')} verticalSpacing="sm">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{labelOf(NAME, 'description')}</Table.Th>
              {(['quantity', 'unit_price', 'tax', 'amount'] as const).map((field) => (
                <Table.Th key={field} ta="right">
                  {labelOf(NAME, field)}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((line) => (
              <Table.Tr key={line.id}>
                <Table.Td style={{ overflowWrap: 'anywhere' }}>{line.description}</Table.Td>
                <Table.Td ta="right">{format.decimal(line.quantity)}</Table.Td>
                <Table.Td ta="right">{format.money(line.unit_price)}</Table.Td>
                <Table.Td ta="right">
                  {line.tax_category === 'standard'
                    ? `${trimmed(line.tax_rate)}%`
                    : t(`tax_category.${line.tax_category}`)}
                </Table.Td>
                <Table.Td ta="right">{format.money(line.amount)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <LoadMore list={list} />
    </div>
  );
}

interface Summed {
  net: string;
  taxes: readonly {
    tax_category: Invoice['taxes'][number]['tax_category'];
    tax_rate: string;
    taxable: string;
    tax: string;
  }[];
  rounding: string;
  payable: string;
  withholding: string;
  currency: string;
  prices_include_tax: boolean;
}

/** Sums of a document: without tax, the tax of each rate, and what is payable. */
export function Sums({ invoice }: { invoice: Summed }) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = (value: string) => format.money(value, invoice.currency);
  const line = (label: string, value: string, strong = false) => (
    <Group key={label} justify="space-between" gap="md" wrap="nowrap">
      <Text size={strong ? 'md' : 'sm'} fw={strong ? 650 : 400} {...(strong ? {} : { c: 'dimmed' })}>
        {label}
      </Text>
      <Text size={strong ? 'lg' : 'sm'} fw={strong ? 650 : 500} style={{ whiteSpace: 'nowrap' }}>
        {value}
      </Text>
    </Group>
  );
  return (
    <Stack gap={6} ml="auto" w="100%" maw={380}>
      {line(labelOf(NAME, 'net'), money(invoice.net))}
      {invoice.taxes.map(({ tax_category, tax_rate, taxable, tax }) =>
        line(
          tax_category === 'standard'
            ? t('invoicing.tax_of', { rate: trimmed(tax_rate), amount: money(taxable) })
            : `${t(`tax_category.${tax_category}`)} · ${money(taxable)}`,
          money(tax),
        ),
      )}
      {Number(invoice.rounding) !== 0 && line(labelOf(NAME, 'rounding'), money(invoice.rounding))}
      {line(labelOf(NAME, 'payable'), money(invoice.payable), true)}
      {Number(invoice.withholding) !== 0 && line(labelOf(NAME, 'withholding'), money(invoice.withholding))}
      <Text size="xs" c="dimmed">
        {t(invoice.prices_include_tax ? 'invoicing.prices_include' : 'invoicing.prices_exclude')}
      </Text>
    </Stack>
  );
}

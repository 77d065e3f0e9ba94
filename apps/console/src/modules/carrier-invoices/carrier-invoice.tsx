import {
  carrierInvoiceLines,
  exportCarrierInvoice,
  getCarrierInvoice,
} from '@heliograph/contract/carrier-invoices/carrier-invoice';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Alert, Badge, Paper, SegmentedControl, SimpleGrid, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { useMay } from '../../platform/session.ts';
import { type Column, labelOf, type RowOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { ReportDownload } from '../../resource/report-download.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Fact } from '../../ui/fact.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { CostText } from './cost-text.tsx';

type Invoice = ReplyOf<typeof getCarrierInvoice>['data'];
type Line = RowOf<typeof carrierInvoiceLines>;

const NAME = 'carrier-invoices';
const VIEW = ['level'] as const;
const COLORS: Readonly<Record<NonNullable<Line['kind']>, string>> = {
  missing_here: 'red',
  missing_there: 'blue',
  count: 'orange',
  state: 'orange',
  cost_unknown: 'gray',
  price: 'red',
};

/** Page of one comparison: its sums, the kinds of differences, and the lines behind them. */
export function CarrierInvoicePage() {
  const { t } = useTranslation();
  const id = Number(useParams({ strict: false, select: (params) => (params as { id?: string }).id }));
  const { data, error } = useQuery({
    queryKey: [NAME, id],
    queryFn: ({ signal }) => call(getCarrierInvoice, { params: { id }, signal }),
  });
  const invoice = data?.data;
  return (
    <>
      <PageHeader
        title={invoice?.file_name ?? t('menu.carrier-invoice')}
        subtitle={invoice && `${invoice.link_name} · ${invoice.from} – ${invoice.to} · ${invoice.timezone}`}
        crumbs={[{ label: t('menu.carrier-invoices'), to: '/carrier-invoices' }]}
      />
      {error && <Alert color="red">{sentenceOf(error)}</Alert>}
      {invoice && (
        <Stack gap="lg">
          <Sums invoice={invoice} />
          <Lines invoice={invoice} />
        </Stack>
      )}
    </>
  );
}

function Sums({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { currency } = invoice;
  return (
    <Paper className="app-card" p="lg">
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 5 }} spacing="md" m={0}>
        {(['carrier_parts', 'own_parts', 'own_unknown'] as const).map((field) => (
          <Fact key={field} label={labelOf(NAME, field)}>
            {format.integer(invoice[field])}
          </Fact>
        ))}
        {(['carrier_amount', 'own_amount'] as const).map((field) => (
          <Fact key={field} label={labelOf(NAME, field)}>
            <CostText value={invoice[field]} currency={currency} />
          </Fact>
        ))}
      </SimpleGrid>
      {(['sum_differences', 'message_differences'] as const).map(
        (field) =>
          invoice[field].length > 0 && (
            <Table.ScrollContainer key={field} minWidth={440} mt="md">
              <Table aria-label={labelOf(NAME, field)}>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{labelOf(NAME, field)}</Table.Th>
                    <Table.Th ta="right">{t('invoice.lines')}</Table.Th>
                    <Table.Th ta="right">{labelOf(NAME, 'carrier_amount')}</Table.Th>
                    <Table.Th ta="right">{labelOf(NAME, 'own_amount')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {invoice[field].map(({ kind, lines, carrier_amount, own_amount }) => (
                    <Table.Tr key={kind}>
                      <Table.Td>{t(`invoice_difference.${kind}`)}</Table.Td>
                      <Table.Td ta="right">{format.integer(lines)}</Table.Td>
                      <Table.Td ta="right">{format.money(carrier_amount, currency)}</Table.Td>
                      <Table.Td ta="right">{format.money(own_amount, currency)}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          ),
      )}
      {invoice.sum_differences.length + invoice.message_differences.length === 0 && (
        <Text mt="md">{t('invoice.agrees')}</Text>
      )}
    </Paper>
  );
}

function Lines({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation();
  const mayExport = useMay('carrier-invoices-download');
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const shown = useListQuery(VIEW);
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null);
  const level = search['level'] === 'messages' && invoice.by_message ? 'messages' : 'sums';
  const { id } = invoice;
  const params = useMemo(() => ({ id }), [id]);
  const fixed = useMemo(() => ({ level }), [level]);
  const columns: readonly Column<Line>[] = [
    { field: 'network', cell: (row) => row.network || t('invoice.all_networks') },
    {
      field: 'kind',
      cell: ({ kind }) =>
        kind && (
          <Badge variant="light" size="sm" color={COLORS[kind]} style={{ minWidth: 'max-content' }}>
            {t(`invoice_difference.${kind}`)}
          </Badge>
        ),
      csv: ({ kind }) => kind && t(`invoice_difference.${kind}`),
    },
    'day',
    ...(level === 'messages' ? (['carrier_id'] as const) : []),
    'carrier_parts',
    'own_parts',
    {
      field: 'carrier_amount',
      figure: true,
      cell: (row) => row.carrier_amount && <CostText value={row.carrier_amount} currency={row.currency} />,
    },
    {
      field: 'own_amount',
      figure: true,
      cell: (row) => row.own_parts > 0 && <CostText value={row.own_amount} currency={row.currency} />,
    },
    ...(level === 'messages'
      ? (['carrier_state', 'own_state'] as const).map((field) => ({
          field,
          cell: (row: Line) => row[field] && t(`invoice_state.${row[field]}`),
        }))
      : []),
  ];
  return (
    <div>
      {invoice.by_message && (
        <SegmentedControl
          mb="sm"
          aria-label={t('invoice.view')}
          value={level}
          onChange={(value) => shown.set({ level: value })}
          data={[
            { value: 'sums', label: t('invoice.sums') },
            { value: 'messages', label: t('invoice.messages') },
          ]}
        />
      )}
      <CursorList<typeof carrierInvoiceLines, Line>
        name={NAME}
        operation={carrierInvoiceLines}
        title="network"
        header={null}
        params={params}
        fixed={fixed}
        columns={columns}
        filters={[{ field: 'kind', words: 'invoice_difference' }, 'day']}
        empty={<EmptyState of={NAME} title={t('common.no_data')} text={t('invoice.no_lines')} />}
        exportLabel={t('report_format.export')}
        {...(mayExport
          ? { onExport: async (wanted: Record<string, unknown>) => setAsked({ ...wanted, carrier_invoice_id: id }) }
          : {})}
      />
      {asked && <ReportDownload operation={exportCarrierInvoice} query={asked} onClose={() => setAsked(null)} />}
    </div>
  );
}

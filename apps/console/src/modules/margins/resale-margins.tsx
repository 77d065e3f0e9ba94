import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { exportResaleMargins, RESALE_GROUPS, resaleMargins } from '@heliograph/contract/margins/resale-margin';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Alert, Paper, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat, useZone } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { type Column, labelOf, type RowOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { FiguresAsOf } from '../../resource/figures-as-of.tsx';
import { InZone } from '../../resource/in-zone.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { moved, periodFault, todayIn } from '../../resource/period.ts';
import { PeriodInput } from '../../resource/period-input.tsx';
import { ReportDownload } from '../../resource/report-download.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Fact } from '../../ui/fact.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Amount } from './amount.tsx';

type Row = RowOf<typeof resaleMargins>;
type Totals = ReplyOf<typeof resaleMargins>['totals'][number];

const NAME = 'resale-margins';
const FIELDS = ['by', 'from', 'to', 'corporation_id', 'sender_id'] as const;

/** Screen of what customers paid a reseller, and what their messages cost it, by customer and other groups. */
export function ResaleMargins() {
  const { t } = useTranslation();
  const format = useFormat();
  const zone = useZone();
  const mayExport = useMay('resale-margins-download');
  const query = useListQuery(FIELDS);
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null);
  const today = todayIn(zone);
  const by = RESALE_GROUPS.find((each) => each === search['by']) ?? 'corporation';
  const from = search['from'] ?? moved(today, -30);
  const to = search['to'] ?? today;
  const fault = periodFault(from, to, today);
  const fixed = useMemo(() => ({ by, from, to }), [by, from, to]);
  const { corporation_id, sender_id } = query.filters;
  const sums = useQuery({
    queryKey: [NAME, 'sums', fixed, corporation_id, sender_id],
    queryFn: ({ signal }) =>
      call(resaleMargins, {
        query: {
          ...fixed,
          limit: 1,
          ...(corporation_id ? { corporation_id } : {}),
          ...(sender_id ? { sender_id } : {}),
        },
        signal,
      }),
    enabled: !fault,
  });
  const columns: readonly Column<Row>[] = [
    {
      field: 'name',
      title: `resale_group.${by}`,
      cell: (row) => row.name || <Text c="dimmed">{t('margin.none')}</Text>,
    },
    'messages',
    { field: 'parts', hidden: true },
    { field: 'revenue', figure: true, cell: (row) => <Amount value={row.revenue} currency={row.currency} /> },
    { field: 'cost', figure: true, cell: (row) => <Amount value={row.cost} currency={row.cost_currency} /> },
    {
      field: 'margin',
      figure: true,
      cell: (row) => (row.margin === null ? '–' : <Amount value={row.margin} currency={row.currency} signed />),
    },
    { field: 'rate', figure: true, cell: (row) => (row.rate === null ? '–' : format.percent(row.rate)) },
  ];
  return (
    <>
      <PageHeader
        title={t('menu.resale-margins')}
        subtitle={
          <>
            {t('resale_margin.subtitle')}
            <InZone />
            <FiguresAsOf of={resaleMargins} />
          </>
        }
      />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} mb="md">
        <Select
          label={t('margin.by')}
          allowDeselect={false}
          data={RESALE_GROUPS.map((value) => ({ value, label: t(`resale_group.${value}`) }))}
          value={by}
          onChange={(value) => query.set({ by: value ?? undefined })}
        />
        <PeriodInput
          today={today}
          fault={fault}
          value={[from, to]}
          onChange={([start, end]) => query.set({ from: start, to: end })}
          onClear={() => query.set({ from: undefined, to: undefined })}
        />
      </SimpleGrid>
      {fault ? (
        <div className="app-card">
          <EmptyState title={t('report.no_period')} text={t(`validation.${fault}`)} />
        </div>
      ) : (
        <Stack gap="lg">
          {sums.data?.totals.map((each) => (
            <Sums key={`${each.currency}${each.cost_currency}`} {...each} />
          ))}
          <CursorList<typeof resaleMargins, Row>
            name={NAME}
            operation={resaleMargins}
            title="name"
            header={null}
            columns={columns}
            fixed={fixed}
            filters={[{ field: 'corporation_id', to: corporation }, 'sender_id']}
            empty={<EmptyState of={NAME} learn title={t('common.no_data')} text={t('resale_margin.empty')} />}
            exportLabel={t('report_format.export')}
            {...(mayExport ? { onExport: async (wanted: Record<string, unknown>) => setAsked(wanted) } : {})}
          />
        </Stack>
      )}
      {asked && <ReportDownload operation={exportResaleMargins} query={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function Sums({ messages, parts, revenue, currency, cost, cost_currency, margin }: Totals) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Paper className="app-card" p="lg">
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 5 }} spacing="md" m={0}>
        <Fact label={labelOf(NAME, 'messages')}>{format.integer(messages)}</Fact>
        <Fact label={labelOf(NAME, 'parts')}>{format.integer(parts)}</Fact>
        <Fact label={labelOf(NAME, 'revenue')}>
          <Amount value={revenue} currency={currency} />
        </Fact>
        <Fact label={labelOf(NAME, 'cost')}>
          <Amount value={cost} currency={cost_currency} />
        </Fact>
        <Fact label={labelOf(NAME, 'margin')}>
          {margin === null ? '–' : <Amount value={margin} currency={currency} signed />}
        </Fact>
      </SimpleGrid>
      {margin === null && (
        <Alert color="orange" variant="light" mt="md">
          {t('resale_margin.other_currency')}
        </Alert>
      )}
    </Paper>
  );
}

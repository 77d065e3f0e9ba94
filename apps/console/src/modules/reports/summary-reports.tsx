import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { network } from '@heliograph/contract/networks/network';
import { corporation } from '@heliograph/contract/organizations/corporation';
import {
  exportSummaryReports,
  SUMMARY_PERIODS,
  SUMMARY_TYPES,
  summaryReports,
} from '@heliograph/contract/reports/summary-report';
import { Paper, Select, SimpleGrid, Text } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { AllSpend } from '../../resource/all-spend.tsx';
import { type Column, labelOf } from '../../resource/columns.tsx';
import { DateRangeInput } from '../../resource/date-input.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { moved, movedMonths, periodFault } from '../../resource/period.ts';
import { Choice, ReportFrame, useReportPeriod } from '../../resource/report-frame.tsx';
import { Fact } from '../../ui/fact.tsx';
import { SummaryChart } from './summary-chart.tsx';

type Reply = ReplyOf<typeof summaryReports>;
type Row = Reply['data'][number];

const NAME = 'summary-reports';
const NO_FILTERS: readonly string[] = [];
const NO_NETWORKS: Reply['networks'] = [];
const COUNTS = ['messages', 'parts', 'delivered', 'failed', 'blocked', 'expired'] as const;

/** Screen of the messages of each day, week, month or year, by corporation, sender ID or network. */
export function SummaryReports() {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const maySeeRows = useMay('transactions-index');
  const seesNetworks = useMay(network.permissions.index);
  const query = useListQuery(NO_FILTERS);
  const { search, today, ...usual } = useReportPeriod();
  const period = SUMMARY_PERIODS.find((each) => each === search['period']) ?? 'daily';
  const type = SUMMARY_TYPES.find((each) => each === search['type']) ?? 'corporation';
  const oldest = movedMonths(today, -12);
  const from = search['from'] ?? (period === 'daily' ? moved(today, -6) : oldest);
  const { to } = usual;
  const { network_id } = search;
  const fault = faultOf(period, from, to, today);
  const fixed = { period, type, from, to, ...(network_id ? { network_id } : {}) };
  const columns: readonly Column<Row>[] = [
    'starts_on',
    { field: 'ends_on', hidden: period === 'daily' },
    'corporation_name',
    ...(type === 'sender' ? (['sender_id'] as const) : []),
    ...(type === 'network'
      ? [
          {
            field: 'network_name',
            cell: (row: Row) => row.network_name || <Text c="dimmed">{t('summary.unknown_network')}</Text>,
          } as const,
        ]
      : []),
    ...COUNTS.filter((count) => count !== 'parts'),
    {
      field: 'delivery_rate',
      figure: true,
      cell: (row: Row) => (row.delivery_rate === null ? '–' : format.percent(row.delivery_rate)),
    },
    'spend',
    { field: 'parts', hidden: true },
  ];
  const isLong = (row: Row) => periodFault(row.starts_on, row.ends_on, today) !== undefined;
  // A list of messages of no known network cannot be made, and one by network is the platform's.
  const opens = (row: Row) => {
    const chosen = row.network_id ?? (network_id === undefined ? null : Number(network_id));
    return isLong(row) || (maySeeRows && (chosen === null || (seesNetworks && chosen > 0)));
  };

  /** Opens the messages behind a row. If the row covers more than a month, opens its months instead. */
  function open(row: Row) {
    if (!opens(row)) return false;
    const chosen = row.network_id === null ? network_id : String(row.network_id);
    const shown = {
      corporation_id: String(row.corporation_id),
      ...(row.sender_id ? { sender_id: row.sender_id } : {}),
      ...(chosen ? { network_id: chosen } : {}),
      from: row.starts_on,
      to: row.ends_on,
    };
    if (isLong(row)) void navigate({ to: '.', search: { ...shown, period: 'monthly', type } });
    else void navigate({ to: '/transactions', search: shown });
    return true;
  }

  return (
    <ReportFrame<typeof summaryReports, Row>
      name={NAME}
      operation={summaryReports}
      exported={exportSummaryReports}
      withCosts
      subtitle={t('summary.subtitle')}
      choices={(sums) => (
        <>
          <Choice
            label={labelOf(NAME, 'period')}
            values={SUMMARY_PERIODS}
            labelOf={(value) => t(`summary_period.${value}`)}
            value={period}
            onChange={(value) => query.set({ period: value, from: undefined, to: undefined })}
          />
          <Choice
            label={labelOf(NAME, 'type')}
            values={SUMMARY_TYPES}
            labelOf={(value) => t(`summary_type.${value}`)}
            value={type}
            onChange={(value) => query.set({ type: value })}
          />
          <DaysInput key={`${from}${to}`} {...{ period, from, to, today, oldest, fault }} onChange={query.set} />
          <NetworkSelect networks={sums?.networks} value={network_id} onChange={query.set} />
        </>
      )}
      fault={fault}
      fixed={fixed}
      totals={(sums) => (
        <>
          <Totals sums={sums} />
          {sums.series.length > 0 && <SummaryChart period={period} series={sums.series} />}
        </>
      )}
      title="corporation_name"
      columns={columns}
      filters={[{ field: 'corporation_id', to: corporation }, 'sender_id']}
      emptyText={t('resources.summary-reports.empty')}
      rowActions={(row) =>
        opens(row)
          ? [
              {
                label: t(isLong(row) ? 'summary.months_behind' : 'summary.rows_behind'),
                icon: <IconListDetails size={16} stroke={1.6} />,
                onClick: () => void open(row),
              },
            ]
          : []
      }
      onRowClick={open}
    />
  );
}

interface NetworkSelectProps {
  networks: Reply['networks'] | undefined;
  value: string | undefined;
  onChange: (patch: Record<string, string | undefined>) => void;
}

/** Select among the networks of the period's messages. */
function NetworkSelect({ networks = NO_NETWORKS, value, onChange }: NetworkSelectProps) {
  const { t } = useTranslation();
  const data = networks.map(({ id, name }) => ({ value: String(id), label: name || t('summary.unknown_network') }));
  if (value !== undefined && !data.some((each) => each.value === value)) data.unshift({ value, label: '…' });
  return (
    <Select
      searchable
      clearable
      label={labelOf(NAME, 'network_id')}
      placeholder={t('summary.all_networks')}
      data={data}
      value={value ?? null}
      onChange={(next) => onChange({ network_id: next ?? undefined })}
    />
  );
}

type Fault = 'report_period' | 'report_year' | 'date_order' | undefined;

/**
 * Returns the fault of a period. A report by day covers at most one month; others cover any dates of the last 12
 * months.
 */
function faultOf(period: string, from: string, to: string, today: string): Fault {
  if (period === 'daily') return periodFault(from, to, today);
  if (to < from) return 'date_order';
  return from < movedMonths(today, -12) || to > today ? 'report_year' : undefined;
}

interface DaysInputProps {
  period: string;
  from: string;
  to: string;
  today: string;
  oldest: string;
  fault: Fault;
  onChange: (patch: Record<string, string>) => void;
}

function DaysInput(props: DaysInputProps) {
  const { t } = useTranslation();
  const [range, setRange] = useState<[string | null, string | null]>([props.from, props.to]);
  return (
    <DateRangeInput
      label={t('summary.days')}
      description={t(props.period === 'daily' ? 'report.period_hint' : 'summary.year_hint')}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      clearable={false}
      minDate={props.oldest}
      maxDate={props.today}
      error={props.fault && t(`validation.${props.fault}`)}
      value={range}
      onChange={(next) => {
        setRange(next);
        if (next[0] && next[1]) props.onChange({ from: next[0], to: next[1] });
      }}
    />
  );
}

function Totals({ sums: { totals, spend, all_spend, uncounted } }: { sums: Reply }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Paper className="app-card" p="lg">
      <SimpleGrid component="dl" cols={{ base: 2, sm: 4, lg: 7 }} spacing="md" m={0}>
        {COUNTS.map((count) => (
          <Fact key={count} label={labelOf(NAME, count)}>
            {format.integer(totals[count])}
          </Fact>
        ))}
        <Fact label={labelOf(NAME, 'spend')}>
          {spend.map(({ currency, amount }) => format.money(amount, currency)).join(' · ') || '–'}
          <AllSpend sum={all_spend} />
        </Fact>
      </SimpleGrid>
      {uncounted > 0 && (
        <Text size="sm" c="dimmed" mt="sm">
          {t('summary.uncounted', { count: uncounted, n: format.integer(uncounted) })}
        </Text>
      )}
    </Paper>
  );
}

import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { corporation } from '@heliograph/contract/organizations/corporation';
import {
  exportSummaryReports,
  SUMMARY_PERIODS,
  SUMMARY_TYPES,
  summaryReports,
} from '@heliograph/contract/reports/summary-report';
import { Paper, Select, SimpleGrid, Stack } from '@mantine/core';
import { IconListDetails } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat, useZone } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { AllSpend } from '../../resource/all-spend.tsx';
import { type Column, labelOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { DateRangeInput } from '../../resource/date-input.tsx';
import { FiguresAsOf } from '../../resource/figures-as-of.tsx';
import { InZone } from '../../resource/in-zone.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { moved, movedMonths, periodFault, todayIn } from '../../resource/period.ts';
import { ReportDownload } from '../../resource/report-download.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Fact } from '../../ui/fact.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { SummaryChart } from './summary-chart.tsx';
import classes from './summary-reports.module.css';

type Reply = ReplyOf<typeof summaryReports>;
type Row = Reply['data'][number];

const FIELDS = ['corporation_id', 'sender_id'] as const;
const COUNTS = ['messages', 'parts', 'delivered', 'failed', 'blocked', 'expired'] as const;

/** Screen of the messages of each day, week, month or year, by corporation or sender ID. */
export function SummaryReports() {
  const { t } = useTranslation();
  const zone = useZone();
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const query = useListQuery(FIELDS);
  const today = todayIn(zone);
  const period = SUMMARY_PERIODS.find((each) => each === search['period']) ?? 'daily';
  const type = SUMMARY_TYPES.find((each) => each === search['type']) ?? 'corporation';
  const oldest = movedMonths(today, -12);
  const from = search['from'] ?? (period === 'daily' ? moved(today, -6) : oldest);
  const to = search['to'] ?? today;
  const fault = faultOf(period, from, to, today);
  const fixed = useMemo(() => ({ period, type, from, to }), [period, type, from, to]);
  const { corporation_id, sender_id } = query.filters;
  const sums = useQuery({
    queryKey: ['summary-reports', 'sums', fixed, corporation_id, sender_id],
    queryFn: ({ signal }) =>
      call(summaryReports, {
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

  return (
    <>
      <PageHeader
        title={t('menu.summary-reports')}
        subtitle={
          <>
            {t('summary.subtitle')}
            <InZone />
            <FiguresAsOf of={summaryReports} />
          </>
        }
      />
      <div className={classes.choices}>
        <Select
          label={labelOf('summary-reports', 'period')}
          allowDeselect={false}
          data={SUMMARY_PERIODS.map((value) => ({ value, label: t(`summary_period.${value}`) }))}
          value={period}
          onChange={(value) => query.set({ period: value ?? undefined, from: undefined, to: undefined })}
        />
        <Select
          label={labelOf('summary-reports', 'type')}
          allowDeselect={false}
          data={SUMMARY_TYPES.map((value) => ({ value, label: t(`summary_type.${value}`) }))}
          value={type}
          onChange={(value) => query.set({ type: value ?? undefined })}
        />
        <DaysInput key={`${from}${to}`} {...{ period, from, to, today, oldest, fault }} onChange={query.set} />
      </div>
      {fault ? (
        <div className="app-card">
          <EmptyState title={t('report.no_period')} text={t(`validation.${fault}`)} />
        </div>
      ) : (
        <Stack gap="lg">
          {sums.data && <Totals sums={sums.data} />}
          {sums.data && sums.data.series.length > 0 && <SummaryChart period={period} series={sums.data.series} />}
          <Rows fixed={fixed} today={today} />
        </Stack>
      )}
    </>
  );
}

interface RowsProps {
  fixed: { period: (typeof SUMMARY_PERIODS)[number]; type: (typeof SUMMARY_TYPES)[number]; from: string; to: string };
  today: string;
}

/** Table of the chosen days, with its export and a link behind each row. */
function Rows({ fixed, today }: RowsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const mayExport = useMay('summary-reports-download');
  const maySeeRows = useMay('transactions-index');
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null);
  const { period, type } = fixed;
  const columns: readonly Column<Row>[] = [
    'starts_on',
    { field: 'ends_on', hidden: period === 'daily' },
    'corporation_name',
    ...(type === 'sender' ? (['sender_id'] as const) : []),
    ...COUNTS.filter((count) => count !== 'parts'),
    {
      field: 'delivery_rate',
      cell: (row: Row) => (row.delivery_rate === null ? '–' : format.percent(row.delivery_rate)),
    },
    'spend',
    { field: 'parts', hidden: true },
  ];

  /** Opens the messages behind a row. If the row covers more than a month, opens its months instead. */
  function open(row: Row) {
    const whose = {
      corporation_id: String(row.corporation_id),
      ...(row.sender_id ? { sender_id: row.sender_id } : {}),
    };
    const days = { from: row.starts_on, to: row.ends_on };
    if (periodFault(row.starts_on, row.ends_on, today))
      void navigate({ to: '.', search: { ...whose, ...days, period: 'monthly', type } });
    else if (maySeeRows) void navigate({ to: '/transactions', search: { ...whose, ...days } });
  }

  return (
    <div>
      <CursorList<typeof summaryReports, Row>
        name="summary-reports"
        operation={summaryReports}
        title="corporation_name"
        header={null}
        columns={columns}
        fixed={fixed}
        filters={[{ field: 'corporation_id', to: corporation }, 'sender_id']}
        empty={
          <EmptyState
            of="summary-reports"
            learn
            title={t('common.no_data')}
            text={t('resources.summary-reports.empty')}
          />
        }
        rowActions={(row) => {
          const long = periodFault(row.starts_on, row.ends_on, today) !== undefined;
          if (!long && !maySeeRows) return [];
          return [
            {
              label: t(long ? 'summary.months_behind' : 'summary.rows_behind'),
              icon: <IconListDetails size={16} stroke={1.6} />,
              onClick: () => open(row),
            },
          ];
        }}
        onRowClick={open}
        exportLabel={t('report_format.export')}
        {...(mayExport ? { onExport: async (wanted: Record<string, unknown>) => setAsked(wanted) } : {})}
      />
      {asked && (
        <ReportDownload withCosts operation={exportSummaryReports} query={asked} onClose={() => setAsked(null)} />
      )}
    </div>
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

function Totals({ sums: { totals, spend, all_spend } }: { sums: Reply }) {
  const format = useFormat();
  return (
    <Paper className="app-card" p="lg">
      <SimpleGrid component="dl" cols={{ base: 2, sm: 4, lg: 7 }} spacing="md" m={0}>
        {COUNTS.map((count) => (
          <Fact key={count} label={labelOf('summary-reports', count)}>
            {format.integer(totals[count])}
          </Fact>
        ))}
        <Fact label={labelOf('summary-reports', 'spend')}>
          {spend.map(({ currency, amount }) => format.money(amount, currency)).join(' · ') || '–'}
          <AllSpend sum={all_spend} />
        </Fact>
      </SimpleGrid>
    </Paper>
  );
}

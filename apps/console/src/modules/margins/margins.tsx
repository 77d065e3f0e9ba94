import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { link } from '@heliograph/contract/links/link';
import { exportMargins, MARGIN_GROUPS, margins } from '@heliograph/contract/margins/margin';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Alert, Button, Paper, Select, SimpleGrid, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat, useZone } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { type Column, labelOf, type RowOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { moved, periodFault, todayIn } from '../../resource/period.ts';
import { PeriodInput } from '../../resource/period-input.tsx';
import { ReportDownload } from '../../resource/report-download.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Fact } from '../../ui/fact.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Amount } from './amount.tsx';

type Row = RowOf<typeof margins>;
type Reply = ReplyOf<typeof margins>;

const NAME = 'margins';
const FIELDS = ['by', 'from', 'to', 'corporation_id', 'link_id'] as const;
const AMOUNTS = ['price', 'cost', 'margin', 'unknown_price'] as const;

/** Screen of what traffic brings and costs, by corporation, link, network and other groups. */
export function Margins() {
  const { t } = useTranslation();
  const format = useFormat();
  const zone = useZone();
  const mayExport = useMay('margins-download');
  const query = useListQuery(FIELDS);
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null);
  const today = todayIn(zone);
  const by = MARGIN_GROUPS.find((each) => each === search['by']) ?? 'corporation';
  const from = search['from'] ?? moved(today, -30);
  const to = search['to'] ?? today;
  const fault = periodFault(from, to, today);
  const fixed = useMemo(() => ({ by, from, to }), [by, from, to]);
  const { corporation_id, link_id } = query.filters;
  const sums = useQuery({
    queryKey: [NAME, 'sums', fixed, corporation_id, link_id],
    queryFn: ({ signal }) =>
      call(margins, {
        query: { ...fixed, limit: 1, ...(corporation_id ? { corporation_id } : {}), ...(link_id ? { link_id } : {}) },
        signal,
      }),
    enabled: !fault,
  });
  const columns: readonly Column<Row>[] = [
    {
      field: 'name',
      title: `margin_group.${by}`,
      cell: (row) => row.name || <Text c="dimmed">{t(by === 'network' ? 'margin.unknown' : 'margin.none')}</Text>,
    },
    'parts',
    ...AMOUNTS.map((field) => ({
      field,
      figure: true,
      cell: (row: Row) => <Amount value={row[field]} currency={row.currency} signed={field === 'margin'} />,
    })),
    { field: 'rate', figure: true, cell: (row) => (row.rate === null ? '–' : format.percent(row.rate)) },
    'unknown_parts',
  ];
  return (
    <>
      <PageHeader
        title={t('menu.margins')}
        subtitle={t('margin.subtitle')}
        actions={
          <Button component={Link} to="/losses" variant="default">
            {t('loss.show')}
          </Button>
        }
      />
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} mb="md">
        <Select
          label={t('margin.by')}
          allowDeselect={false}
          data={MARGIN_GROUPS.map((value) => ({ value, label: t(`margin_group.${value}`) }))}
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
          {sums.data && <Totals sums={sums.data} />}
          <CursorList<typeof margins, Row>
            name={NAME}
            operation={margins}
            title="name"
            header={null}
            columns={columns}
            fixed={fixed}
            filters={[
              { field: 'corporation_id', to: corporation },
              { field: 'link_id', to: link },
            ]}
            empty={<EmptyState of={NAME} learn title={t('common.no_data')} text={t('margin.empty')} />}
            exportLabel={t('report_format.export')}
            {...(mayExport ? { onExport: async (wanted: Record<string, unknown>) => setAsked(wanted) } : {})}
          />
        </Stack>
      )}
      {asked && <ReportDownload operation={exportMargins} query={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function Totals({ sums: { totals, currency, counted_to } }: { sums: Reply }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Paper className="app-card" p="lg">
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3, lg: 6 }} spacing="md" m={0}>
        <Fact label={labelOf(NAME, 'parts')}>{format.integer(totals.parts)}</Fact>
        {AMOUNTS.map((field) => (
          <Fact key={field} label={labelOf(NAME, field)}>
            <Amount value={totals[field]} currency={currency} signed={field === 'margin'} />
          </Fact>
        ))}
        <Fact label={labelOf(NAME, 'unknown_parts')}>{format.integer(totals.unknown_parts)}</Fact>
      </SimpleGrid>
      {totals.unknown_parts > 0 && (
        <Alert color="orange" variant="light" mt="md">
          {t('margin.unknown_hint')}
        </Alert>
      )}
      <Text size="sm" c="dimmed" mt="sm">
        {counted_to ? t('margin.counted_to', { day: format.date(counted_to) }) : t('margin.not_counted')}
      </Text>
    </Paper>
  );
}

import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { exportResaleMargins, RESALE_GROUPS, resaleMargins } from '@heliograph/contract/margins/resale-margin';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Alert, Paper, SimpleGrid, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { type Column, labelOf, type RowOf } from '../../resource/columns.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { Choice, ReportFrame, ReportPeriod, useReportPeriod } from '../../resource/report-frame.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Amount } from './amount.tsx';

type Row = RowOf<typeof resaleMargins>;
type Totals = ReplyOf<typeof resaleMargins>['totals'][number];

const NAME = 'resale-margins';
const NO_FILTERS: readonly string[] = [];

/** Screen of what customers paid a reseller, and what their messages cost it, by customer and other groups. */
export function ResaleMargins() {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useListQuery(NO_FILTERS);
  const { search, ...period } = useReportPeriod();
  const { from, to, fault } = period;
  const by = RESALE_GROUPS.find((each) => each === search['by']) ?? 'corporation';
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
    <ReportFrame<typeof resaleMargins, Row>
      name={NAME}
      operation={resaleMargins}
      exported={exportResaleMargins}
      subtitle={t('resale_margin.subtitle')}
      choices={() => (
        <>
          <Choice
            label={t('margin.by')}
            values={RESALE_GROUPS}
            labelOf={(value) => t(`resale_group.${value}`)}
            value={by}
            onChange={(value) => query.set({ by: value })}
          />
          <ReportPeriod {...period} />
        </>
      )}
      fault={fault}
      fixed={{ by, from, to }}
      totals={({ totals }) => totals.map((each) => <Sums key={`${each.currency}${each.cost_currency}`} {...each} />)}
      title="name"
      columns={columns}
      filters={[{ field: 'corporation_id', to: corporation }, 'sender_id']}
      emptyText={t('resale_margin.empty')}
    />
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

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
type Reply = ReplyOf<typeof resaleMargins>;
type Totals = Reply['totals'][number];

const NAME = 'resale-margins';
const DISCOUNTED = ['discounts', 'margin_after_discounts'] as const;
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
      cell: (row) =>
        row.name || (
          <Text span inherit c="dimmed">
            {t('margin.none')}
          </Text>
        ),
    },
    'messages',
    { field: 'parts', hidden: true },
    { field: 'revenue', figure: true, cell: (row) => <Amount value={row.revenue} currency={row.currency} /> },
    { field: 'cost', figure: true, cell: (row) => <Amount value={row.cost} currency={row.cost_currency} /> },
    {
      field: 'margin',
      figure: true,
      cell: (row) => <Known value={row.margin} currency={row.currency} signed />,
    },
    ...(by === 'corporation' || by === 'day' ? DISCOUNTED : []).map((field) => ({
      field,
      figure: true,
      cell: (row: Row) => <Known value={row[field]} currency={row.currency} signed={field !== 'discounts'} />,
    })),
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
      totals={(sums) => (
        <>
          {sums.totals.map((each) => (
            <Sums key={`${each.currency}${each.cost_currency}`} {...each} />
          ))}
          <OwnDiscounts sums={sums} />
        </>
      )}
      title="name"
      columns={columns}
      filters={[{ field: 'corporation_id', to: corporation }, 'sender_id']}
      emptyText={t('resale_margin.empty')}
    />
  );
}

/** Amount, or a dash if it is not known. */
function Known({ value, currency, signed = false }: { value: string | null; currency: string; signed?: boolean }) {
  return value === null ? '–' : <Amount value={value} currency={currency} signed={signed} />;
}

/** Volume discounts on the accounts of the resellers, and how the discounts of customers count. */
function OwnDiscounts({ sums: { own_discounts, totals } }: { sums: Reply }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (totals.length === 0 && own_discounts.length === 0) return null;
  const own = own_discounts.map(({ amount, currency }) => format.money(amount, currency)).join(' · ');
  return (
    <Text size="sm" c="dimmed">
      {t('margin.discounts_hint')}
      {own && (
        <>
          {' '}
          {labelOf(NAME, 'own_discounts')}: {own}. {t('resale_margin.own_hint')}
        </>
      )}
    </Text>
  );
}

function Sums(props: Totals) {
  const { messages, parts, revenue, currency, cost, cost_currency, margin } = props;
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Paper className="app-card" p="lg">
      <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} spacing="md" m={0}>
        <Fact label={labelOf(NAME, 'messages')}>{format.integer(messages)}</Fact>
        <Fact label={labelOf(NAME, 'parts')}>{format.integer(parts)}</Fact>
        <Fact label={labelOf(NAME, 'revenue')}>
          <Amount value={revenue} currency={currency} />
        </Fact>
        <Fact label={labelOf(NAME, 'cost')}>
          <Amount value={cost} currency={cost_currency} />
        </Fact>
        <Fact label={labelOf(NAME, 'margin')}>
          <Known value={margin} currency={currency} signed />
        </Fact>
        {DISCOUNTED.map((field) => (
          <Fact key={field} label={labelOf(NAME, field)}>
            <Known value={props[field]} currency={currency} signed={field !== 'discounts'} />
          </Fact>
        ))}
      </SimpleGrid>
      {margin === null && (
        <Alert color="orange" variant="light" mt="md">
          {t('resale_margin.other_currency')}
        </Alert>
      )}
    </Paper>
  );
}

import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { link } from '@heliograph/contract/links/link';
import { exportMargins, MARGIN_GROUPS, margins } from '@heliograph/contract/margins/margin';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Alert, Button, Paper, SimpleGrid, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { type Column, labelOf, type RowOf } from '../../resource/columns.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { Choice, ReportFrame, ReportPeriod, useReportPeriod } from '../../resource/report-frame.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Amount } from './amount.tsx';

type Row = RowOf<typeof margins>;
type Reply = ReplyOf<typeof margins>;

const NAME = 'margins';
const NO_FILTERS: readonly string[] = [];
const AMOUNTS = ['price', 'cost', 'margin'] as const;
const DISCOUNTED = ['discounts', 'margin_after_discounts'] as const;
/** Groups to which volume discounts belong. */
const WITH_DISCOUNTS: readonly string[] = ['corporation', 'reseller', 'day'];

/** Screen of what traffic brings and costs, by corporation, link, network and other groups. */
export function Margins() {
  const { t } = useTranslation();
  const format = useFormat();
  const query = useListQuery(NO_FILTERS);
  const { search, ...period } = useReportPeriod();
  const { from, to, fault } = period;
  const by = MARGIN_GROUPS.find((each) => each === search['by']) ?? 'corporation';
  const columns: readonly Column<Row>[] = [
    {
      field: 'name',
      title: `margin_group.${by}`,
      cell: (row) =>
        row.name || (
          <Text span inherit c="dimmed">
            {t(by === 'network' ? 'margin.unknown' : 'margin.none')}
          </Text>
        ),
    },
    'parts',
    ...AMOUNTS.map((field) => ({
      field,
      figure: true,
      cell: (row: Row) => <Amount value={row[field]} currency={row.currency} signed={field === 'margin'} />,
    })),
    ...(WITH_DISCOUNTS.includes(by) ? DISCOUNTED : []).map((field) => ({
      field,
      figure: true,
      cell: (row: Row) => <Known value={row[field]} currency={row.currency} field={field} />,
    })),
    { field: 'rate', figure: true, cell: (row) => (row.rate === null ? '–' : format.percent(row.rate)) },
    'unknown_parts',
    {
      field: 'unknown_price',
      figure: true,
      cell: (row) => <Amount value={row.unknown_price} currency={row.currency} />,
    },
  ];
  return (
    <ReportFrame<typeof margins, Row>
      name={NAME}
      operation={margins}
      exported={exportMargins}
      subtitle={t('margin.subtitle')}
      platformDays
      actions={
        <Button component={Link} to="/losses" variant="default">
          {t('loss.show')}
        </Button>
      }
      choices={() => (
        <>
          <Choice
            label={t('margin.by')}
            values={MARGIN_GROUPS}
            labelOf={(value) => t(`margin_group.${value}`)}
            value={by}
            onChange={(value) => query.set({ by: value })}
          />
          <ReportPeriod {...period} />
        </>
      )}
      fault={fault}
      fixed={{ by, from, to }}
      totals={(sums) => <Totals sums={sums} />}
      title="name"
      columns={columns}
      filters={[
        { field: 'corporation_id', to: corporation },
        { field: 'link_id', to: link },
      ]}
      emptyText={t('margin.empty')}
    />
  );
}

/** Amount of discounts, or the margin after them; a dash where they do not belong. */
function Known({ value, currency, field }: { value: string | null; currency: string; field: string }) {
  return value === null ? '–' : <Amount value={value} currency={currency} signed={field !== 'discounts'} />;
}

function Totals({ sums: { totals, currency, counted_to } }: { sums: Reply }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Paper className="app-card" p="lg">
      <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} spacing="md" m={0}>
        <Fact label={labelOf(NAME, 'parts')}>{format.integer(totals.parts)}</Fact>
        {AMOUNTS.map((field) => (
          <Fact key={field} label={labelOf(NAME, field)}>
            <Amount value={totals[field]} currency={currency} signed={field === 'margin'} />
          </Fact>
        ))}
        {DISCOUNTED.map((field) => (
          <Fact key={field} label={labelOf(NAME, field)}>
            <Known value={totals[field]} currency={currency} field={field} />
          </Fact>
        ))}
        <Fact label={labelOf(NAME, 'unknown_parts')}>{format.integer(totals.unknown_parts)}</Fact>
        <Fact label={labelOf(NAME, 'unknown_price')}>
          <Amount value={totals.unknown_price} currency={currency} />
        </Fact>
      </SimpleGrid>
      {totals.unknown_parts > 0 && (
        <Alert color="orange" variant="light" mt="md">
          {t('margin.unknown_hint')}
        </Alert>
      )}
      {totals.unknown_discounts > 0 && (
        <Alert color="orange" variant="light" mt="md">
          {t('margin.unknown_discounts_hint')}
        </Alert>
      )}
      <Text size="sm" c="dimmed" mt="sm">
        {t('margin.discounts_hint')}{' '}
        {counted_to ? t('margin.counted_to', { day: format.date(counted_to) }) : t('margin.not_counted')}
      </Text>
    </Paper>
  );
}

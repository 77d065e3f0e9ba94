import { resale } from '@heliograph/contract/dashboard/resale';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { SimpleGrid, Skeleton, Stack, Table } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { MoneyText } from '../../resource/cells.tsx';
import { changeOf, KpiTile } from '../../ui/kpi-tile.tsx';
import { Section } from '../../ui/section.tsx';
import { ChartLegend, TimeChart } from '../../ui/time-chart.tsx';
import { LowCredit, OwnCredit, useRunway } from './credit.tsx';
import classes from './dashboard.module.css';
import { Behind, Figures } from './figures.tsx';
import {
  DeliveredTile,
  Greeting,
  periodOf,
  type Traffic,
  TrafficParts,
  useDays,
  useTraffic,
  WithTraffic,
} from './traffic.tsx';

type Resale = ReplyOf<typeof resale>;

/** Dashboard of a reseller: revenue, cost and margin, the customers, and the balance with the platform. */
export function ResellerDashboard() {
  const { t } = useTranslation();
  const days = useDays();
  const query = useTraffic(days);
  const credit = useRunway();
  const money = useQuery({
    queryKey: ['dashboard', 'resale', days],
    queryFn: ({ signal }) => call(resale, { query: { days }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  }).data;
  return (
    <>
      <Greeting days={days} of={resale} />
      <WithTraffic query={query}>
        {(data) => (
          <Stack gap="lg">
            <Tiles data={data} money={money} />
            <div className={classes.columns}>
              {money ? <MarginChart money={money} /> : <Skeleton h={360} radius="lg" />}
              <Stack gap="lg">
                {credit && <OwnCredit title={t('credit.wholesale')} accounts={credit.own} />}
                <LowCredit data={credit} />
              </Stack>
            </div>
            <TrafficParts data={data} side={money ? <Customers money={money} period={periodOf(data)} /> : <div />} />
          </Stack>
        )}
      </WithTraffic>
    </>
  );
}

function Tiles({ data, money }: { data: Traffic; money: Resale | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const maySum = useMay('summary-reports-index');
  const mayMargins = useMay('resale-margins-index');
  const tile = (key: 'revenue' | 'cost' | 'margin', sub: string, good?: 'up') =>
    money ? (
      <KpiTile
        label={t(`resale.${key}`)}
        value={format.money(money.totals[key], money.currency)}
        sub={sub}
        change={changeOf(Number(money.totals[key]), Number(money.before[key]), format.percent, good)}
        spark={money.days.map((day) => Number(day[key]))}
        {...(maySum && key === 'revenue' && { to: '/summary-reports', search: periodOf(data) })}
        {...(mayMargins && key !== 'revenue' && { to: '/resale-margins', search: periodOf(data) })}
      />
    ) : (
      <Skeleton h={118} radius="lg" />
    );
  const others = money?.other_revenue.map(({ amount, currency }) => format.money(amount, currency)).join(' · ');
  const share =
    money && Number(money.totals.revenue) > 0 ? Number(money.totals.margin) / Number(money.totals.revenue) : null;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      {tile('revenue', others ? t('resale.other_currencies', { amounts: others }) : t('resale.revenue_hint'), 'up')}
      {tile('cost', t('resale.cost_hint'))}
      {tile('margin', share === null ? '–' : t('resale.of_revenue', { share: format.percent(share) }), 'up')}
      <DeliveredTile data={data} />
    </SimpleGrid>
  );
}

/** Bars of cost and margin, which are the revenue together. */
function MarginChart({ money }: { money: Resale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const series = [
    { key: 'cost', label: t('resale.cost'), color: 'var(--app-chart-5)' },
    { key: 'margin', label: t('resale.margin'), color: 'var(--app-good)' },
  ];
  const few = money.days.length <= 12;
  return (
    <Section title={t('resale.chart')} actions={<ChartLegend series={series} />}>
      <TimeChart
        label={t('resale.chart')}
        kind="bars"
        height={280}
        labelWidth={few ? 62 : 28}
        series={series}
        total={t('resale.revenue')}
        format={(value) => format.money(value.toFixed(3).replace(/0$/, ''), money.currency)}
        points={money.days.map(({ date, cost, margin }, i) => {
          const open = i === money.days.length - 1;
          return {
            key: date,
            label: format.date(date, few ? 'short' : 'day'),
            title: open ? t('chart.so_far', { date: format.date(date) }) : format.date(date),
            values: { cost: Number(cost), margin: Number(margin) },
            open,
          };
        })}
        table={{ summary: t('summary.table'), when: t('dashboard.day') }}
      />
    </Section>
  );
}

/** Table of the customers with the highest revenue. Their cost is in the report: three amounts do not fit beside a chart. */
function Customers({ money, period }: { money: Resale; period: Record<'from' | 'to', string> }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Figures
      title={t('resale.customers')}
      heading={[t('dashboard.customer'), t('resale.revenue'), t('resale.margin')]}
      empty={money.customers.length === 0}
    >
      {money.customers.map((row) => (
        <Table.Tr key={row.corporation_id}>
          <Table.Td>
            <Behind
              to="/resale-margins"
              permission="resale-margins-index"
              search={{ ...period, corporation_id: String(row.corporation_id) }}
            >
              {row.corporation_name}
            </Behind>
          </Table.Td>
          {(['revenue', 'margin'] as const).map((key) => (
            <Table.Td key={key} ta="right" title={format.money(row[key], money.currency)}>
              <MoneyText value={row[key]} currency={money.currency} />
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Figures>
  );
}

import { DASHBOARD_DAYS, dashboard } from '@heliograph/contract/dashboard/dashboard';
import { deliveryRate } from '@heliograph/contract/kernel/figures';
import type { Operation, ReplyOf } from '@heliograph/contract/kernel/operation';
import { Button, SegmentedControl, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { IconSend } from '@tabler/icons-react';
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { type ReactNode, Suspense, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { lazyPart } from '../../platform/connection.ts';
import { type Format, useFormat } from '../../platform/format.ts';
import { useChannel } from '../../platform/live.ts';
import { readAgain } from '../../platform/queries.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { FiguresAsOf } from '../../resource/figures-as-of.tsx';
import { InZone } from '../../resource/in-zone.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { LoadError } from '../../resource/load-error.tsx';
import { CountUp } from '../../ui/count-up.tsx';
import { changeOf, KpiTile } from '../../ui/kpi-tile.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import classes from './dashboard.module.css';

// The chart has a place of fixed height, and the tables are below the first view, so their code comes later.
const DaysChart = lazyPart(async () => (await import('./days-chart.tsx')).DaysChart);
const Recent = lazyPart(async () => (await import('./campaigns.tsx')).Recent);
const Senders = lazyPart(async () => (await import('./figures.tsx')).Senders);
const Destinations = lazyPart(async () => (await import('./figures.tsx')).Destinations);
const Customers = lazyPart(async () => (await import('./figures.tsx')).Customers);

/** Figures of the messages of some days. */
export type Traffic = ReplyOf<typeof dashboard>;
export type Days = (typeof DASHBOARD_DAYS)[number];

const NONE: readonly string[] = [];
/** Minimum interval between two reads of the figures, in ms, regardless of the number of live events. */
const LIVE_MS = 2_000;
const MOVING: ReadonlySet<string> = new Set(['preparing', 'scheduled', 'running', 'paused']);

/** Returns the number of days in the address. */
export function useDays(): Days {
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  return DASHBOARD_DAYS.find((each) => String(each) === search['days']) ?? DASHBOARD_DAYS[0];
}

/** Control for the number of days. */
export function DaysControl({ days }: { days: Days }) {
  const { t } = useTranslation();
  const { set } = useListQuery(NONE);
  return (
    <SegmentedControl
      aria-label={t('dashboard.period')}
      style={{ flexShrink: 0 }}
      styles={{ innerLabel: { whiteSpace: 'nowrap' } }}
      value={String(days)}
      onChange={(value) => set({ days: value })}
      data={DASHBOARD_DAYS.map((each) => ({ value: String(each), label: t(`dashboard.days.${each}`) }))}
    />
  );
}

/** Greeting of a dashboard, with the control for its days and the way to the composer. */
export function Greeting(props: { days: Days; of: Operation; sendFirst?: boolean }) {
  const { t } = useTranslation();
  const name = useSession((s) => s.profile?.name ?? '');
  const maySend = useMay('campaigns-create');
  return (
    <PageHeader
      title={t('dashboard.greeting', { name })}
      subtitle={
        <>
          {t('dashboard.subtitle', { days: props.days })}
          <InZone />
          <FiguresAsOf of={props.of} />
        </>
      }
      actions={
        <>
          <DaysControl days={props.days} />
          {maySend && (
            <Button
              component={Link}
              to="/send-sms"
              variant={props.sendFirst ? 'filled' : 'default'}
              leftSection={<IconSend size={16} stroke={1.6} />}
            >
              {t('dashboard.send')}
            </Button>
          )}
        </>
      }
    />
  );
}

/** Reads the figures of the messages. */
export const useTraffic = (days: Days): UseQueryResult<Traffic> =>
  useQuery({
    queryKey: ['dashboard', days],
    queryFn: ({ signal }) => call(dashboard, { query: { days }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });

/** Shows the figures as soon as they are read, and reads them again when campaigns of the corporation move. */
export function WithTraffic(props: { query: UseQueryResult<Traffic>; children: (data: Traffic) => ReactNode }) {
  const { query } = props;
  const { t } = useTranslation();
  const corporation = useSession((s) => s.profile?.corporation_id ?? null);
  const refresh = useThrottledCallback(() => void readAgain(['dashboard']), LIVE_MS);
  const channels = useRef<string[]>([]);
  if (query.data)
    channels.current = query.data.recent_campaigns
      .filter(({ state }) => MOVING.has(state))
      .map(({ id }) => `campaign.${id}`);
  return (
    <>
      {corporation !== null && <Hears channel={`corporation.${corporation}`} onNews={refresh} />}
      {channels.current.map((channel) => (
        <Hears key={channel} channel={channel} onNews={refresh} />
      ))}
      {query.data ? (
        props.children(query.data)
      ) : query.error ? (
        <LoadError error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Stack gap="lg" role="status" aria-label={t('common.loading')}>
          <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
            {['a', 'b', 'c', 'd'].map((key) => (
              <Skeleton key={key} h={118} radius="lg" />
            ))}
          </SimpleGrid>
          <Skeleton h={320} radius="lg" />
        </Stack>
      )}
    </>
  );
}

function Hears(props: { channel: string; onNews: () => void }) {
  useChannel(props.channel, '.campaign.progress', props.onNews);
  return null;
}

/** Returns the first and the last of the shown days. */
export const periodOf = ({ days }: Traffic) => ({ from: days[0]!.date, to: days.at(-1)!.date });

/** Tile of the delivered messages with their rate, and its course. */
export function DeliveredTile({ data }: { data: Traffic }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayList = useMay('transactions-index');
  const { totals, before, days } = data;
  return (
    <KpiTile
      label={t('dashboard.delivered')}
      means={t('figure_means.delivered')}
      value={<CountUp of={totals.delivered} write={format.integer} />}
      sub={t('dashboard.rate_of', { rate: rateOf(totals, format) })}
      change={changeOf(totals.delivered, before.delivered, format.percent, 'up')}
      spark={days.map((day) => day.delivered)}
      {...(mayList && { to: '/transactions', search: { ...periodOf(data), state: 'delivered' } })}
    />
  );
}

/** Tile of the failed messages, and its course. */
export function FailedTile({ data }: { data: Traffic }) {
  const { t } = useTranslation();
  const format = useFormat();
  const maySum = useMay('summary-reports-index');
  const { totals, before, days, today } = data;
  return (
    <KpiTile
      label={t('dashboard.failed')}
      means={t('figure_means.failed')}
      value={<CountUp of={totals.failed} write={format.integer} />}
      sub={t('dashboard.today_count', { count: today.failed, replace: { count: format.integer(today.failed) } })}
      change={changeOf(totals.failed, before.failed, format.percent, 'down')}
      spark={days.map((day) => day.failed)}
      {...(maySum && { to: '/summary-reports', search: periodOf(data) })}
    />
  );
}

function rateOf(of: Traffic['totals'], format: Format): string {
  const rate = deliveryRate(of);
  return rate === null ? '–' : format.percent(rate);
}

/** Chart of the days beside `side`, else beside the customers; then recent campaigns, `extra`, sender IDs and countries. */
export function TrafficParts({ data, side, extra }: { data: Traffic; side?: ReactNode; extra?: ReactNode }) {
  const { t } = useTranslation();
  const period = periodOf(data);
  return (
    <>
      <div className={classes.columns}>
        <div className={classes.chart}>
          <Suspense fallback={<Skeleton h="100%" radius="lg" />}>
            <DaysChart days={data.days} />
          </Suspense>
        </div>
        {side ?? (
          <Suspense fallback={<Skeleton h={400} radius="lg" />}>
            <Customers customers={data.customers ?? []} period={period} />
          </Suspense>
        )}
      </div>
      <SimpleGrid cols={{ base: 1, md: 2 }} className={classes.pairs ?? ''}>
        <Suspense fallback={<Skeleton h={320} radius="lg" />}>
          <Section title={t('dashboard.recent')}>
            <Recent campaigns={data.recent_campaigns} />
          </Section>
          {extra}
          <Senders senders={data.senders} period={period} />
          <Destinations destinations={data.destinations} period={period} sent={data.totals.messages > 0} />
        </Suspense>
      </SimpleGrid>
    </>
  );
}

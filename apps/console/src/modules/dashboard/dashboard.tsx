import { DASHBOARD_DAYS, dashboard } from '@heliograph/contract/dashboard/dashboard';
import { deliveryRate } from '@heliograph/contract/kernel/figures';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Button, Paper, SegmentedControl, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { IconSend } from '@tabler/icons-react';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { type Format, useFormat } from '../../platform/format.ts';
import { useChannel } from '../../platform/live.ts';
import { useMay, useSession } from '../../platform/session.ts';
import { FiguresAsOf } from '../../resource/figures-as-of.tsx';
import { InZone } from '../../resource/in-zone.tsx';
import { useListQuery } from '../../resource/list-query.ts';
import { LoadError } from '../../resource/load-error.tsx';
import { Link } from '../../ui/link.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { Count, Recent } from './campaigns.tsx';
import classes from './dashboard.module.css';
import { DaysChart } from './days-chart.tsx';
import { Behind, Customers, Destinations, Links, Senders } from './figures.tsx';
import { HeatMap } from './heat-map.tsx';

type Data = ReplyOf<typeof dashboard>;

const NONE: readonly string[] = [];
/** Minimum interval between two reads of the figures, in ms, regardless of the number of live events. */
const LIVE_MS = 2_000;
const MOVING: ReadonlySet<string> = new Set(['preparing', 'scheduled', 'running', 'paused']);

/** Screen of the messages sent and their outcomes, running campaigns, and waiting work. */
export function Dashboard() {
  const { t } = useTranslation();
  const name = useSession((s) => s.profile?.name ?? '');
  const corporation = useSession((s) => s.profile?.corporation_id ?? null);
  const maySend = useMay('campaigns-create');
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const { set } = useListQuery(NONE);
  const days = DASHBOARD_DAYS.find((each) => String(each) === search['days']) ?? DASHBOARD_DAYS[0];
  const client = useQueryClient();
  const refresh = useThrottledCallback(() => void client.invalidateQueries({ queryKey: ['dashboard'] }), LIVE_MS);
  const query = useQuery({
    queryKey: ['dashboard', days],
    queryFn: ({ signal }) => call(dashboard, { query: { days }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  return (
    <>
      <PageHeader
        title={t('dashboard.greeting', { name })}
        subtitle={
          <>
            {t('dashboard.subtitle', { days })}
            <InZone />
            <FiguresAsOf of={dashboard} />
          </>
        }
        actions={
          <>
            <SegmentedControl
              aria-label={t('dashboard.period')}
              style={{ flexShrink: 0 }}
              styles={{ innerLabel: { whiteSpace: 'nowrap' } }}
              value={String(days)}
              onChange={(value) => set({ days: value })}
              data={DASHBOARD_DAYS.map((each) => ({ value: String(each), label: t(`dashboard.days.${each}`) }))}
            />
            {maySend && (
              <Button component={Link} to="/send-sms" leftSection={<IconSend size={16} stroke={1.6} />}>
                {t('dashboard.send')}
              </Button>
            )}
          </>
        }
      />
      {corporation !== null && <Hears channel={`corporation.${corporation}`} onNews={refresh} />}
      {channelsOf(query.data).map((channel) => (
        <Hears key={channel} channel={channel} onNews={refresh} />
      ))}
      {query.data ? (
        <Overview data={query.data} />
      ) : query.error ? (
        <LoadError error={query.error} retry={() => void query.refetch()} />
      ) : (
        <Waiting />
      )}
    </>
  );
}

/** Returns the channels with news about the figures: those of the shown campaigns that have not ended. */
const channelsOf = (data: Data | undefined): string[] =>
  (data?.recent_campaigns ?? []).filter(({ state }) => MOVING.has(state)).map(({ id }) => `campaign.${id}`);

function Hears(props: { channel: string; onNews: () => void }) {
  useChannel(props.channel, '.campaign.progress', props.onNews);
  return null;
}

function Overview({ data }: { data: Data }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { today, totals, before } = data;
  const period = { from: data.days[0]!.date, to: data.days.at(-1)!.date };
  const figures = [
    { key: 'submitted', now: totals.messages, earlier: before.messages, today: today.messages, rows: {} },
    { key: 'delivered', now: totals.delivered, earlier: before.delivered, today: today.delivered, rows: DELIVERED },
    { key: 'failed', now: totals.failed, earlier: before.failed, today: today.failed, rows: null },
    { key: 'blocked', now: totals.blocked, earlier: before.blocked, today: today.blocked, rows: BLOCKED },
    { key: 'replies', now: totals.replies, earlier: before.replies, today: today.replies, rows: null },
  ] as const;
  return (
    <Stack gap="lg">
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        {figures.map(({ key, now, earlier, today: ofToday, rows }) => (
          <Stat
            key={key}
            label={t(`dashboard.${key}`)}
            means={key === 'replies' ? undefined : t(`figure_means.${key === 'submitted' ? 'accepted' : key}`)}
            value={
              rows ? (
                <Behind to="/transactions" permission="transactions-index" search={{ ...period, ...rows }}>
                  <span className={classes.value}>{format.integer(now)}</span>
                </Behind>
              ) : key === 'failed' ? (
                <Behind to="/summary-reports" permission="summary-reports-index" search={period}>
                  <span className={classes.value}>{format.integer(now)}</span>
                </Behind>
              ) : (
                <Behind to="/inbox" permission="inbox-index" search={{}}>
                  <span className={classes.value}>{format.integer(now)}</span>
                </Behind>
              )
            }
          >
            {t('dashboard.today')}: {format.integer(ofToday)}
            <Change {...{ now, earlier }} />
          </Stat>
        ))}
        <Stat
          label={t('dashboard.rate')}
          means={t('figure_means.delivery_rate')}
          value={
            <Behind to="/summary-reports" permission="summary-reports-index" search={period}>
              <span className={classes.value}>{deliveredShare(totals, format)}</span>
            </Behind>
          }
        >
          {t('dashboard.of_decided')}
        </Stat>
        <Stat
          label={t('dashboard.spend')}
          means={t('figure_means.spend')}
          value={
            <Behind to="/summary-reports" permission="summary-reports-index" search={period}>
              <span className={classes.value}>{format.money(totals.spend, data.currency)}</span>
            </Behind>
          }
        >
          {t('dashboard.today')}: {format.money(today.spend, data.currency)}
          <Change now={Number(totals.spend)} earlier={Number(before.spend)} />
          {data.other_spend.length > 0 && (
            <div>
              {t('dashboard.spend_others', {
                amounts: data.other_spend.map(({ currency, amount }) => format.money(amount, currency)).join(' · '),
              })}
            </div>
          )}
        </Stat>
        <Paper className={`app-card ${classes.links}`}>
          <Count
            to="/running-campaigns"
            permission="running-campaigns-index"
            label={t('dashboard.running')}
            count={data.running_campaigns}
          />
          <Count
            to="/schedule-campaigns"
            permission="schedule-campaigns-index"
            label={t('dashboard.scheduled')}
            count={data.scheduled_campaigns}
          />
          <Count
            to="/pending-campaigns"
            permission="pending-campaigns-index"
            label={t('dashboard.pending')}
            count={data.pending_campaigns}
          />
          <Count
            to="/transactions"
            search={{ ...period, state: 'pending' }}
            permission="transactions-index"
            label={t('dashboard.waiting')}
            count={data.waiting}
          />
          <Count
            to="/number-lists"
            permission="number-lists-index"
            label={t('dashboard.lists')}
            count={data.number_lists}
          />
        </Paper>
      </SimpleGrid>
      <div className={classes.columns}>
        <DaysChart days={data.days} />
        <Section title={t('dashboard.recent')}>
          <Recent campaigns={data.recent_campaigns} />
        </Section>
      </div>
      <SimpleGrid cols={{ base: 1, md: 2 }} className={classes.pairs ?? ''}>
        <Senders senders={data.senders} period={period} />
        <Destinations destinations={data.destinations} period={period} sent={totals.messages > 0} />
        {data.customers && <Customers customers={data.customers} period={period} />}
        <HeatMap hours={data.hours} />
      </SimpleGrid>
      {data.links && <Links links={data.links} period={period} />}
    </Stack>
  );
}

const DELIVERED = { state: 'delivered' } as const;
const BLOCKED = { state: 'blocked' } as const;

/** Change of a figure compared with the days before, if those had any. */
function Change({ now, earlier }: { now: number; earlier: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (earlier === 0) return null;
  const share = now / earlier - 1;
  return ` · ${t('dashboard.compared', { change: `${share > 0 ? '+' : ''}${format.percent(share)}` })}`;
}

function Stat(props: { label: string; means?: string | undefined; value: ReactNode; children: ReactNode }) {
  return (
    <Paper className="app-card" p="lg">
      <Text size="sm" c="dimmed" title={props.means}>
        {props.label}
      </Text>
      <Text className={classes.value!} component="div">
        {props.value}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {props.children}
      </Text>
    </Paper>
  );
}

function Waiting() {
  const { t } = useTranslation();
  return (
    <Stack gap="lg" role="status" aria-label={t('common.loading')}>
      <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
        {['a', 'b', 'c', 'd'].map((key) => (
          <Skeleton key={key} h={118} radius="lg" />
        ))}
      </SimpleGrid>
      <Skeleton h={320} radius="lg" />
    </Stack>
  );
}

function deliveredShare(of: Data['totals'], format: Format): string {
  const rate = deliveryRate(of);
  return rate === null ? '–' : format.percent(rate);
}

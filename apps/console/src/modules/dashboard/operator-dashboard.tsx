import { dashboard } from '@heliograph/contract/dashboard/dashboard';
import { operations } from '@heliograph/contract/dashboard/operations';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { LINK_CHANNEL, LINK_EVENT } from '@heliograph/contract/links/link';
import { Badge, Group, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { hasText } from '../../platform/language.ts';
import { useChannel } from '../../platform/live.ts';
import { readAgain } from '../../platform/queries.ts';
import { useMay } from '../../platform/session.ts';
import { DotWord } from '../../resource/cells.tsx';
import { FiguresAsOf } from '../../resource/figures-as-of.tsx';
import { InZone } from '../../resource/in-zone.tsx';
import { LoadError } from '../../resource/load-error.tsx';
import { CountUp } from '../../ui/count-up.tsx';
import { changeOf, KpiTile } from '../../ui/kpi-tile.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import { ChartLegend, TimeChart } from '../../ui/time-chart.tsx';
import { AlarmStrip } from '../alarms/index.ts';
import { DaysMargin } from '../margins/index.tsx';
import { LowCredit, useRunway } from './credit.tsx';
import classes from './dashboard.module.css';
import { Behind, LINK_COLORS, Links } from './figures.tsx';
import { DaysControl, periodOf, TrafficParts, useDays, useTraffic, WithTraffic } from './traffic.tsx';

type Data = ReplyOf<typeof operations>;
/** Interval between two reads in ms, and the least one when links report. */
const REFRESH_MS = 5_000;
const LIVE_MS = 2_000;
const MINUTE_MS = 60_000;
/** Carriers with an area of their own in the chart; the rest are one. */
const AREAS = 4;
const STATES: Readonly<Record<string, string>> = { ...LINK_COLORS, throttled: 'orange', draining: 'gray' };

/** Dashboard of the people who operate the platform: what is wrong, what happens now, and then the days. */
export function OperatorDashboard() {
  const { t } = useTranslation();
  const days = useDays();
  const traffic = useTraffic(days);
  const credit = useRunway();
  const query = useQuery({
    queryKey: ['operations'],
    queryFn: ({ signal }) => call(operations, { signal }),
    refetchInterval: REFRESH_MS,
  });
  const refresh = useThrottledCallback(() => void readAgain(['operations']), LIVE_MS);
  useChannel(LINK_CHANNEL, `.${LINK_EVENT}`, refresh);
  const { data } = query;
  return (
    <>
      <PageHeader
        title={t('operations.title')}
        subtitle={
          <>
            {t('operations.subtitle')}
            <InZone />
          </>
        }
      />
      <Stack gap="lg">
        <AlarmStrip calm />
        {data ? (
          <>
            <Now data={data} />
            <div className={classes.columns}>
              <Throughput data={data} />
              <Carriers links={data.links} />
            </div>
            <SimpleGrid cols={{ base: 1, md: 3 }}>
              <Failures data={data} />
              <LowCredit data={credit} />
              <Processes nodes={data.nodes} />
            </SimpleGrid>
          </>
        ) : query.error ? (
          <LoadError error={query.error} retry={() => void query.refetch()} />
        ) : (
          <Skeleton h={640} radius="lg" />
        )}
        <Group justify="space-between" mt="md">
          <div>
            <Title order={2} size="h3">
              {t('operations.traffic')}
            </Title>
            <Text size="sm" c="dimmed">
              {t('dashboard.subtitle', { days })}
              <FiguresAsOf of={dashboard} />
            </Text>
          </div>
          <DaysControl days={days} />
        </Group>
        <WithTraffic query={traffic}>
          {(figures) => (
            <>
              <DaysMargin period={periodOf(figures)} />
              <TrafficParts data={figures} />
              {figures.links && <Links links={figures.links} period={periodOf(figures)} />}
            </>
          )}
        </WithTraffic>
      </Stack>
    </>
  );
}

/** Figures of this moment. */
function Now({ data }: { data: Data }) {
  const { t } = useTranslation();
  const format = useFormat();
  const maySee = useMay('links-index');
  const total = data.links.reduce(
    (sum, { minutes }) => sum.map((count, i) => count + minutes[i]!),
    new Array<number>(data.links[0]?.minutes.length ?? 0).fill(0),
  );
  const { receipts, receipts_before, queue } = data;
  const rate = ({ delivered, undelivered }: Data['receipts']) =>
    delivered + undelivered === 0 ? null : delivered / (delivered + undelivered);
  const [now, before] = [rate(receipts), rate(receipts_before)];
  const ended = receipts.delivered + receipts.undelivered;
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }}>
      <KpiTile
        label={t('operations.speed')}
        value={data.parts_per_second === 0 ? '0' : format.rate(data.parts_per_second)}
        sub={t('operations.speed_hint')}
        spark={total}
        {...(maySee && { to: '/links' })}
      />
      <KpiTile
        label={t('operations.queue')}
        value={<CountUp of={queue.waiting} write={format.integer} />}
        sub={
          queue.since === null
            ? t('operations.queue_empty')
            : t('operations.queue_oldest', { time: format.ago(queue.since, Date.now()) })
        }
      />
      <KpiTile
        label={t('operations.delivered')}
        value={now === null ? '–' : format.percent(now)}
        sub={t('operations.receipts', { count: ended, replace: { count: format.integer(ended) } })}
        change={now === null || before === null ? undefined : changeOf(now, before, format.percent, 'up')}
      />
      <KpiTile
        label={t('operations.errors')}
        value={<CountUp of={data.refused} write={format.integer} />}
        sub={data.errors[0] ? wordsOf(data.errors[0].code, t) : t('operations.no_failures')}
        change={changeOf(data.refused, data.refused_before, format.percent, 'down')}
      />
    </SimpleGrid>
  );
}

const wordsOf = (code: string, t: (key: never) => string): string => {
  const key = keyIn('carrier_error', code);
  return hasText(key) ? t(key as never) : code;
};

function Throughput({ data }: { data: Data }) {
  const { t } = useTranslation();
  const format = useFormat();
  const series = data.links.slice(0, AREAS).map(({ id, name }, i) => ({
    key: String(id),
    label: name,
    color: `var(--app-chart-${i + 1})`,
  }));
  if (data.links.length > AREAS) series.push({ key: 'rest', label: '…', color: 'var(--app-chart-5)' });
  const from = Date.parse(data.from);
  const points = (data.links[0]?.minutes ?? []).map((_, i) => {
    const at = new Date(from + i * MINUTE_MS).toISOString();
    const values: Record<string, number> = {};
    for (const [place, { id, minutes }] of data.links.entries()) {
      const key = place < AREAS ? String(id) : 'rest';
      values[key] = (values[key] ?? 0) + minutes[i]! / 60;
    }
    return { key: at, label: format.clock(at), title: format.clock(at), values };
  });
  return (
    <Section title={t('operations.chart')} actions={<ChartLegend series={series} />}>
      <TimeChart
        label={t('operations.chart')}
        kind="area"
        height={260}
        series={series}
        points={points}
        total={t('operations.total')}
        format={(value) => (value === 0 ? '0' : format.rate(value))}
        table={{ summary: t('summary.table'), when: t('link_history.time') }}
      />
    </Section>
  );
}

/** Links with their state and speed. */
function Carriers({ links }: { links: Data['links'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Section title={t('operations.carriers')}>
      {links.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('operations.no_carriers')}
        </Text>
      ) : (
        <ul className={classes.lines}>
          {links.map(({ id, name, state, since, bound, wanted, accepted }) => (
            <li key={id}>
              <div style={{ minWidth: 0 }}>
                <Behind to={`/links/${id}`} permission="links-show" search={{}}>
                  {name}
                </Behind>
                <Text size="xs" c="dimmed">
                  {[
                    t('operations.binds', { bound, wanted }),
                    ...(state === 'down' && since ? [t('operations.since', { time: format.clock(since) })] : []),
                  ].join(' · ')}
                </Text>
              </div>
              <Group gap="sm" wrap="nowrap">
                <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
                  {accepted === 0 ? '0' : format.rate(accepted / 60)}/s
                </Text>
                <Badge
                  variant={state === 'down' ? 'filled' : 'light'}
                  size="sm"
                  color={STATES[state] ?? (state === 'down' ? 'red.9' : 'red')}
                >
                  {t(`link_state.${state}`)}
                </Badge>
              </Group>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function Failures({ data }: { data: Data }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Section title={t('operations.failures')}>
      {data.errors.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('operations.no_failures')}
        </Text>
      ) : (
        <ul className={classes.lines}>
          {data.errors.map(({ code, count }) => (
            <li key={code} title={code}>
              <Text size="sm">{wordsOf(code, t)}</Text>
              <Text size="sm" fw={500}>
                {format.integer(count)}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** Processes by kind, and those that are silent. */
function Processes({ nodes }: { nodes: Data['nodes'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Section title={t('operations.nodes')}>
      <ul className={classes.lines}>
        {nodes.map(({ kind, live, silent }) => (
          <li key={kind}>
            <Behind to="/nodes" permission="nodes-index" search={{}}>
              {t(`node_kind.${kind}`)}
            </Behind>
            <DotWord color={silent > 0 || live === 0 ? 'red' : 'teal'}>
              {silent > 0
                ? t('operations.nodes_silent', { silent: format.integer(silent) })
                : t('operations.nodes_live', { live: format.integer(live) })}
            </DotWord>
          </li>
        ))}
      </ul>
    </Section>
  );
}

import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { LINK_PERIODS, type LinkPeriod, linkHistory } from '@heliograph/contract/links/link-history';
import { Badge, Group, SegmentedControl, SimpleGrid, Skeleton, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import i18next from 'i18next';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { type Format, useFormat } from '../../platform/format.ts';
import type { ChartPoint, ChartSeries } from '../../ui/chart-scale.ts';
import { Section } from '../../ui/section.tsx';
import { TimeChart } from '../../ui/time-chart.tsx';
import type { LinkRow } from './link-feed.ts';
import { faultWords } from './link-state.tsx';

type History = ReplyOf<typeof linkHistory>['data'];
type Point = History['points'][number];

/** Interval between two reads in ms: the last point grows. */
const REFRESH_MS = 10_000;
const PERIODS = Object.keys(LINK_PERIODS) as LinkPeriod[];
const MINUTE = 60;
const HEIGHT = 190;

const share = (part: number, rest: number) => (part + rest === 0 ? null : part / (part + rest));

interface Chart {
  name: 'throughput' | 'response' | 'errors' | 'delivery';
  kind: 'area' | 'lines' | 'bars';
  series: readonly { key: string; color: string }[];
  values(point: Point, minutes: number): Record<string, number | null>;
  write(format: Format, value: number): string;
  /** Top of the axis. */
  most?: number;
}

const CHARTS: readonly Chart[] = [
  {
    name: 'throughput',
    kind: 'area',
    series: [{ key: 'accepted', color: 'var(--app-chart-1)' }],
    values: ({ accepted }, minutes) => ({ accepted: accepted / (minutes * MINUTE) }),
    write: (format, value) => (value === 0 ? '0' : format.rate(value)),
  },
  {
    name: 'response',
    kind: 'lines',
    series: [{ key: 'response_ms', color: 'var(--app-chart-2)' }],
    values: ({ response_ms }) => ({ response_ms }),
    write: (format, value) => `${format.integer(value)} ms`,
  },
  {
    name: 'errors',
    kind: 'bars',
    series: [
      { key: 'throttled', color: 'var(--app-chart-3)' },
      { key: 'failed', color: 'var(--app-bad)' },
      { key: 'unanswered', color: 'var(--app-chart-5)' },
    ],
    values: ({ throttled, failed, unanswered }) => ({ throttled, failed, unanswered }),
    write: (format, value) => format.integer(value),
  },
  {
    name: 'delivery',
    kind: 'lines',
    series: [{ key: 'delivered', color: 'var(--app-good)' }],
    values: ({ delivered, undelivered }) => ({ delivered: share(delivered, undelivered) }),
    write: (format, value) => format.percent(value),
    most: 1,
  },
];

/** Charts of a link over an hour, a day or a week: throughput, response time, errors and delivery rate. */
export function LinkHistory({ row }: { row: LinkRow }) {
  const { t } = useTranslation();
  const [period, setPeriod] = useState<LinkPeriod>('hour');
  const query = useQuery({
    queryKey: ['links', 'history', row.id, period],
    queryFn: ({ signal }) => call(linkHistory, { params: { id: row.id }, query: { period }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFRESH_MS,
  });
  const data = query.data?.data;
  return (
    <Section
      title={t('link_history.title')}
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('link_history.period')}
          value={period}
          onChange={(value) => setPeriod(value as LinkPeriod)}
          data={PERIODS.map((value) => ({ value, label: t(`link_history.periods.${value}`) }))}
        />
      }
    >
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl">
        {CHARTS.map((chart) => (
          <div key={chart.name}>
            {data ? <One chart={chart} data={data} row={row} /> : <Skeleton h={HEIGHT + 48} />}
          </div>
        ))}
      </SimpleGrid>
      {data && data.errors.length > 0 && <Errors errors={data.errors} />}
    </Section>
  );
}

/** Returns the figure of the whole period, as the heading of its chart. */
function wholeOf({ name }: Chart, { points, minutes }: History, format: Format): ReactNode {
  const sum = (key: 'accepted' | 'throttled' | 'failed' | 'unanswered' | 'submitted' | 'delivered' | 'undelivered') =>
    points.reduce((total, point) => total + point[key], 0);
  if (name === 'throughput') {
    const most = Math.max(...points.map(({ accepted }) => accepted)) / (minutes * MINUTE);
    return i18next.t('link_history.peak', { rate: most === 0 ? '0' : format.rate(most) });
  }
  if (name === 'errors') {
    const bad = sum('throttled') + sum('failed') + sum('unanswered');
    return sum('submitted') === 0
      ? format.integer(bad)
      : `${format.integer(bad)} · ${format.percent(bad / sum('submitted'))}`;
  }
  if (name === 'delivery') {
    const rate = share(sum('delivered'), sum('undelivered'));
    return rate === null ? '–' : format.percent(rate);
  }
  const timed = points.filter(({ response_ms }) => response_ms !== null);
  const answers = timed.reduce((total, point) => total + point.accepted + point.failed + point.throttled, 0);
  const spent = timed.reduce(
    (total, point) => total + (point.response_ms ?? 0) * (point.accepted + point.failed + point.throttled),
    0,
  );
  return answers === 0 ? '–' : `${format.integer(spent / answers)} ms`;
}

function One({ chart, data, row }: { chart: Chart; data: History; row: LinkRow }) {
  const { t } = useTranslation();
  const format = useFormat();
  const series: ChartSeries[] = chart.series.map(({ key, color }) => ({
    key,
    color,
    label: t(keyIn('link_history', 'series', key)),
  }));
  const points: ChartPoint[] = data.points.map((point, place) => ({
    key: point.at,
    label: data.minutes >= MINUTE ? format.date(point.at.slice(0, 10), 'short') : format.clock(point.at),
    title: format.instant(point.at),
    values: chart.values(point, data.minutes),
    open: place === data.points.length - 1,
  }));
  const title = t(`link_history.charts.${chart.name}`);
  const rate = chart.name === 'throughput' ? row.rate : null;
  return (
    <>
      <Group justify="space-between" align="baseline" gap="xs" mb={6}>
        <Text size="sm" fw={600}>
          {title}
        </Text>
        <Text size="sm" c="dimmed">
          {wholeOf(chart, data, format)}
        </Text>
      </Group>
      <TimeChart
        label={title}
        kind={chart.kind}
        series={series}
        points={points}
        height={HEIGHT}
        format={(value) => chart.write(format, value)}
        {...(chart.most ? { most: chart.most } : {})}
        {...(rate ? { limit: { value: rate, label: t('link_history.limit') } } : {})}
        table={{ summary: t('summary.table'), when: t('link_history.time') }}
      />
    </>
  );
}

/** Refusals of the period, by their SMPP status. */
function Errors({ errors }: { errors: History['errors'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Group
      gap="xs"
      component="ul"
      m={0}
      p={0}
      style={{ listStyle: 'none' }}
      aria-label={t('link_history.charts.errors')}
    >
      {errors.map(({ code, count }) => (
        <li key={code}>
          <Badge variant="light" color="red" title={code}>
            {faultWords(code)} {format.integer(count)}
          </Badge>
        </li>
      ))}
    </Group>
  );
}

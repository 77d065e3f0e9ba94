import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { applicationLogFigures } from '@heliograph/contract/reports/application-log';
import { Anchor, Box, Button, Group, SegmentedControl, Skeleton, Stack, Text } from '@mantine/core';
import { IconZoomOut } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { type Format, useFormat } from '../../platform/format.ts';
import { type ListQuery, useListQuery } from '../../resource/list-query.ts';
import { LoadError } from '../../resource/load-error.tsx';
import { Section } from '../../ui/section.tsx';
import { TimeChart } from '../../ui/time-chart.tsx';

type Figures = ReplyOf<typeof applicationLogFigures>['data'];

/** Levels in the order of their chips; the chart stacks them in the opposite order. */
const LEVELS = ['fatal', 'error', 'warn', 'info'] as const;
const HUES = {
  info: 'light-dark(#9aa1ad, #666d79)',
  warn: 'light-dark(#f2a100, #ffe066)',
  error: 'light-dark(#c92a2a, #ff7a66)',
  fatal: 'light-dark(#5c0b0b, #ffb3a7)',
} as const;
const FILTERS = ['level', 'source', 'request_id', 'from', 'to', 'since', 'until'];
/** Hours of the periods to choose from. The usual one is no filter. */
const HOURS = [1, 24, 168, 336] as const;
const USUAL = 24;

/** Figures above the list of log entries: levels, a bar for each part of the period, and the usual messages. */
export function LogFigures() {
  const query = useListQuery(FILTERS);
  const wanted = { ...query.filters, ...(query.search && { search: query.search }) };
  const figures = useQuery({
    queryKey: ['application-logs', 'figures', wanted],
    queryFn: ({ signal }) => call(applicationLogFigures, { query: wanted, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  if (figures.error && !figures.data) return <LoadError error={figures.error} retry={() => void figures.refetch()} />;
  if (!figures.data) return <Skeleton h={300} radius="lg" mb="md" />;
  return (
    <Box mb="md">
      <Drawn query={query} figures={figures.data.data} />
    </Box>
  );
}

function Drawn({ query, figures }: { query: ListQuery; figures: Figures }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { filters } = query;
  const narrowed = ['from', 'to', 'since', 'until'].some((each) => filters[each] !== undefined);
  const whole = Object.values(figures.totals).reduce((sum, count) => sum + count, 0);
  return (
    <Section
      title={`${format.instant(figures.since)} – ${format.instant(figures.until)}`}
      actions={<Period query={query} narrowed={narrowed} />}
    >
      <Stack gap="sm">
        <Group gap={6} role="group" aria-label={t('resources.application-logs.fields.level')}>
          <Level query={query} level={undefined} label={t('common.all')} count={format.integer(whole)} />
          {LEVELS.map((level) => (
            <Level
              key={level}
              query={query}
              level={level}
              label={t(`log_level.${level}`)}
              count={format.integer(figures.totals[level])}
            />
          ))}
        </Group>
        <TimeChart
          label={t('logs.chart')}
          kind="bars"
          height={150}
          series={LEVELS.toReversed().map((key) => ({ key, label: t(`log_level.${key}`), color: HUES[key] }))}
          points={figures.bars.map((bar) => pointOf(bar, format, figures))}
          format={format.integer}
          labelWidth={96}
          onPick={({ key }) => {
            const end = new Date(Date.parse(key) + figures.step * 1000).toISOString();
            query.set({ since: key, until: end, from: undefined, to: undefined });
          }}
          table={{ summary: t('summary.table'), when: t('resources.application-logs.fields.logged_at') }}
        />
        <Messages query={query} messages={figures.messages} />
      </Stack>
    </Section>
  );
}

function pointOf(bar: Figures['bars'][number], format: Format, { step, bars }: Figures) {
  const { at, ...values } = bar;
  const days = step * bars.length > 2 * 86_400;
  return {
    key: at,
    label: days ? format.date(at.slice(0, 10), 'short') : format.clock(at),
    title: format.instant(at),
    values,
    open: Date.parse(at) + step * 1000 > Date.now(),
  };
}

/** Button that shows only the entries of a level, with their number. */
function Level(props: { query: ListQuery; level: (typeof LEVELS)[number] | undefined; label: string; count: string }) {
  const { query, level, label, count } = props;
  const chosen = query.filters['level'] === level;
  return (
    <Button
      size="compact-sm"
      radius="xl"
      variant={chosen ? 'light' : 'default'}
      aria-pressed={chosen}
      onClick={() => query.set({ level })}
      leftSection={
        level && (
          <span
            aria-hidden
            style={{ width: 8, height: 8, borderRadius: 4, background: HUES[level], forcedColorAdjust: 'none' }}
          />
        )
      }
      rightSection={
        <Text span size="xs" c="dimmed">
          {count}
        </Text>
      }
    >
      {label}
    </Button>
  );
}

/** Choice of a period that ends now, or the way back from one that was chosen in the chart. */
function Period({ query, narrowed }: { query: ListQuery; narrowed: boolean }) {
  const { t } = useTranslation();
  const { since, until, from, to } = query.filters;
  const rest = { until: undefined, from: undefined, to: undefined };
  const hours = since && !until && !from && !to ? Math.round((Date.now() - Date.parse(since)) / 3_600_000) : undefined;
  const value = narrowed ? String(HOURS.find((each) => each === hours) ?? '') : String(USUAL);
  return (
    <Group gap="xs">
      {narrowed && (
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconZoomOut size={16} stroke={1.6} aria-hidden />}
          onClick={() => query.set({ since: undefined, ...rest })}
        >
          {t('logs.whole')}
        </Button>
      )}
      <SegmentedControl
        size="xs"
        aria-label={t('report.period')}
        data={HOURS.map((each) => ({ value: String(each), label: t(`logs.hours_${each}`) }))}
        value={value}
        onChange={(chosen) => {
          const moment = new Date(Date.now() - Number(chosen) * 3_600_000).toISOString();
          query.set({ since: Number(chosen) === USUAL ? undefined : moment, ...rest });
        }}
      />
    </Group>
  );
}

/** The messages that occur most in the period. Each leads to its entries. */
function Messages({ query, messages }: { query: ListQuery; messages: Figures['messages'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (messages.length < 2) return null;
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed">
        {t('logs.frequent')}
      </Text>
      {messages.map(({ message, count }) => (
        <Group key={message} gap="sm" wrap="nowrap" justify="space-between">
          <Anchor
            component="button"
            type="button"
            size="sm"
            ta="start"
            style={{ overflowWrap: 'anywhere' }}
            onClick={() => query.set({ search: message.slice(0, 100) })}
          >
            {message}
          </Anchor>
          <Text span size="sm" c="dimmed">
            {format.integer(count)}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

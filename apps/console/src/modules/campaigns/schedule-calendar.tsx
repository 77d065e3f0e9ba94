import { campaignCalendar } from '@heliograph/contract/campaigns/campaign';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { ActionIcon, Anchor, Group, Paper, Skeleton, Text, Title } from '@mantine/core';
import { IconChevronLeft, IconChevronRight, IconRepeat } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type CSSProperties, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat, useZone } from '../../platform/format.ts';
import { languageTag } from '../../platform/language.ts';
import { useMay } from '../../platform/session.ts';
import { LoadError } from '../../resource/load-error.tsx';
import { Link } from '../../ui/link.tsx';
import { CAMPAIGN_COLORS } from '../../ui/state-colors.ts';
import classes from './schedule-calendar.module.css';

type Entry = ReplyOf<typeof campaignCalendar>['data'][number];

const DAY_MS = 86_400_000;

/** Returns the days of a month such as 2026-02, each as 2026-02-28. */
function daysOf(month: string): string[] {
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const days = Array.from({ length: 31 }, (_, i) => new Date(first + i * DAY_MS).toISOString().slice(0, 10));
  return days.filter((day) => day.startsWith(month));
}

const shift = (month: string, by: number) => {
  const date = new Date(`${month}-01T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() + by);
  return date.toISOString().slice(0, 7);
};

/** Calendar of a month's campaigns, day by day. It includes the future campaigns of series. */
export function ScheduleCalendar() {
  const { t } = useTranslation();
  const format = useFormat();
  const zone = useZone();
  const dayOf = (moment: string | Date) =>
    new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: zone }).format(new Date(moment));
  const today = dayOf(new Date());
  const [month, setMonth] = useState(today.slice(0, 7));
  // One more day at each end, so that the month of every time zone is included.
  const from = new Date(Date.parse(`${month}-01T00:00:00Z`) - DAY_MS).toISOString();
  const to = new Date(Date.parse(`${shift(month, 1)}-01T00:00:00Z`) + DAY_MS).toISOString();
  const read = useQuery({
    queryKey: ['campaigns', 'calendar', from, to],
    queryFn: ({ signal }) => call(campaignCalendar, { query: { from, to }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  });
  if (read.error && !read.data) return <LoadError error={read.error} retry={() => void read.refetch()} />;
  if (!read.data) return <Skeleton h={320} radius="lg" />;
  const byDay = Map.groupBy(read.data.data, ({ starts_at }) => dayOf(starts_at));
  const days = daysOf(month);
  const before = (new Date(`${days[0]}T00:00:00Z`).getUTCDay() + 6) % 7;
  return (
    <Paper className="app-card" p={{ base: 12, xs: 20 }}>
      <Group justify="space-between" mb="md" wrap="nowrap">
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('schedule.earlier')}
          onClick={() => setMonth(shift(month, -1))}
        >
          <IconChevronLeft size={18} />
        </ActionIcon>
        <Title order={2} size="h4" aria-live="polite">
          {format.month(month)}
        </Title>
        <ActionIcon
          variant="default"
          size={36}
          aria-label={t('schedule.later')}
          onClick={() => setMonth(shift(month, 1))}
        >
          <IconChevronRight size={18} />
        </ActionIcon>
      </Group>
      <ol className={classes.month}>
        {days.map((day, at) => {
          const entries = byDay.get(day) ?? [];
          return (
            <li
              key={day}
              className={`${classes.day} ${entries.length === 0 ? classes.empty : ''}`}
              style={at === 0 ? ({ '--first': before + 1 } as CSSProperties) : undefined}
              {...(day === today ? { 'aria-current': 'date' } : {})}
            >
              <Text size="xs" c="dimmed" className={classes.number ?? ''}>
                {format.date(day, 'short')}
              </Text>
              {entries.filter(isToCome).map((entry) => (
                <CalendarEntry key={keyOf(entry)} entry={entry} zone={zone} />
              ))}
              <PastEntries entries={entries.filter((entry) => !isToCome(entry))} zone={zone} />
            </li>
          );
        })}
      </ol>
      <Text size="xs" c="dimmed" mt="sm">
        {t('schedule.zone', { zone: zone.replaceAll('_', ' ') })}
      </Text>
    </Paper>
  );
}

const keyOf = ({ campaign_id, series_id, starts_at }: Entry) => `${campaign_id} ${series_id} ${starts_at}`;

/** States of campaigns that still send, or will. Others are the past, which must not hide what is to come. */
const LIVE: ReadonlySet<string> = new Set(['preparing', 'pending', 'scheduled', 'running', 'paused']);
const isToCome = ({ state }: Entry) => state === null || LIVE.has(state);

/** Campaigns of a day that have ended, folded into one line. */
function PastEntries({ entries, zone }: { entries: readonly Entry[]; zone: string }) {
  const { t } = useTranslation();
  if (entries.length === 0) return null;
  return (
    <details className={classes.past}>
      <summary>{t('schedule.past', { count: entries.length })}</summary>
      {entries.map((entry) => (
        <CalendarEntry key={keyOf(entry)} entry={entry} zone={zone} />
      ))}
    </details>
  );
}

function CalendarEntry({ entry, zone }: { entry: Entry; zone: string }) {
  const { t } = useTranslation();
  const mayShow = useMay('campaigns-show');
  const time = new Intl.DateTimeFormat(languageTag(), { timeStyle: 'short', timeZone: zone }).format(
    new Date(entry.starts_at),
  );
  const color = entry.state ? (CAMPAIGN_COLORS[entry.state] ?? 'gray') : 'gray';
  return (
    <div className={classes.entry} style={{ borderInlineStartColor: `var(--mantine-color-${color}-6)` }}>
      <Text size="xs" component="span">
        {time}
      </Text>{' '}
      {entry.campaign_id !== null && mayShow ? (
        <Anchor component={Link} to={`/campaign-history/${entry.campaign_id}`} size="xs">
          {entry.name}
        </Anchor>
      ) : (
        <Text size="xs" component="span">
          {entry.name}
        </Text>
      )}
      <Text size="xs" c="dimmed" component="div">
        {entry.state ? (
          t(`campaign_state.${entry.state}`)
        ) : (
          <>
            <IconRepeat size={12} aria-hidden /> {t('schedule.to_come')}
          </>
        )}
      </Text>
    </div>
  );
}

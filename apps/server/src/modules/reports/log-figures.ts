import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { applicationLogFigures } from '@heliograph/contract/reports/application-log';
import { sql } from 'kysely';
import type { Context } from '#platform/context';
import { momentsOf } from '#platform/records/period';
import { conditionOf, type Filters, readerOf } from './application-logs.ts';

type Figures = ReplyOf<typeof applicationLogFigures>['data'];
type Levels = Figures['totals'];

const DAY_S = 86_400;
/** Period without a filter, and the longest one: older entries are not kept. */
const USUAL_S = DAY_S;
const LONGEST_S = 14 * DAY_S;
/** Seconds that a bar may cover. */
const STEPS = [10, 60, 300, 1800, 3600, 3 * 3600, 6 * 3600] as const;
const MOST_BARS = 60;
const MOST_MESSAGES = 3;

const none = (): Levels => ({ info: 0, warn: 0, error: 0, fatal: 0 });

/** Returns the first and the last second of the bars, and the seconds of each. */
function scaleOf(filters: Filters, timezone: string, now: number): { start: number; end: number; step: number } {
  const { from, to, since, until } = filters;
  const seconds = (moment: string) => Math.floor(Date.parse(moment) / 1000);
  const ends = [now, to && seconds(momentsOf({ from: to, to }, timezone).end), until && seconds(until)];
  // Years that the database cannot write are far outside of what is kept.
  const kept = (second: number) => Math.min(Math.max(second, now - LONGEST_S), now);
  const end = kept(Math.min(...ends.filter((each) => typeof each === 'number')));
  const starts = [from && seconds(momentsOf({ from, to: from }, timezone).start), since && seconds(since)];
  const given = starts.filter((each) => typeof each === 'number');
  const usual = to || until ? LONGEST_S : USUAL_S;
  const start = kept(given.length > 0 ? Math.max(...given) : end - usual);
  const step = STEPS.find((each) => (end - start) / each <= MOST_BARS) ?? STEPS.at(-1)!;
  return { start: Math.floor(start / step) * step, end: Math.max(end, start + 1), step };
}

/** Counts the log entries of a selection by time and level, and names the most frequent messages. */
export async function logFigures(ctx: Context, filters: Filters): Promise<{ data: Figures }> {
  const timezone = await readerOf(ctx, filters);
  const { start, end, step } = scaleOf(filters, timezone, Math.ceil(ctx.clock.now().getTime() / 1000));
  const within = sql<boolean>`logged_at >= to_timestamp(${start}) AND logged_at < to_timestamp(${end})`;
  const { level: _, ...others } = filters;
  const { rows: counts } = await sql<{ at: number; level: keyof Levels; count: number }>`
    SELECT (floor(extract(epoch FROM logged_at) / ${step}::int) * ${step}::int)::float8 AS at, level, count(*)::int AS count
    FROM application_log WHERE ${within} AND ${conditionOf(ctx, others, timezone)} GROUP BY 1, 2`.execute(ctx.db);
  const { rows: messages } = await sql<Figures['messages'][number]>`
    SELECT message, count(*)::int AS count FROM application_log WHERE ${within} AND ${conditionOf(ctx, filters, timezone)}
    GROUP BY message ORDER BY count(*) DESC, message LIMIT ${MOST_MESSAGES}`.execute(ctx.db);
  const totals = none();
  const bars = new Map<number, Levels>();
  for (let at = start; at < end; at += step) bars.set(at, none());
  for (const { at, level, count } of counts) {
    totals[level] += count;
    const bar = bars.get(at);
    if (bar) bar[level] += count;
  }
  const instant = (second: number) => new Date(second * 1000).toISOString();
  return {
    data: {
      since: instant(start),
      until: instant(end),
      step,
      totals,
      bars: [...bars].map(([at, levels]) => ({ at: instant(at), ...levels })),
      messages,
    },
  };
}

import type { calendarRow } from '@heliograph/contract/campaigns/campaign';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import { scheduleOf } from './plan-schedule.ts';
import { occurrenceOf } from './wall-time.ts';

type Row = z.input<typeof calendarRow>;

const LONGEST_MS = 62 * 86_400_000;
/** Maximum rows; a calendar cannot show more. */
const MOST = 1_000;

/** Returns the campaigns that ran, run or will run in a period: existing ones, and those that series will make. */
export async function calendar(ctx: Context, { from, to }: { from: string; to: string }): Promise<Row[]> {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  if (end < start) throw fieldError('to', 'date_order');
  if (end - start > LONGEST_MS) throw fieldError('to', 'too_long', { count: 62 });
  const { rows } = await sql<Row>`
    SELECT c.id AS campaign_id, c.series_id, c.name, c.state, coalesce(c.started_at, c.starts_at) AS starts_at, c.ends_at,
      o.timezone, c.total_count
    FROM campaign c JOIN corporation o ON o.id = c.corporation_id
    WHERE (c.started_at >= ${from} AND c.started_at < ${to})
      OR (c.started_at IS NULL AND c.starts_at >= ${from} AND c.starts_at < ${to}
        AND c.state IN ('preparing', 'pending', 'scheduled'))
    ORDER BY starts_at, c.id LIMIT ${MOST}`.execute(ctx.db);
  return [...rows, ...(await occurrences(ctx, start, end))].sort((a, b) => a.starts_at.localeCompare(b.starts_at));
}

async function occurrences(ctx: Context, start: number, end: number): Promise<Row[]> {
  const series = await ctx.db
    .selectFrom('campaign_series')
    .innerJoin('corporation', 'corporation.id', 'campaign_series.corporation_id')
    .select(['campaign_series.id', 'campaign_series.name', 'schedule', 'next_occurrence', 'corporation.timezone'])
    .where('state', '!=', 'ended')
    .where('next_at', '<', new Date(end).toISOString())
    .limit(MOST)
    .execute();
  return series.flatMap(({ id, name, schedule, next_occurrence, timezone }) => {
    const rows: Row[] = [];
    for (let n = next_occurrence; rows.length < MOST; n++) {
      const found = occurrenceOf(scheduleOf({ schedule }), timezone, n);
      if (!found || found.starts_at.getTime() >= end) break;
      if (found.starts_at.getTime() < start) continue;
      rows.push({
        campaign_id: null,
        series_id: id,
        name,
        state: null,
        starts_at: found.starts_at.toISOString(),
        ends_at: found.ends_at?.toISOString() ?? null,
        timezone,
        total_count: null,
      });
    }
    return rows;
  });
}

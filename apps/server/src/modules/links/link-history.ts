import {
  LINK_PERIOD_MINUTES,
  LINK_PERIODS,
  type linkHistory,
  type linkPulses,
} from '@heliograph/contract/links/link-history';
import { sql } from 'kysely';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';

const SUMMED = ['submitted', 'accepted', 'throttled', 'failed', 'unanswered', 'delivered', 'undelivered'] as const;
type Point = Record<(typeof SUMMED)[number], number> & { at: string; response_ms: number | null };
const MINUTE_MS = 60_000;
/** Maximum number of codes of errors that are shown. */
const MOST = 8;

/** Returns the points of a link's charts, with zeros where nothing was recorded. */
export const showLinkHistory: Handler<typeof linkHistory> = async (ctx, { params, query }) => {
  const found = await ctx.db.selectFrom('link_row').select('id').where('id', '=', params.id).executeTakeFirst();
  if (!found) throw new BusinessError('not_found');
  const minutes = LINK_PERIODS[query.period];
  const step = minutes * MINUTE_MS;
  const last = Math.floor(ctx.clock.now().getTime() / step) * step;
  const first = last - (LINK_PERIOD_MINUTES[query.period] / minutes - 1) * step;
  const since = new Date(first).toISOString();
  const { rows } = await sql<Point>`
    SELECT date_bin(${`${minutes} minutes`}::interval, minute, 'epoch') AS at,
      ${sql.raw(SUMMED.map((count) => `sum(${count})::int AS ${count}`).join(', '))},
      round(sum(response_ms)::numeric / nullif(sum(answers), 0), 1)::float8 AS response_ms
    FROM link_minute WHERE link_id = ${params.id} AND minute >= ${since} GROUP BY 1`.execute(ctx.db);
  const { rows: errors } = await sql<{ code: string; count: number }>`
    SELECT e.key AS code, sum(e.value::int)::int AS count FROM link_minute m, jsonb_each_text(m.errors) e
    WHERE m.link_id = ${params.id} AND m.minute >= ${since} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MOST}`.execute(
    ctx.db,
  );
  const byTime = new Map(rows.map((row) => [Date.parse(row.at), row]));
  const none = Object.fromEntries(SUMMED.map((count) => [count, 0])) as Record<(typeof SUMMED)[number], number>;
  const points = Array.from({ length: Math.round((last - first) / step) + 1 }, (_, place) => {
    const at = first + place * step;
    return { ...none, response_ms: null, ...byTime.get(at), at: new Date(at).toISOString() };
  });
  return { data: { minutes, points, errors } };
};

/** Returns the course of all links over the last hour. Links without traffic are left out. */
export const showLinkPulses: Handler<typeof linkPulses> = async (ctx) => {
  const minutes = LINK_PERIOD_MINUTES.hour;
  const last = Math.floor(ctx.clock.now().getTime() / MINUTE_MS);
  const first = last - minutes + 1;
  const { rows } = await sql<{ id: number; minute: string; accepted: number }>`
    SELECT m.link_id AS id, m.minute, m.accepted FROM link_minute m JOIN link_row l ON l.id = m.link_id
    WHERE m.minute >= ${new Date(first * MINUTE_MS).toISOString()} AND m.accepted > 0`.execute(ctx.db);
  const byLink = new Map<number, number[]>();
  for (const { id, minute, accepted } of rows) {
    const course = byLink.get(id) ?? Array.from({ length: minutes }, () => 0);
    const place = Math.floor(Date.parse(minute) / MINUTE_MS) - first;
    if (place < minutes) course[place]! += accepted;
    byLink.set(id, course);
  }
  return { data: [...byLink].map(([id, accepted]) => ({ id, accepted })) };
};

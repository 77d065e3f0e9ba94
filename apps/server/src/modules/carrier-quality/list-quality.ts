import type {
  carrierQuality,
  carrierQualityDecisions,
  carrierQualityHistory,
} from '@heliograph/contract/carrier-quality/carrier-quality';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { SENDER_KINDS, type SenderKind } from '@heliograph/contract/senders/sender-id';
import { type RawBuilder, sql } from 'kysely';
import { type Context, requirePlatform } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { homeOf } from '#platform/person/home';
import { checkPeriod, dateIn, momentsOf } from '#platform/records/period';
import { type Counts, percentile, usualOf } from './judge.ts';
import { SUMMED_LATENCIES } from './quality-sums.ts';

/** Days of a list that names no period. */
const USUAL_DAYS = 7;
/** Days up to which a course has a point for each hour. */
const HOURLY_DAYS = 2;
const DAY_MS = 86_400_000;

type Filters = Pick<QueryOf<typeof carrierQualityHistory>, 'link_id' | 'network_id' | 'sender_kind' | 'from' | 'to'>;
type Place = Pick<
  ReplyOf<typeof carrierQuality>['data'][number],
  'link_id' | 'link_name' | 'network_id' | 'network_name' | 'sender_kind'
>;

const SUMS =
  sql.raw(`sum(q.accepted)::float8 AS accepted, sum(q.refused)::float8 AS refused, sum(q.delivered)::float8 AS delivered,
  sum(q.undelivered)::float8 AS undelivered, ${SUMMED_LATENCIES}::float8[] AS latencies`);
const PLACE = sql.raw(
  `q.link_id, k.name AS link_name, q.network_id, n.name || ' (' || n.country || ')' AS network_name, q.sender_kind`,
);
const NAMED = sql.raw('JOIN link k ON k.id = q.link_id LEFT JOIN network n ON n.id = q.network_id');

function conditions({ link_id, network_id, sender_kind }: Filters): RawBuilder<unknown> {
  const all = [sql`true`];
  if (link_id !== undefined) all.push(sql`q.link_id = ${link_id}`);
  if (network_id !== undefined) all.push(sql`q.network_id = ${network_id}`);
  if (sender_kind !== undefined) all.push(sql`q.sender_kind = ${sender_kind}`);
  return sql.join(all, sql` AND `);
}

/** Returns the moments of a list's period, and its days. */
async function periodOf(ctx: Context, { from, to }: Filters) {
  const { timezone } = await homeOf(ctx);
  const now = ctx.clock.now();
  const today = dateIn(timezone, now);
  if ((from === undefined) !== (to === undefined)) throw fieldError(from ? 'to' : 'from', 'required');
  const period =
    from && to
      ? { from, to }
      : { from: dateIn(timezone, new Date(now.getTime() - (USUAL_DAYS - 1) * DAY_MS)), to: today };
  checkPeriod(period, today);
  const days = Temporal.PlainDate.from(period.from).until(period.to).days + 1;
  return { ...momentsOf(period, timezone), days, timezone };
}

function figuresOf(counts: Counts) {
  const { messages, rate, refused, unreported, p95_ms } = usualOf(counts);
  const shown = (value: number) => (messages === 0 ? null : value);
  return {
    ...{
      messages,
      delivered: counts.delivered,
      rate: shown(rate),
      refused: shown(refused),
      unreported: shown(unreported),
    },
    ...{ p50_ms: percentile(counts.latencies, 0.5), p95_ms },
  };
}

/** Returns a number that is the same for the same place. */
const idOf = ({ link_id, network_id, sender_kind }: Place): number =>
  (link_id * 1_000_000 + network_id) * SENDER_KINDS.length + SENDER_KINDS.indexOf(sender_kind);

function offsetOf(cursor: string | undefined): number {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) throw new BusinessError('malformed_request');
  return Number(cursor ?? 0);
}

/** Returns links with their quality by network and kind of sender, the most messages first. */
export async function qualityPage(
  ctx: Context,
  query: QueryOf<typeof carrierQuality>,
): Promise<ReplyOf<typeof carrierQuality>> {
  requirePlatform(ctx.caller);
  const { limit, cursor, state } = query;
  const { start, end } = await periodOf(ctx, query);
  const offset = offsetOf(cursor);
  const { rows } = await sql<
    Place & Counts & { state: Row['state'] | null; since: string | null; cause: Row['cause'] }
  >`
    SELECT ${PLACE}, w.state, w.since, w.cause, ${SUMS}
    FROM carrier_quality q ${NAMED}
    LEFT JOIN carrier_quality_now w ON w.link_id = q.link_id AND w.network_id = q.network_id AND w.sender_kind = q.sender_kind
    WHERE q.slot >= ${start} AND q.slot < ${end} AND ${conditions(query)}
      AND ${state === undefined ? sql`true` : sql`coalesce(w.state, 'good') = ${state}`}
    GROUP BY q.link_id, k.name, q.network_id, n.name, n.country, q.sender_kind, w.state, w.since, w.cause
    ORDER BY sum(q.accepted + q.refused) DESC, q.link_id, q.network_id, q.sender_kind
    LIMIT ${limit + 1} OFFSET ${offset}`.execute(ctx.db);
  const data = rows.slice(0, limit).map(({ accepted, refused, delivered, undelivered, latencies, since, ...row }) => ({
    ...row,
    id: idOf(row),
    state: row.state ?? ('good' as const),
    state_since: since,
    ...figuresOf({ accepted, refused, delivered, undelivered, latencies }),
  }));
  const has_more = rows.length > limit;
  return { data, next_cursor: has_more ? String(offset + limit) : null, has_more };
}
type Row = ReplyOf<typeof carrierQuality>['data'][number];

/** Returns the course of the quality over a period. */
export async function qualityHistory(
  ctx: Context,
  query: QueryOf<typeof carrierQualityHistory>,
): Promise<ReplyOf<typeof carrierQualityHistory>> {
  requirePlatform(ctx.caller);
  const { start, end, days, timezone } = await periodOf(ctx, query);
  const step = days <= HOURLY_DAYS ? ('hour' as const) : ('day' as const);
  const { rows } = await sql<Counts & { at: string }>`
    SELECT date_trunc(${step}, q.slot, ${timezone}) AS at, ${SUMS} FROM carrier_quality q JOIN link k ON k.id = q.link_id
    WHERE q.slot >= ${start} AND q.slot < ${end} AND ${conditions(query)} GROUP BY 1 ORDER BY 1`.execute(ctx.db);
  return { data: { step, points: rows.map(({ at, ...counts }) => ({ at, ...figuresOf(counts) })) } };
}

/** Returns the decisions about links, newest first. */
export async function decisionPage(
  ctx: Context,
  query: QueryOf<typeof carrierQualityDecisions>,
): Promise<ReplyOf<typeof carrierQualityDecisions>> {
  requirePlatform(ctx.caller);
  const { limit, cursor } = query;
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  const { rows } = await sql<ReplyOf<typeof carrierQualityDecisions>['data'][number] & { sender_kind: SenderKind }>`
    SELECT q.id, q.decided_at, ${PLACE}, q.state, q.cause, q.messages, q.rate / 10000.0::float8 AS rate,
      q.usual_rate / 10000.0::float8 AS usual_rate, q.p95_ms, q.usual_p95_ms
    FROM carrier_quality_decision q ${NAMED}
    WHERE ${conditions(query)} AND ${cursor === undefined ? sql`true` : sql`q.id < ${cursor}`}
    ORDER BY q.id DESC LIMIT ${limit + 1}`.execute(ctx.db);
  const data = rows.slice(0, limit);
  const has_more = rows.length > limit;
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
}

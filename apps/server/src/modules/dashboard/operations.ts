import { OPERATIONS_MINUTES, OPERATIONS_RECENT, type operations } from '@heliograph/contract/dashboard/operations';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { linkLive } from '@heliograph/contract/links/link';
import { sql } from 'kysely';
import type { z } from 'zod';
import type { Context } from '#platform/context';

type Reply = ReplyOf<typeof operations>;
type Link = Reply['links'][number];
const MINUTE_MS = 60_000;
/** Maximum number of codes of errors that are shown. */
const MOST = 6;

async function linksOf(ctx: Context, first: Date): Promise<Link[]> {
  const rows = await ctx.db
    .selectFrom('link_row')
    .select(['id', 'name', 'state', 'state_since', 'holder', 'live', 'binds'])
    .where('state', '<>', 'disabled')
    .where('for_tests', '=', false)
    .orderBy('name')
    .execute();
  const { rows: minutes } = await sql<{ link_id: number; place: number; submitted: number }>`
    SELECT link_id, (extract(epoch FROM minute - ${first.toISOString()}::timestamptz) / 60)::int AS place, submitted
    FROM link_minute WHERE minute >= ${first.toISOString()}`.execute(ctx.db);
  return rows.map(({ id, name, state, state_since, holder, live: told, binds }) => {
    const live = holder === null ? null : (told as z.output<typeof linkLive> | null);
    const series = new Array<number>(OPERATIONS_MINUTES).fill(0);
    for (const { link_id, place, submitted } of minutes)
      if (link_id === id && place >= 0 && place < OPERATIONS_MINUTES) series[place] = submitted;
    return {
      id: id!,
      name: name!,
      state: state as Link['state'],
      since: state_since,
      bound: live?.sessions.bound ?? 0,
      wanted: live?.sessions.wanted ?? binds ?? 0,
      accepted: live?.minute.accepted ?? 0,
      minutes: series,
    };
  });
}

/** Returns the messages that may leave now. Only the index of open chunks is read; a chunk has up to 1,000 messages. */
async function queueOf({ db }: Context): Promise<Reply['queue']> {
  const { rows } = await sql<Reply['queue']>`
    SELECT coalesce(sum(k.size - k.cursor), 0)::bigint AS waiting, min(greatest(k.created_at, c.started_at, k.not_before)) AS since
    FROM chunk k LEFT JOIN campaign c ON c.id = k.campaign_id
    WHERE k.state = 'open' AND (k.campaign_id IS NULL OR c.state = 'running')
      AND (k.not_before IS NULL OR k.not_before <= now()) AND k.size > k.cursor`.execute(db);
  return rows[0]!;
}

type Receipts = Reply['receipts'];

async function recentOf(ctx: Context, now: Date) {
  const since = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS).toISOString();
  const [recent, before] = [since(OPERATIONS_RECENT), since(2 * OPERATIONS_RECENT)];
  const { rows } = await sql<Receipts & { recent: boolean; refused: number }>`
    SELECT minute >= ${recent} AS recent, sum(delivered)::int AS delivered, sum(undelivered)::int AS undelivered,
      sum(throttled + failed)::int AS refused
    FROM link_minute WHERE minute >= ${before} GROUP BY 1`.execute(ctx.db);
  const { rows: errors } = await sql<{ code: string; count: number }>`
    SELECT e.key AS code, sum(e.value::int)::int AS count FROM link_minute m, jsonb_each_text(m.errors) e
    WHERE m.minute >= ${recent} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MOST}`.execute(ctx.db);
  const of = (isRecent: boolean) => rows.find((row) => row.recent === isRecent);
  const receipts = (isRecent: boolean): Receipts => ({
    delivered: of(isRecent)?.delivered ?? 0,
    undelivered: of(isRecent)?.undelivered ?? 0,
  });
  return {
    receipts: receipts(true),
    receipts_before: receipts(false),
    errors,
    refused: of(true)?.refused ?? 0,
    refused_before: of(false)?.refused ?? 0,
  };
}

/** Shows what an operator watches, as it is now. */
export async function showOperations(ctx: Context): Promise<Reply> {
  const now = ctx.clock.now();
  const first = new Date((Math.floor(now.getTime() / MINUTE_MS) - OPERATIONS_MINUTES) * MINUTE_MS);
  const links = await linksOf(ctx, first);
  const { rows: nodes } = await sql<Reply['nodes'][number]>`
    SELECT kind, count(*) FILTER (WHERE state <> 'silent')::int AS live, count(*) FILTER (WHERE state = 'silent')::int AS silent
    FROM node_row GROUP BY kind ORDER BY kind`.execute(ctx.db);
  return {
    parts_per_second: Math.round(links.reduce((sum, { accepted }) => sum + accepted, 0) / 6) / 10,
    from: first.toISOString(),
    links,
    queue: await queueOf(ctx),
    ...(await recentOf(ctx, now)),
    nodes,
  };
}

import type {
  callbackLog,
  messageCallbacks,
  replayCallback,
  replayCallbacks,
} from '@heliograph/contract/callbacks/callback';
import type { EventType } from '@heliograph/contract/kernel/events';
import { sql } from 'kysely';
import { type Attempt, replayDelivery, webhookId } from '#modules/http-deliveries';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import type { Retention } from '#platform/jobs/retention';
import { tellWork } from '#platform/jobs/work-watch';
import { findEndpoint } from './endpoints.ts';

const OF_MESSAGE = 50;
const REPLAYED_AT_ONCE = 50_000;

const KEPT_DAYS = 7;

/** Retention of events, callbacks and the secrets that they were signed with. */
export const callbackRetention: readonly Retention[] = [
  {
    table: 'http_delivery',
    partition: 'callback',
    days: KEPT_DAYS,
    since: 'created_at',
    rows: 10_000,
    inOrder: true,
  },
  { table: 'event', days: KEPT_DAYS, since: 'created_at', order: ['tx', 'id'], rows: 10_000, inOrder: true },
  { table: 'callback_secret', days: KEPT_DAYS, since: 'expires_at', rows: 10_000 },
];

const calls = (ctx: Context) =>
  ctx.db
    .selectFrom('http_delivery as c')
    .innerJoin('callback_endpoint as e', 'e.id', 'c.callback_endpoint_id')
    .select([
      'c.id',
      'e.id as callback_endpoint_id',
      'c.event_id',
      'c.type',
      'c.test',
      'c.message_id',
      'c.body',
      'c.state',
      'c.tries',
      'c.next_at',
      'c.created_at',
      'c.done_at',
      'c.attempts',
    ])
    .select(sql<string | null>`coalesce(c.url, e.url)`.as('url'))
    .where('c.kind', '=', 'callback')
    .$narrowType<{ event_id: number; type: EventType; body: string; next_at: string }>();

type Row = Awaited<ReturnType<ReturnType<typeof calls>['execute']>>[number];

/** Hides texts from callers who may not read texts. A receiver's answer may quote the text, so it is hidden as well. */
function shown(ctx: Context, { event_id, ...row }: Row) {
  const readable = row.type !== 'message.received' || ctx.caller.content_visible;
  return {
    ...row,
    webhook_id: webhookId(event_id),
    state: row.state as 'waiting' | 'done' | 'failed',
    body: readable ? row.body : null,
    attempts: (row.attempts as unknown as Attempt[]).map((each) => (readable ? each : { ...each, answer: '' })),
  };
}

/** Lists the callbacks of an endpoint, the newest first. */
export const listCallbacks: Handler<typeof callbackLog> = async (ctx, { params, query }) => {
  const { limit, cursor, state, type, search } = query;
  if (cursor !== undefined && !/^\d{1,16}$/.test(cursor)) throw fieldError('cursor', 'invalid');
  const { id } = await findEndpoint(ctx, params.id);
  const number = search === undefined ? undefined : /^(?:evt_)?(\d{1,15})$/.exec(search)?.[1];
  if (search && !number) return { data: [], next_cursor: null, has_more: false };
  const rows = await calls(ctx)
    .where('c.callback_endpoint_id', '=', id)
    .$if(cursor !== undefined, (q) => q.where('c.id', '<', Number(cursor)))
    .$if(state !== undefined, (q) => q.where('c.state', '=', state!))
    .$if(type !== undefined, (q) => q.where('c.type', '=', type!))
    .$if(number !== undefined, (q) =>
      q.where((eb) => eb.or([eb('c.message_id', '=', Number(number)), eb('c.event_id', '=', Number(number))])),
    )
    .orderBy('c.id', 'desc')
    .limit(limit + 1)
    .execute();
  const has_more = rows.length > limit;
  const data = rows.slice(0, limit).map((row) => shown(ctx, row));
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
};

/** Lists the callbacks about one message. */
export const callbacksOfMessage: Handler<typeof messageCallbacks> = async (ctx, { params }) => {
  const { rows: found } = await sql`
    SELECT FROM message m JOIN chunk k ON k.id = m.id >> 10 WHERE m.id = ${params.id}`.execute(ctx.db);
  if (found.length === 0) throw new BusinessError('not_found');
  const rows = await calls(ctx)
    .where('c.message_id', '=', params.id)
    .orderBy('c.id', 'desc')
    .limit(OF_MESSAGE)
    .execute();
  return { data: rows.map((row) => shown(ctx, row)) };
};

async function noted(ctx: Context, endpointId: number, corporation_id: number, description: string, after?: object) {
  await tellWork(ctx.db);
  await audit(ctx, {
    name: 'callbacks',
    description,
    subject_type: 'callbacks',
    subject_id: endpointId,
    corporation_id,
    ...(after && { after }),
  });
}

/** Sends one callback again, whatever its outcome was. */
export const replayOne: Handler<typeof replayCallback> = async (ctx, { params }) => {
  const { id, callback_endpoint_id, corporation_id } = await replayDelivery(ctx, 'callback', params.id);
  await noted(ctx, callback_endpoint_id!, corporation_id, 'callback replayed');
  return { data: { id } };
};

/** Sends the callbacks of a period again. */
export const replayRange: Handler<typeof replayCallbacks> = async (ctx, { params, body }) => {
  const endpoint = await findEndpoint(ctx, params.id);
  const states = body.state === 'all' ? ['failed', 'done'] : [body.state];
  const { rows } = await sql<{ replayed: number }>`
    WITH chosen AS (
      SELECT id FROM http_delivery WHERE kind = 'callback' AND callback_endpoint_id = ${endpoint.id} AND NOT test AND state = ANY (${states}::text[])
        AND created_at >= ${body.from}::timestamptz AND created_at < ${body.to}::timestamptz
      ORDER BY id LIMIT ${REPLAYED_AT_ONCE} FOR UPDATE
    ), begun AS (
      UPDATE http_delivery d SET state = 'waiting', tries = 0, next_at = now(), done_at = NULL FROM chosen
      WHERE d.kind = 'callback' AND d.id = chosen.id
      RETURNING 1
    ) SELECT count(*)::int AS replayed FROM begun`.execute(ctx.db);
  const { replayed } = rows[0]!;
  await noted(ctx, endpoint.id, endpoint.corporation_id, 'callbacks replayed', { ...body, replayed });
  return { data: { replayed, more: replayed === REPLAYED_AT_ONCE } };
};

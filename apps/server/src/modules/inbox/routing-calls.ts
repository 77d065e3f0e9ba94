import type { replayRoutingCall, routingCalls } from '@heliograph/contract/inbound-routing/routing';
import { sql } from 'kysely';
import { type Attempt, replayDelivery } from '#modules/http-deliveries';
import { audit } from '#platform/access/audit';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import type { Retention } from '#platform/jobs/retention';
import { tellCallers } from './hand-on.ts';
import { MESSAGE } from './inbox-rows.ts';

/** Maximum tries of a call that are shown, the newest ones. */
const SHOWN = 20;

/** Retention of calls that ended, with their tries. The messages stay. */
export const callRetention: Retention = {
  table: 'http_delivery',
  partition: 'routing_call',
  days: 30,
  since: 'created_at',
  when: sql`state <> 'waiting'`,
  rows: 1_000,
  inOrder: true,
};

/** Lists the calls of a routing, with the tries of each. */
export const listCalls: Handler<typeof routingCalls> = async (ctx, { params, query }) => {
  const { limit, cursor, state } = query;
  if (cursor !== undefined && !/^\d{1,16}$/.test(cursor)) throw fieldError('cursor', 'invalid');
  const routing = await ctx.db.selectFrom('routing').select('id').where('id', '=', params.id).executeTakeFirst();
  if (!routing) throw new BusinessError('not_found');
  const calls = await ctx.db
    .selectFrom('http_delivery as l')
    .innerJoin('inbox_message as i', 'i.id', 'l.inbox_message_id')
    .select([
      'l.id',
      'i.id as inbox_message_id',
      'i.oa',
      MESSAGE.as('message'),
      'l.state',
      'l.tries',
      'l.next_at',
      'l.created_at',
      'l.done_at',
      'l.attempts',
    ])
    .where('l.kind', '=', 'routing_call')
    .where('l.routing_id', '=', routing.id)
    .$if(cursor !== undefined, (q) => q.where('l.id', '<', Number(cursor)))
    .$if(state !== undefined, (q) => q.where('l.state', '=', state!))
    .orderBy('l.id', 'desc')
    .limit(limit + 1)
    .execute();
  const has_more = calls.length > limit;
  if (has_more) calls.pop();
  const data = calls.map((call) => ({
    ...call,
    state: call.state as 'waiting' | 'done' | 'failed',
    next_at: call.state === 'waiting' ? call.next_at : null,
    done_at: call.state === 'done' ? call.done_at : null,
    message: ctx.caller.content_visible ? call.message : null,
    attempts: (call.attempts as unknown as Attempt[])
      .map(({ at, status, fault, ms, answer }, i) => ({
        id: i + 1,
        created_at: at,
        status,
        fault,
        duration_ms: ms,
        answer: ctx.caller.content_visible ? answer || null : null,
      }))
      .toReversed()
      .slice(0, SHOWN),
  }));
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
};

/** Makes a call again, whatever its outcome was. */
export const replayCall: Handler<typeof replayRoutingCall> = async (ctx, { params }) => {
  const call = await replayDelivery(ctx, 'routing_call', params.id);
  await tellCallers(ctx.db);
  await audit(ctx, {
    name: 'routings',
    description: 'call replayed',
    subject_type: 'routings',
    subject_id: call.routing_id!,
    corporation_id: call.corporation_id,
  });
  return { data: { id: call.id } };
};

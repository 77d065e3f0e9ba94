import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import * as contract from '@heliograph/contract/privacy/text-key';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { fingerprintOf } from '#platform/process/key-fingerprint';
import { secretKey } from '#platform/process/seal';
import { newTextKey } from '#platform/text/text-keys';
import { requireWholeCorporation } from './request-rows.ts';

type Row = ReplyOf<typeof contract.textKeys>['data'][number];

/** Mounts the keys with which the texts of messages are encrypted. */
export function textKeyRoutes(app: App): void {
  mount(app, contract.textKeys, async (ctx, { query: { limit, cursor, corporation_id } }) => {
    if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
    const found = await rows(ctx)
      .$if(corporation_id !== undefined, (q) => q.where('k.corporation_id', '=', corporation_id!))
      .$if(cursor !== undefined, (q) => q.where('k.id', '<', Number(cursor)))
      .orderBy('k.id', 'desc')
      .limit(limit + 1)
      .execute();
    const data = found.slice(0, limit) as Row[];
    const has_more = found.length > limit;
    return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
  });
  mount(app, contract.createTextKey, async (ctx, { body: { corporation_id } }) => {
    requireWholeCorporation(ctx);
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    await lockKeys(ctx, corporation_id);
    await keepCurrent(ctx, corporation_id);
    const id = await addKey(ctx, corporation_id);
    return { data: await one(ctx, id) };
  });
  mount(app, contract.stopTextKey, async (ctx, { params }) => {
    const { corporation_id, state } = await locked(ctx, params.id);
    requireWholeCorporation(ctx);
    if (state !== 'current') throw new BusinessError('invalid_transition');
    await keepCurrent(ctx, corporation_id);
    await note(ctx, 'encryption of texts stopped', params.id, corporation_id);
    return { data: await one(ctx, params.id) };
  });
  mount(app, contract.textKeyUse, async (ctx, { params }) => {
    const key = await one(ctx, params.id);
    requireWholeCorporation(ctx);
    return { data: await useOf(ctx, key) };
  });
  mount(app, contract.destroyTextKey, async (ctx, { params, body: { reason } }) => {
    const { corporation_id, state, number } = await locked(ctx, params.id);
    requireWholeCorporation(ctx);
    if (state === 'destroyed') throw new BusinessError('invalid_transition');
    await ctx.db
      .updateTable('text_key')
      .set({
        state: 'destroyed',
        key_sealed: null,
        destroyed_at: ctx.clock.now().toISOString(),
        destroyed_by: ctx.caller.user_id,
        reason,
      })
      .where('id', '=', params.id)
      .execute();
    await note(ctx, 'text key destroyed', params.id, corporation_id, { number, reason });
    // New texts stay encrypted: only a person ends that.
    if (state === 'current') await addKey(ctx, corporation_id);
    return { data: await one(ctx, params.id) };
  });
}

const rows = ({ db }: Context) =>
  db
    .selectFrom('text_key as k')
    .innerJoin('corporation as c', 'c.id', 'k.corporation_id')
    .leftJoin('user_account as u', 'u.id', 'k.added_by')
    .leftJoin('user_account as d', 'd.id', 'k.destroyed_by')
    .select(['k.id', 'k.corporation_id', 'c.name as corporation_name', 'k.number', 'k.state', 'k.created_at'])
    .select(['u.name as created_by_name', 'k.destroyed_at', 'd.name as destroyed_by_name', 'k.reason']);

async function one(ctx: Context, id: number): Promise<Row> {
  const row = await rows(ctx).where('k.id', '=', id).executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row as Row;
}

/** Lets one change of a corporation's keys follow the other, until the transaction ends. */
const lockKeys = ({ db }: Context, corporationId: number) =>
  sql`SELECT pg_advisory_xact_lock(hashtext('text_key'), ${corporationId}::integer)`.execute(db);

async function locked(ctx: Context, id: number): Promise<Row> {
  await lockKeys(ctx, (await one(ctx, id)).corporation_id);
  return one(ctx, id);
}

const keepCurrent = ({ db }: Context, corporationId: number) =>
  db
    .updateTable('text_key')
    .set({ state: 'kept' })
    .where('corporation_id', '=', corporationId)
    .where('state', '=', 'current')
    .execute();

/** Adds a key with the next number, which new texts use. Throws if this process has another key than the installation. */
async function addKey(ctx: Context, corporation_id: number): Promise<number> {
  const recorded = await ctx.db.selectFrom('key_fingerprint').select('fingerprint').executeTakeFirst();
  if (recorded && recorded.fingerprint !== fingerprintOf(secretKey(ctx.config)))
    throw new Error('the key of this process is not that of the installation');
  const { last } = await ctx.db
    .selectFrom('text_key')
    .select((eb) => eb.fn.coalesce(eb.fn.max('number'), sql<number>`0`).as('last'))
    .where('corporation_id', '=', corporation_id)
    .executeTakeFirstOrThrow();
  const number = last + 1;
  const { id } = await ctx.db
    .insertInto('text_key')
    .values({
      corporation_id,
      number,
      state: 'current',
      key_sealed: newTextKey(ctx.config, corporation_id, number),
      added_by: ctx.caller.user_id,
      created_at: ctx.clock.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await note(ctx, 'text key added', id, corporation_id, { number });
  return id;
}

const note = (ctx: Context, description: string, subject_id: number, corporation_id: number, after?: object) =>
  audit(ctx, {
    name: 'privacy',
    description,
    subject_type: 'text-keys',
    subject_id,
    corporation_id,
    ...(after && { after }),
  });

/** Counts what waits under a key: messages in chunks that have not left whole, and campaigns that are not written. */
async function useOf({ db }: Context, { corporation_id, number }: Row) {
  const begins = `\u0002${number}.%`;
  const { rows: found } = await sql<{ messages: number; campaigns: number }>`
    SELECT (SELECT coalesce(sum(k.size - k.cursor), 0)::integer FROM chunk k
        WHERE k.corporation_id = ${corporation_id} AND k.state IN ('open', 'held')
          AND coalesce((SELECT m.text FROM message m WHERE m.id = k.id << 10), k.common_text) LIKE ${begins}) AS messages,
      (SELECT count(*)::integer FROM campaign c WHERE c.corporation_id = ${corporation_id}
        AND c.state IN ('pending', 'preparing') AND c.content ->> 'content' LIKE ${begins})
      + (SELECT count(*)::integer FROM campaign_series s WHERE s.corporation_id = ${corporation_id}
        AND s.state <> 'ended' AND s.content ->> 'content' LIKE ${begins}) AS campaigns`.execute(db);
  return found[0]!;
}

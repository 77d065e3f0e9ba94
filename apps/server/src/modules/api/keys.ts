import { apiKey, type revokeApiKey, type rotateApiKey } from '@heliograph/contract/api/api-key';
import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#platform/access/audit';
import { requireFreshProof } from '#platform/access/fresh-proof';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { Handler, ResourceHandlers } from '#platform/http/http';
import { accountToken } from '#platform/process/account-token';
import { secretKey } from '#platform/process/seal';
import { tableStore } from '#platform/records/table-store';
import { translate } from '#platform/text/i18n';
import { newKey } from './key-material.ts';
import { lastDayColumns } from './last-day.ts';

const stored = tableStore(apiKey, {
  table: 'api_key',
  from: 'api_key_row',
  searched: ['name', 'user_name', 'corporation_name', 'prefix'],
});

/** Keys of the public API. A key is shown only in the answer that makes it, and stored as a digest. */
export const apiKeys: ResourceHandlers<typeof apiKey> = {
  ...stored,
  async create(ctx, { params, query, body }) {
    const corporation_id = await corporationOf(ctx, body.user_id);
    const { key, prefix, digest } = newKey(body.mode);
    const ends = await lastDayColumns(ctx, corporation_id, body.last_day);
    const columns = { ...body, ...ends, corporation_id, prefix, digest, created_by: ctx.caller.user_id };
    const made = await stored.create(ctx, { params, query, body: columns as never });
    return { ...made, data: { ...made.data, key, auth_token: accountToken(secretKey(ctx.config), digest) } };
  },
  async update(ctx, call) {
    const { scopes, allowed_ips, doors, last_day } = call.body;
    const before = await find(ctx, call.params.id);
    const opens = (now: readonly string[] | undefined, then: readonly string[]) =>
      now !== undefined && JSON.stringify(now) !== JSON.stringify(then);
    if (opens(scopes, before.scopes) || opens(allowed_ips, before.allowed_ips) || opens(doors, before.doors))
      requireFreshProof(ctx);
    if (last_day === undefined || last_day === before.last_day) return stored.update(ctx, call);
    requireFreshProof(ctx);
    const columns = { ...call.body, ...(await lastDayColumns(ctx, before.corporation_id, last_day)) };
    return stored.update(ctx, { ...call, body: columns });
  },
};

/** Makes a key for a program that a person has connected, and returns it. */
export async function makeKey(ctx: Context, body: z.output<(typeof apiKey)['create']>): Promise<string> {
  const { data } = await apiKeys.create(ctx, { params: {}, query: {}, body } as never);
  return data.key!;
}

/** Answers the corporation of the key's future person: nobody makes keys for people who rank above them. */
async function corporationOf(ctx: Context, userId: number): Promise<number> {
  await requireVisible(ctx, 'user_account', userId, 'user_id');
  const person = await ctx.db
    .selectFrom('user_account')
    .select(['corporation_id', 'scope_level'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  const { user_id, scope_level } = ctx.caller;
  const beyond = userId !== user_id && (person.scope_level < scope_level || scope_level === 4);
  if (person.corporation_id === null || beyond)
    throw new BusinessError('api_key_outside', { fields: { user_id: [{ key: 'not_visible' }] } });
  return person.corporation_id;
}

/** A key that the caller sees; not found otherwise. */
const find = async (ctx: Context, id: number) => (await stored.get(ctx, { params: { id }, query: {}, body: {} })).data;

/** Throws if a caller who may not read texts or numbers would learn a key that reads them. */
async function requireOwnTexts(ctx: Context, id: number): Promise<void> {
  const { content_visible, numbers_visible } = ctx.caller;
  if (content_visible && numbers_visible) return;
  const key = await ctx.db.selectFrom('api_key').select('created_by').where('id', '=', id).executeTakeFirst();
  if (key?.created_by !== ctx.caller.user_id)
    throw new BusinessError(content_visible ? 'key_reads_numbers' : 'texts_hidden');
}

/** Gives a key's record a new key; the previous one stays valid for a while. */
export const rotateKey: Handler<typeof rotateApiKey> = async (ctx, { params, body }) => {
  const { mode, prefix: before, state, corporation_id } = await find(ctx, params.id);
  if (state === 'revoked') throw new BusinessError('api_key_revoked');
  if (state === 'ended') throw new BusinessError('api_key_ended');
  await requireOwnTexts(ctx, params.id);
  const { key, prefix, digest } = newKey(mode);
  const until = new Date(ctx.clock.now().getTime() + body.overlap_hours * 3_600_000).toISOString();
  const kept = body.overlap_hours > 0;
  // The database copies the digest of the previous key, which nobody here may read.
  await sql`
    UPDATE api_key SET digest = ${digest}, prefix = ${prefix}, rotated_at = ${ctx.clock.now().toISOString()},
      previous_prefix = ${kept ? before : null}, previous_until = ${kept ? until : null}
    WHERE id = ${params.id}`.execute(ctx.db);
  await told(ctx, 'rotated', params.id, corporation_id);
  const message = translate(ctx.locale, 'api_keys.rotated');
  const auth_token = accountToken(secretKey(ctx.config), digest);
  return { data: { id: params.id, key, auth_token, prefix, previous_until: kept ? until : null }, message };
};

/** Ends a key, and the previous one. */
export const revokeKey: Handler<typeof revokeApiKey> = async (ctx, { params }) => {
  const { corporation_id, revoked_at } = await find(ctx, params.id);
  if (revoked_at === null) {
    await sql`
      UPDATE api_key SET revoked_at = ${ctx.clock.now().toISOString()}, previous_prefix = NULL, previous_until = NULL
      WHERE id = ${params.id}`.execute(ctx.db);
    await told(ctx, 'revoked', params.id, corporation_id);
  }
  return { message: translate(ctx.locale, 'api_keys.revoked') };
};

/** Ends the key of a person with this name; answers false if there is none. */
export async function revokeNamed(ctx: Context, user_id: number, name: string): Promise<boolean> {
  const key = await ctx.db
    .selectFrom('api_key')
    .select('id')
    .where('user_id', '=', user_id)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!key) return false;
  await revokeKey(ctx, { params: { id: key.id }, query: {}, body: {} } as never);
  return true;
}

const told = (ctx: Context, description: string, subject_id: number, corporation_id: number) =>
  audit(ctx, { name: 'api-keys', description, subject_type: 'api-keys', subject_id, corporation_id });

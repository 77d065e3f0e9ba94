import {
  type replaceServiceAccountKey,
  type revokeServiceAccountKey,
  serviceAccountKey,
} from '@heliograph/contract/api/service-account';
import { sql } from 'kysely';
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

const stored = tableStore(serviceAccountKey, {
  table: 'api_key',
  from: 'service_account_key_row',
  searched: ['name', 'service_account_name', 'corporation_name', 'prefix'],
  may: ({ last_used_at, state }) => ({ delete: last_used_at === null, edit: state !== 'revoked' }),
});
type Row = Awaited<ReturnType<typeof stored.get>>['data'];

const find = async (ctx: Context, id: number): Promise<Row> =>
  (await stored.get(ctx, { params: { id }, query: {}, body: {} })).data;

type NewKey = Pick<Row, 'service_account_id' | 'name' | 'mode' | 'last_day'>;

/** Makes a key of an account. Scopes and addresses are those of the account, whatever they are at the time of a call. */
async function make(ctx: Context, { service_account_id, name, mode, last_day }: NewKey) {
  const { corporation_id, user_id } = await ctx.db
    .selectFrom('service_account')
    .select(['corporation_id', 'user_id'])
    .where('id', '=', service_account_id)
    .executeTakeFirstOrThrow();
  const { key, prefix, digest } = newKey(mode);
  const columns = {
    service_account_id,
    name,
    mode,
    ...(await lastDayColumns(ctx, corporation_id, last_day)),
    corporation_id,
    user_id,
    prefix,
    digest,
    scopes: [],
    created_by: ctx.caller.user_id,
  };
  const made = await stored.create(ctx, { params: {}, query: {}, body: columns as never });
  return { ...made, data: { ...made.data, key, auth_token: accountToken(secretKey(ctx.config), digest) } };
}

/** Keys of service accounts. A key is shown only in the answer that makes it, and stored as a digest. */
export const serviceAccountKeys: ResourceHandlers<typeof serviceAccountKey> = {
  ...stored,
  async create(ctx, { body }) {
    await requireVisible(ctx, 'service_account', body.service_account_id, 'service_account_id');
    return make(ctx, body);
  },
  async update(ctx, call) {
    const { corporation_id, last_day, state } = await find(ctx, call.params.id);
    if (state === 'revoked') throw new BusinessError('forbidden');
    const { body } = call;
    if (body.last_day === undefined || body.last_day === last_day) return stored.update(ctx, call);
    requireFreshProof(ctx);
    const columns = { ...body, ...(await lastDayColumns(ctx, corporation_id, body.last_day)) };
    return stored.update(ctx, { ...call, body: columns });
  },
  async remove(ctx, call) {
    if ((await find(ctx, call.params.id)).last_used_at !== null) throw new BusinessError('has_dependencies');
    return stored.remove(ctx, call);
  },
};

/** Makes the next key of a program, and gives the present one a last day. */
export const replaceKey: Handler<typeof replaceServiceAccountKey> = async (ctx, { params, body }) => {
  const old = await find(ctx, params.id);
  if (old.state === 'revoked') throw new BusinessError('api_key_revoked');
  const ends = await lastDayColumns(ctx, old.corporation_id, body.old_last_day, 'old_last_day');
  const { service_account_id, mode } = old;
  const { data: next } = await make(ctx, { service_account_id, mode, name: body.name, last_day: body.last_day });
  const old_last_day = old.last_day !== null && old.last_day < body.old_last_day ? old.last_day : body.old_last_day;
  // Addresses that the program has added stay with its next key.
  await ctx.db.updateTable('callback_endpoint').set({ api_key_id: next.id }).where('api_key_id', '=', old.id).execute();
  if (old_last_day !== old.last_day) await ctx.db.updateTable('api_key').set(ends).where('id', '=', old.id).execute();
  await told(ctx, 'replaced', old, { last_day: old_last_day });
  const { id, key, auth_token, prefix } = next;
  return { data: { id, key, auth_token, prefix, old_last_day } };
};

/** Ends a key. */
export const revokeServiceKey: Handler<typeof revokeServiceAccountKey> = async (ctx, { params }) => {
  const key = await find(ctx, params.id);
  if (key.revoked_at === null) {
    const revoked_at = ctx.clock.now().toISOString();
    await sql`UPDATE api_key SET revoked_at = ${revoked_at} WHERE id = ${key.id}`.execute(ctx.db);
    await told(ctx, 'revoked', key);
  }
  return { message: translate(ctx.locale, 'api_keys.revoked') };
};

const told = (ctx: Context, description: string, key: Row, after: Partial<Row> = {}) =>
  audit(ctx, {
    name: 'service-account-keys',
    description,
    subject_type: 'service-account-keys',
    subject_id: key.id,
    corporation_id: key.corporation_id,
    before: Object.fromEntries(Object.keys(after).map((field) => [field, key[field as keyof Row]])),
    after,
  });

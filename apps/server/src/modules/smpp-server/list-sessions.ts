import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { smppSessions } from '@heliograph/contract/smpp-server/session';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { corporationsOf } from '#platform/access/scope-clause';
import type { Context } from '#platform/context';
import { containing } from '#platform/database/like';
import { BusinessError } from '#platform/errors';
import { translate } from '#platform/text/i18n';
import { tellServers } from './channel.ts';

const visible = (ctx: Context) => {
  const corporations = corporationsOf(ctx.caller);
  const rows = ctx.db.selectFrom('smpp_session_row');
  return corporations ? rows.where(sql<boolean>`corporation_id = ANY (${[...corporations]}::bigint[])`) : rows;
};

const COLUMNS = [
  'id',
  'corporation_id',
  'corporation_name',
  'user_name',
  'smpp_system_id_id',
  'system_id',
  'mode',
  'version',
  'address',
  'tls',
  'process',
  'bound_at',
  'submitted',
  'refused',
  'throttled',
  'delivered',
  'in_flight',
  'slow_since',
  'unbind',
] as const;

/** Answers the current binds, newest first. */
export async function sessionPage(
  ctx: Context,
  query: QueryOf<typeof smppSessions>,
): Promise<ReplyOf<typeof smppSessions>> {
  const { limit, cursor, search, corporation_id, smpp_system_id_id } = query;
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  let rows = visible(ctx).select(COLUMNS);
  if (cursor !== undefined) rows = rows.where('id', '<', Number(cursor));
  if (corporation_id !== undefined) rows = rows.where('corporation_id', '=', corporation_id);
  if (smpp_system_id_id !== undefined) rows = rows.where('smpp_system_id_id', '=', smpp_system_id_id);
  if (search) {
    const pattern = containing(search);
    rows = rows.where((eb) =>
      eb.or([eb('system_id', 'ilike', pattern), eb('user_name', 'ilike', pattern), eb('address', 'ilike', pattern)]),
    );
  }
  const found = await rows
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const data = found.slice(0, limit) as ReplyOf<typeof smppSessions>['data'];
  const has_more = found.length > limit;
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
}

/** Requests the end of a bind; the process that holds it unbinds within seconds. */
export async function askUnbind(ctx: Context, id: number): Promise<{ message: string }> {
  const session = await visible(ctx).select(['system_id', 'corporation_id']).where('id', '=', id).executeTakeFirst();
  if (!session) throw new BusinessError('not_found');
  await ctx.db.updateTable('smpp_session').set({ unbind: true }).where('id', '=', id).execute();
  await audit(ctx, {
    name: 'smpp-sessions',
    description: 'unbind',
    subject_type: 'smpp-sessions',
    subject_id: id,
    corporation_id: session.corporation_id,
    before: null,
    after: { system_id: session.system_id },
  });
  await tellServers(ctx.db);
  return { message: translate(ctx.locale, 'smpp.unbinding', { name: session.system_id ?? '' }) };
}

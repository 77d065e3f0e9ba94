import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { webLinks } from '@heliograph/contract/moderation/web-domain';
import { sql } from 'kysely';
import { corporationsOf } from '#platform/access/scope-clause';
import type { Context } from '#platform/context';
import { containing } from '#platform/database/like';
import { BusinessError } from '#platform/errors';

const COLUMNS = [
  'web_link.id',
  'web_link.corporation_id',
  'corporation.name as corporation_name',
  'web_link.sender_id',
  'web_link.domain',
  'web_link.reason',
  'web_link.refused',
  'web_link.messages',
  'web_link.last_at',
] as const;

/** Answers the domains that broke the rules, newest day first. */
export async function webLinkPage(ctx: Context, query: QueryOf<typeof webLinks>): Promise<ReplyOf<typeof webLinks>> {
  const { limit, cursor, search, corporation_id, reason, refused } = query;
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  const corporations = corporationsOf(ctx.caller);
  let rows = ctx.db
    .selectFrom('web_link')
    .innerJoin('corporation', 'corporation.id', 'web_link.corporation_id')
    .select([...COLUMNS, sql<string>`web_link.day::text`.as('day')]);
  if (corporations) rows = rows.where(sql<boolean>`web_link.corporation_id = ANY (${[...corporations]}::bigint[])`);
  if (cursor !== undefined) rows = rows.where('web_link.id', '<', Number(cursor));
  if (corporation_id !== undefined) rows = rows.where('web_link.corporation_id', '=', corporation_id);
  if (reason !== undefined) rows = rows.where('web_link.reason', '=', reason);
  if (refused !== undefined) rows = rows.where('web_link.refused', '=', refused);
  if (search) rows = rows.where('web_link.domain', 'ilike', containing(search));
  const found = await rows
    .orderBy('web_link.id', 'desc')
    .limit(limit + 1)
    .execute();
  const data = found.slice(0, limit) as ReplyOf<typeof webLinks>['data'];
  const has_more = found.length > limit;
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
}

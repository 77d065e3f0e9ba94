import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import type { nodes } from '@heliograph/contract/nodes/node';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import { translate } from '#platform/text/i18n';

const COLUMNS = [
  'id',
  'name',
  'kind',
  'host',
  'pid',
  'version',
  'started_at',
  'seen_at',
  'state',
  'draining',
  'links',
  'binds',
] as const;

/** Lists the present processes, the newest first. */
export async function nodePage(ctx: Context, query: QueryOf<typeof nodes>): Promise<ReplyOf<typeof nodes>> {
  const { limit, cursor, kind } = query;
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  let rows = ctx.db.selectFrom('node_row').select(COLUMNS);
  if (cursor !== undefined) rows = rows.where('id', '<', Number(cursor));
  if (kind !== undefined) rows = rows.where('kind', '=', kind);
  const found = await rows
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const data = found.slice(0, limit) as ReplyOf<typeof nodes>['data'];
  const has_more = found.length > limit;
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
}

/**
 * Makes a call that asks a sender or an SMPP server to hand over its lanes or binds, or to work again. The process
 * follows within a second or two.
 */
export const askNode =
  (draining: boolean) =>
  async (ctx: Context, id: number): Promise<{ message: string }> => {
    const found = await ctx.db
      .selectFrom('node_row')
      .select(['name', 'draining'])
      .where('id', '=', id)
      // Processes of other kinds hold nothing: they are simply stopped.
      .where('kind', 'in', ['sender', 'smpp_server'])
      .executeTakeFirst();
    if (!found) throw new BusinessError('not_found');
    const { name } = found;
    await ctx.db.updateTable('node').set({ draining }).where('id', '=', id).execute();
    await audit(ctx, {
      name: 'nodes',
      description: draining ? 'drain' : 'resume',
      subject_type: 'nodes',
      subject_id: id,
      before: { draining: found.draining },
      after: { node: name, draining },
    });
    return { message: translate(ctx.locale, draining ? 'nodes.drains' : 'nodes.resumes', { name: name ?? '' }) };
  };

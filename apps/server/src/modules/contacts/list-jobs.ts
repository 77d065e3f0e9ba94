import * as contract from '@heliograph/contract/contacts/list-job';
import { listNumber, numberList } from '@heliograph/contract/contacts/number-list';
import type { BodyOf } from '@heliograph/contract/kernel/operation';
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { audit } from '#platform/access/audit';
import { type Context, requirePermission } from '#platform/context';
import type { Database } from '#platform/database/db';
import { BusinessError, fieldError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { defineJob, enqueue } from '#platform/jobs/jobs';

/** Job that does requested work on many numbers. */
export const listJob = defineJob('list-job', z.object({ list_job_id: z.int() }));

type Body = BodyOf<typeof contract.startListJob>;

/** Mounts work on lists. The call queues it, and a worker does it. */
export function listJobRoutes(app: App): void {
  mount(app, contract.startListJob, async (ctx, { params, body }) => {
    requireRights(ctx, body);
    const list = await findList(ctx, params.id);
    await requireLists(ctx, list, body);
    const { kind, ...parameters } = body;
    const row = await ctx.db
      .insertInto('list_job')
      .values({
        corporation_id: list.corporation_id,
        number_list_id: list.id,
        user_id: ctx.caller.user_id,
        kind,
        parameters: JSON.stringify(parameters),
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await audit(ctx, {
      name: numberList.name,
      description: kind,
      subject_type: numberList.name,
      subject_id: list.id,
      corporation_id: list.corporation_id,
      after: parameters,
    });
    await enqueue(ctx.db, listJob, { list_job_id: row.id }, { tenant: list.corporation_id });
    return { data: listJobOnWire(row) };
  });
  mount(app, contract.getListJob, async (ctx, { params }) => {
    const row = await ctx.db.selectFrom('list_job').selectAll().where('id', '=', params.id).executeTakeFirst();
    if (!row) throw new BusinessError('not_found');
    return { data: listJobOnWire(row) };
  });
}

/** Converts work on a list for callers. */
export function listJobOnWire(row: Selectable<Database['list_job']>): z.input<typeof contract.listJob> {
  const { corporation_id: _corporation, user_id: _user, parameters: _parameters, kind, state, ...rest } = row;
  return { ...rest, kind: kind as Body['kind'], state: state as 'queued' | 'running' | 'done' | 'failed' };
}

/** Returns a list that the caller can see; throws `not_found`. */
export async function findList(
  ctx: Pick<Context, 'db'>,
  id: number,
): Promise<{ id: number; corporation_id: number; name: string }> {
  const list = await ctx.db
    .selectFrom('number_list')
    .select(['id', 'corporation_id', 'name'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!list) throw new BusinessError('not_found');
  return list;
}

/** Requires the permissions that changing the numbers one by one would need. */
function requireRights({ caller }: Context, { kind, delete_lists }: Body): void {
  if (kind === 'copy' || kind === 'move' || kind === 'merge') requirePermission(caller, listNumber.permissions.create);
  if (kind === 'move' || kind === 'deduplicate' || kind === 'delete')
    requirePermission(caller, listNumber.permissions.delete);
  if (delete_lists) requirePermission(caller, numberList.permissions.delete);
}

/**
 * Checks the other lists. They must belong to the same corporation, differ from the first list, and be visible to the
 * caller.
 */
async function requireLists(ctx: Context, list: { id: number; corporation_id: number }, body: Body): Promise<void> {
  const { kind, target_list_id, list_ids } = body;
  const toOne = kind === 'copy' || kind === 'move';
  const ofMany = kind === 'merge' || kind === 'deduplicate';
  if (toOne && target_list_id === null) throw fieldError('target_list_id', 'required');
  if (ofMany && list_ids.length === 0) throw fieldError('list_ids', 'required');
  const field = toOne ? 'target_list_id' : 'list_ids';
  const others = [...new Set([...list_ids, ...(target_list_id === null ? [] : [target_list_id])])];
  if (others.length === 0) return;
  const seen = await ctx.db
    .selectFrom('number_list')
    .select('id')
    .where('id', 'in', others)
    .where('corporation_id', '=', list.corporation_id)
    .where('id', '<>', list.id)
    .execute();
  if (seen.length < others.length) throw fieldError(field, 'not_visible');
}

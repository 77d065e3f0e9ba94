import * as contract from '@heliograph/contract/contacts/list-job';
import { listNumber, numberList } from '@heliograph/contract/contacts/number-list';
import type { BodyOf } from '@heliograph/contract/kernel/operation';
import { z } from 'zod';
import { audit } from '#platform/access/audit';
import { type Context, requirePermission } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { defineJob } from '#platform/jobs/jobs';
import { queueTask, requireTask, type Task, type TaskKind } from '#platform/tasks/task';

/** Job that does requested work on many numbers. */
export const listJob = defineJob('list-job', z.object({ list_job_id: z.int() }));

/** Work on lists, as tasks. */
export const listTask: TaskKind<'list_job'> = {
  type: 'list_job',
  event: { name: 'list.progress', onWire: (row) => listJobOnWire(row) },
};

type Body = BodyOf<typeof contract.startListJob>;

/** Mounts work on lists. The call queues it, and a worker does it. */
export function listJobRoutes(app: App): void {
  mount(app, contract.startListJob, async (ctx, { params, body }) => {
    requireRights(ctx, body);
    const list = await findList(ctx, params.id);
    await requireLists(ctx, list, body);
    const { kind, ...parameters } = body;
    const row = await queueTask(ctx, listTask, listJob, {
      corporation_id: list.corporation_id,
      number_list_id: list.id,
      kind,
      parameters: JSON.stringify(parameters),
    });
    await audit(ctx, {
      name: numberList.name,
      description: kind,
      subject_type: numberList.name,
      subject_id: list.id,
      corporation_id: list.corporation_id,
      after: parameters,
    });
    return { data: listJobOnWire(row) };
  });
  mount(app, contract.getListJob, async (ctx, { params }) => ({
    data: listJobOnWire(await requireTask(ctx, listTask, params.id)),
  }));
}

/** Converts work on a list for callers. */
const listJobOnWire = ({ kind, state, ...row }: Task): z.input<typeof contract.listJob> => ({
  id: row.id,
  number_list_id: row.number_list_id!,
  kind: kind as Body['kind'],
  state: state as 'queued' | 'running' | 'done' | 'failed',
  rows_total: row.rows_total,
  rows_done: row.rows_done,
  rows_changed: row.rows_changed,
  error_code: row.error_code,
  created_at: row.created_at,
  finished_at: row.finished_at,
});

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

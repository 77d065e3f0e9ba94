import * as contract from '@heliograph/contract/kernel/task';
import { sql } from 'kysely';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { cancelTask, IS_OPEN, requireTask, type TaskKinds, taskOnWire } from '#platform/tasks/task';

/** Maximum number of tasks that are listed. */
const SHOWN = 100;

/** Mounts the list of a person's own tasks, and their cancellation. */
export function taskRoutes(app: App, kinds: TaskKinds): void {
  mount(app, contract.listTasks, async (ctx) => {
    const rows = await ctx.db
      .selectFrom('task')
      .selectAll()
      .where('user_id', '=', ctx.caller.user_id)
      .where(
        sql<boolean>`(${IS_OPEN} OR created_at > ${ctx.clock.now().toISOString()}::timestamptz - interval '7 days')`,
      )
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(SHOWN)
      .execute();
    return { data: rows.map((row) => taskOnWire(kinds[row.type as keyof TaskKinds], row)) };
  });
  mount(app, contract.cancelTask, async (ctx, { params, body }) => {
    const kind = kinds[body.type];
    const before = await requireTask(ctx, kind, params.id);
    if (before.user_id !== ctx.caller.user_id) throw new BusinessError('not_found');
    return { data: taskOnWire(kind, await cancelTask(ctx, kind, before)) };
  });
}

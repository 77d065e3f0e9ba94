import { numberList } from '@heliograph/contract/contacts/number-list';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import { type App, mountResource } from '#platform/http';
import { tableStore } from '#platform/table-store';

/** Mounts the lists of numbers. */
export function numberListRoutes(app: App): void {
  const stored = tableStore(numberList, {
    table: 'number_list',
    from: 'number_list_row',
    searched: ['name', 'department_name'],
  });
  mountResource(app, numberList, {
    ...stored,
    create: async (ctx, call) => {
      await requireDepartment(ctx, call.body);
      const body = { ...call.body, created_by: ctx.caller.user_id };
      return stored.create(ctx, { ...call, body });
    },
  });
}

async function requireDepartment(ctx: Context, list: { corporation_id: number; department_id: number }): Promise<void> {
  const department = await ctx.db
    .selectFrom('department')
    .select('corporation_id')
    .where('id', '=', list.department_id)
    .executeTakeFirst();
  if (!department) throw fieldError('department_id', 'not_visible');
  if (department.corporation_id !== list.corporation_id) throw fieldError('corporation_id', 'not_visible');
}

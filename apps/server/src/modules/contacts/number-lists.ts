import { numberList } from '@heliograph/contract/contacts/number-list';
import { requireDepartment } from '#platform/access/visible';
import { type App, mountResource } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';

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

import { department } from '@heliograph/contract/organizations/department';
import { BusinessError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http';
import { tableStore } from '#platform/table-store';
import { requireVisible } from '#platform/visible';

const stored = tableStore(department, { table: 'department', from: 'department_row' });

/** Departments: made by whoever sees the whole corporation, never deleted by who is in one. */
export const departments: ResourceHandlers<typeof department> = {
  ...stored,
  async create(ctx, call) {
    if (ctx.caller.scope_level > 2) throw new BusinessError('forbidden');
    await requireVisible(ctx, 'corporation', call.body.corporation_id, 'corporation_id');
    return stored.create(ctx, call);
  },
  async remove(ctx, call) {
    if (call.params.id === ctx.caller.department_id) throw new BusinessError('own_department');
    return stored.remove(ctx, call);
  },
};

import { department } from '@heliograph/contract/organizations/department';
import { requireReader } from '#platform/access/hidden-texts';
import { requireVisible } from '#platform/access/visible';
import { BusinessError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';

const stored = tableStore(department, { table: 'department', from: 'department_row' });

/** Departments: created by people who see the whole corporation, never deleted by people of a department. */
export const departments: ResourceHandlers<typeof department> = {
  ...stored,
  async create(ctx, call) {
    if (ctx.caller.scope_level > 2) throw new BusinessError('forbidden');
    await requireVisible(ctx, 'corporation', call.body.corporation_id, 'corporation_id');
    if (call.body.callback_url !== null) requireReader(ctx, 'callback_url');
    return stored.create(ctx, call);
  },
  async update(ctx, call) {
    const { callback_url } = call.body;
    const { data: before } = await stored.get(ctx, call);
    if (callback_url && callback_url !== before.callback_url) requireReader(ctx, 'callback_url');
    return stored.update(ctx, call);
  },
  async remove(ctx, call) {
    if (call.params.id === ctx.caller.department_id) throw new BusinessError('own_department');
    return stored.remove(ctx, call);
  },
};

import { PERMISSIONS_OF_SCOPES, serviceAccount } from '@heliograph/contract/api/service-account';
import type { ApiScope } from '@heliograph/contract/kernel/public-operation';
import { sql } from 'kysely';
import { requireFreshProof } from '#platform/access/fresh-proof';
import { requireDepartment, requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';

const stored = tableStore(serviceAccount, {
  table: 'service_account',
  from: 'service_account_row',
  searched: ['name', 'contact_email', 'corporation_name', 'department_name'],
  // The log keeps the name of an account whose keys were used.
  may: ({ last_used_at }) => ({ delete: last_used_at === null }),
});
type Row = Awaited<ReturnType<typeof stored.get>>['data'];

/** Returns an account that the caller sees. Throws `not_found` for any other. */
const findAccount = async (ctx: Context, id: number): Promise<Row> =>
  (await stored.get(ctx, { params: { id }, query: {}, body: {} })).data;

/** Accounts of programs. The database makes, changes and removes the user on which each runs. */
export const serviceAccounts: ResourceHandlers<typeof serviceAccount> = {
  ...stored,
  async create(ctx, { params, query, body }) {
    const { corporation_id, department_id, billing_account_id } = body;
    if (ctx.caller.scope_level === 4) throw new BusinessError('forbidden');
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    if (department_id !== null) await requireDepartment(ctx, { corporation_id, department_id });
    // A person who manages a department makes accounts for that department.
    else if (ctx.caller.seen_level > 2) throw fieldError('department_id', 'required');
    await requirePayer(ctx, corporation_id, billing_account_id);
    requireScopes(ctx, body.scopes);
    const columns = { ...body, created_by: ctx.caller.user_id };
    return stored.create(ctx, { params, query, body: columns as never });
  },
  async update(ctx, call) {
    const before = await findAccount(ctx, call.params.id);
    const { scopes, allowed_ips, doors, enabled, billing_account_id } = call.body;
    const differs = (now: readonly string[] | undefined, then: readonly string[]) =>
      now !== undefined && JSON.stringify(now) !== JSON.stringify(then);
    const wider =
      differs(scopes, before.scopes) || differs(allowed_ips, before.allowed_ips) || differs(doors, before.doors);
    if (wider || (enabled && !before.enabled)) requireFreshProof(ctx);
    if (billing_account_id !== undefined && billing_account_id !== before.billing_account_id)
      await requirePayer(ctx, before.corporation_id, billing_account_id);
    requireScopes(ctx, scopes?.filter((scope) => !before.scopes.includes(scope)) ?? []);
    return stored.update(ctx, call);
  },
  async remove(ctx, call) {
    if ((await findAccount(ctx, call.params.id)).last_used_at !== null) throw new BusinessError('has_dependencies');
    return stored.remove(ctx, call);
  },
};

const requirePayer = async (ctx: Context, corporationId: number, id: number | null) => {
  const inside = sql<boolean>`corporation_id = ${corporationId}`;
  if (id !== null) await requireVisible(ctx, 'billing_account', id, 'billing_account_id', inside);
};

/** Throws a 422 if a scope includes permissions that the caller lacks. */
function requireScopes({ caller }: Context, scopes: readonly ApiScope[]): void {
  const needed = scopes.flatMap((scope) => PERMISSIONS_OF_SCOPES[scope]);
  if (!needed.every((permission) => caller.permissions.has(permission))) throw fieldError('scopes', 'scope_above');
}

import { READ_ONLY_ROLE } from '@heliograph/contract/access/role-permissions';
import { sql } from 'kysely';
import { checkPlace, checkRole } from '#modules/access';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { RoleRule } from './read-provider.ts';

interface Roles {
  corporation_id: number | null;
  role_rules: readonly RoleRule[];
  role_id: number | null;
  department_id: number | null;
  creates_users: boolean;
  follows_groups: boolean;
}

/** Checks that the caller could give these roles to people by hand, with the faults at the fields of the rules. */
export async function checkRoles(ctx: Context, provider: Roles): Promise<void> {
  const { corporation_id, role_rules, role_id, department_id, creates_users, follows_groups } = provider;
  if (department_id !== null && corporation_id === null) throw fieldError('department_id', 'platform_person');
  if (department_id !== null)
    await requireVisible(ctx, 'department', department_id, 'department_id', sql`corporation_id = ${corporation_id}`);
  for (const [place, rule] of role_rules.entries())
    await checkOne(
      ctx,
      provider,
      { ...rule, department_id: rule.department_id ?? department_id },
      `role_rules.${place}.`,
    );
  if (role_id !== null) await checkOne(ctx, provider, { role_id, department_id }, '');
  else if ((creates_users || follows_groups) && role_rules.length === 0) throw fieldError('role_id', 'required');
}

async function checkOne(
  ctx: Context,
  { corporation_id }: Roles,
  { role_id, department_id }: Pick<RoleRule, 'role_id' | 'department_id'>,
  within: string,
): Promise<void> {
  const role = await ctx.db.selectFrom('role').select(['name', 'level']).where('id', '=', role_id).executeTakeFirst();
  if (!role) throw fieldError(`${within}role_id`, 'not_visible');
  if (corporation_id === null ? role.level > 1 : role.level < 2)
    throw fieldError(`${within}role_id`, 'role_of_elsewhere');
  const place = {
    corporation_id,
    department_id: role.level > 2 ? department_id : null,
    billing_account_id: null,
    role_id,
    scope_level: role.name === READ_ONLY_ROLE && department_id === null ? 2 : role.level,
    landing_page: 'dashboard',
    connection_type_id: null,
  };
  try {
    await checkRole(ctx, place);
    await checkPlace(ctx, place, role.name);
  } catch (error) {
    if (!(error instanceof BusinessError) || !error.fields) throw error;
    const fields = Object.entries(error.fields).map(([field, faults]) => [`${within}${field}`, faults]);
    throw new BusinessError('validation_failed', { fields: Object.fromEntries(fields) });
  }
}

interface Emergency {
  corporation_id: number | null;
  enforced: boolean;
  break_glass_ids: readonly number[];
}

/** Checks the people with emergency access: there is one before the provider is required, and all are colleagues. */
export async function checkEmergency(
  ctx: Context,
  { corporation_id, enforced, break_glass_ids }: Emergency,
): Promise<void> {
  if (enforced && break_glass_ids.length === 0) throw fieldError('break_glass_ids', 'emergency_person');
  for (const id of break_glass_ids)
    await requireVisible(
      ctx,
      'user_account',
      id,
      'break_glass_ids',
      sql`enabled AND corporation_id IS NOT DISTINCT FROM ${corporation_id}`,
    );
}

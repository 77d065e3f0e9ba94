import { isReading, READ_ONLY_ROLE } from '@heliograph/contract/access/role-permissions';
import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import { readNumberRules } from '#platform/operator/number-rules';
import { type Held, holdsAll, permissionsGiven, permissionsOfRole } from './rights.ts';

/** Fields of a person that depend on one another, after the change. */
export interface Place {
  corporation_id: number | null;
  department_id: number | null;
  billing_account_id: number | null;
  role_id: number;
  scope_level: number;
  landing_page: string;
  connection_type_id: number | null;
}

const FLAGS = ['skip_blacklist', 'skip_signature', 'skip_blackout', 'content_visible', 'numbers_visible'] as const;

/** Answers a phone as digits in international format; throws a 422 if it is no phone number. */
export async function phoneDigits(ctx: Context, phone: string | null): Promise<string | null> {
  if (!phone) return null;
  const checked = checkNumber(phone, await readNumberRules(ctx.db));
  if (checked.fault) throw fieldError('phone', 'number');
  return checked.msisdn;
}

/**
 * Throws if a caller gives an exemption that they do not have themselves. The administration may, but not the right to
 * see numbers.
 */
export function checkFlags(
  ctx: Context,
  given: { [F in (typeof FLAGS)[number]]?: boolean | undefined },
  before: typeof given,
): void {
  const flags = isAdministration(ctx.caller.scope_level) ? (['numbers_visible'] as const) : FLAGS;
  for (const flag of flags)
    if (given[flag] === true && before[flag] !== true && !ctx.caller[flag]) throw fieldError(flag, 'flag_missing');
}

/**
 * Checks role and level: both at or below the caller's, and no permission that the caller lacks. Answers the role's
 * name and permissions.
 */
export async function checkRole(ctx: Context, place: Place): Promise<{ name: string; permissions: Held[] }> {
  const { caller } = ctx;
  if (place.scope_level < caller.scope_level) throw fieldError('scope_level', 'level_above');
  const role = await ctx.db
    .selectFrom('role')
    .select(['name', 'level'])
    .where('id', '=', place.role_id)
    .executeTakeFirst();
  if (!role) throw fieldError('role_id', 'not_visible');
  const permissions = await permissionsOfRole(ctx, place.role_id);
  if (role.level < caller.scope_level || !holdsAll(caller, permissions)) throw fieldError('role_id', 'role_above');
  // Read-only people may see as much as the caller does.
  if (place.scope_level < role.level && role.name !== READ_ONLY_ROLE) throw fieldError('scope_level', 'level_role');
  return { name: role.name, permissions };
}

async function isReseller({ db }: Context, id: number): Promise<boolean> {
  const row = await db.selectFrom('corporation').select('is_reseller').where('id', '=', id).executeTakeFirst();
  return row?.is_reseller === true;
}

/**
 * Checks corporation, department and account: the level decides which are set, each belongs to the other, and the
 * caller may use them.
 */
export async function checkPlace(ctx: Context, place: Place, roleName: string): Promise<void> {
  const { corporation_id, department_id, billing_account_id, scope_level } = place;
  if (scope_level < 2) {
    for (const field of ['corporation_id', 'department_id', 'billing_account_id'] as const)
      if (place[field] !== null) throw fieldError(field, 'platform_person');
  } else {
    if (corporation_id === null) throw fieldError('corporation_id', 'required');
    await requireVisible(ctx, 'corporation', corporation_id, 'corporation_id');
    if (roleName === 'reseller' && !(await isReseller(ctx, corporation_id)))
      throw fieldError('role_id', 'role_needs_reseller');
    const inside = sql<boolean>`corporation_id = ${corporation_id}`;
    if (scope_level > 2 && department_id === null) throw fieldError('department_id', 'required');
    if (department_id !== null) await requireVisible(ctx, 'department', department_id, 'department_id', inside);
    if (billing_account_id !== null)
      await requireVisible(ctx, 'billing_account', billing_account_id, 'billing_account_id', inside);
  }
  if (place.connection_type_id !== null)
    await requireVisible(ctx, 'connection_type', place.connection_type_id, 'connection_type_id');
}

/** Checks that the person may open their landing page; the profile is always allowed. */
export async function checkLandingPage(ctx: Context, page: string, held: readonly Held[]): Promise<void> {
  if (page === 'profile') return;
  const entries = await ctx.db.selectFrom('menu').select('permission').where('url', '=', page).execute();
  const names = new Set(held.map(({ name }) => name));
  if (!entries.some(({ permission }) => permission === null || names.has(permission)))
    throw fieldError('landing_page', 'landing_page');
}

/**
 * Answers the permissions that a template adds to the role: none if it is the role's own. Throws if the caller lacks
 * some of them.
 */
export async function templatePermissions(
  ctx: Context,
  template: string | null,
  role: { name: string; permissions: readonly Held[] },
): Promise<Held[]> {
  if (template === null) return [];
  const standard = await ctx.db
    .selectFrom('role')
    .select(['id', 'level'])
    .where('name', '=', template)
    .executeTakeFirst();
  if (!standard) throw fieldError('permission_template', 'not_visible');
  const permissions = await permissionsOfRole(ctx, standard.id);
  if (standard.level < ctx.caller.scope_level || !holdsAll(ctx.caller, permissions))
    throw fieldError('permission_template', 'role_above');
  const present = new Set(role.permissions.map(({ id }) => id));
  const fits = ({ name }: Held) => role.name !== READ_ONLY_ROLE || isReading(name);
  return permissions.filter((each) => !present.has(each.id) && fits(each));
}

/** Replaces the directly given permissions, as far as the caller holds them. */
export async function giveDirectly(ctx: Context, userId: number, permissions: readonly Held[]): Promise<void> {
  const wanted = new Set(permissions.map(({ id }) => id));
  const present = await permissionsGiven(ctx, userId);
  const gone = present.filter(({ id, name }) => !wanted.has(id) && ctx.caller.permissions.has(name));
  if (gone.length > 0) {
    await ctx.db
      .deleteFrom('user_permission')
      .where('user_id', '=', userId)
      .where(
        'permission_id',
        'in',
        gone.map(({ id }) => id),
      )
      .execute();
  }
  const had = new Set(present.map(({ id }) => id));
  const added = [...wanted].filter((id) => !had.has(id));
  if (added.length > 0) {
    await ctx.db
      .insertInto('user_permission')
      .values(added.map((permission_id) => ({ user_id: userId, permission_id })))
      .execute();
  }
}

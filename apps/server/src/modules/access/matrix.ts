import * as contract from '@heliograph/contract/access/permission';
import { isReading, PERMISSION_AREAS, READ_ONLY_ROLE } from '@heliograph/contract/access/role-permissions';
import { audit } from '#platform/access/audit';
import { type Context, requirePlatform } from '#platform/context';
import { containing } from '#platform/database/like';
import { BusinessError } from '#platform/errors';
import { type App, mount } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import {
  levelsBelow,
  manageable,
  permissionsGiven,
  permissionsNamed,
  permissionsOfRole,
  requireManageable,
  tellEverybody,
  tellRights,
} from './rights.ts';

type Labels = Record<string, string> | null;

/** Areas, the longest names first, so that `pending-campaigns` is found before an area `pending` would be. */
const AREAS = Object.keys(PERMISSION_AREAS).sort((a, b) => b.length - a.length);

/**
 * Splits a permission into its area and action. The area is the program's own, else its menu's route, else the part
 * before the last dash.
 */
function partsOf(name: string, url: string | null): { area: string; action: string } {
  const known = AREAS.find(
    (area) => name.startsWith(`${area}-`) && PERMISSION_AREAS[area]!.includes(name.slice(area.length + 1)),
  );
  const area = known ?? (url && name.startsWith(`${url}-`) ? url : name.slice(0, name.lastIndexOf('-')));
  return { area, action: name.slice(area.length + 1) };
}

async function allPermissions(
  { db, caller }: Context,
  guard?: string,
  readOnly = false,
): Promise<contract.PermissionEntry[]> {
  const rows = await db
    .selectFrom('permission as p')
    .leftJoin('menu as m', 'm.id', 'p.menu_id')
    .select(['p.id', 'p.name', 'p.guard', 'p.menu_id', 'm.url'])
    .$if(guard !== undefined, (q) => q.where('p.guard', '=', guard!))
    .orderBy('p.name')
    .execute();
  return rows.map(({ url, ...row }) => ({
    ...row,
    guard: row.guard as contract.PermissionEntry['guard'],
    ...partsOf(row.name, url),
    grantable: caller.permissions.has(row.name) && (!readOnly || isReading(row.name)),
  }));
}

async function allMenus({ db }: Context) {
  const rows = await db
    .selectFrom('menu')
    .select(['id', 'parent_id', 'title', 'labels', 'position'])
    .orderBy('position')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, labels: row.labels as Labels }));
}

/**
 * Finds the permissions of a difference: they must exist, belong to the guard, and be held by the caller. Throws
 * `permission_missing` otherwise.
 */
async function difference(ctx: Context, names: { add: string[]; remove: string[] }, guard?: string) {
  const find = async (wanted: string[]) => {
    const found = await permissionsNamed(ctx, [...new Set(wanted)]);
    return found.map((each) => {
      const fits = each && ctx.caller.permissions.has(each.name) && (guard === undefined || each.guard === guard);
      if (!fits) throw new BusinessError('permission_missing');
      return each;
    });
  };
  return { add: await find(names.add), remove: await find(names.remove) };
}

/** Throws `read_only_role` if read-only people would get a right to change something. */
function requireReading(role: string, added: readonly { name: string }[]): void {
  if (role === READ_ONLY_ROLE && added.some(({ name }) => !isReading(name))) throw new BusinessError('read_only_role');
}

const namesOf = (held: readonly { name: string }[]) => held.map(({ name }) => name);

async function findRole({ db }: Context, id: number) {
  const role = await db
    .selectFrom('role')
    .select(['id', 'name', 'guard', 'level'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!role) throw new BusinessError('not_found');
  return role;
}

async function findPerson({ db }: Context, id: number) {
  const person = await db
    .selectFrom('user_account as u')
    .innerJoin('role as r', 'r.id', 'u.role_id')
    .select(['u.id', 'u.name', 'u.role_id', 'u.scope_level', 'u.corporation_id', 'r.name as role'])
    .where('u.id', '=', id)
    .where('u.is_service', '=', false)
    .executeTakeFirst();
  if (!person) throw new BusinessError('not_found');
  return person;
}

/** Mounts the permissions of roles and people, and their changes. */
export function matrixCalls(app: App): void {
  mount(app, contract.rolePermissions, async (ctx) => ({
    permissions: await allPermissions(ctx),
    levels: levelsBelow(ctx.caller).map((id) => ({ id, name: translate(ctx.locale, `scope_level.${id}`) })),
    menus: await allMenus(ctx),
  }));
  mount(app, contract.permissionsRenderForm, async (ctx) => ({ menu: await allMenus(ctx) }));

  mount(app, contract.assignableRoles, async ({ db }) => ({
    data: await db.selectFrom('role').select(['id', 'name', 'level']).orderBy('level').orderBy('id').execute(),
  }));
  mount(app, contract.showRolePermissions, async (ctx, { params }) => {
    const role = await findRole(ctx, params.id);
    return {
      data: {
        id: role.id,
        name: role.name,
        editable: mayAssign(ctx, role),
        permissions: await allPermissions(ctx, role.guard, role.name === READ_ONLY_ROLE),
        menus: await allMenus(ctx),
        held: namesOf(await permissionsOfRole(ctx, role.id)),
        inherited: [],
      },
    };
  });
  mount(app, contract.assignPermissions, async (ctx, { params, body }) => {
    const role = await findRole(ctx, params.id);
    requirePlatform(ctx.caller);
    if (role.level < ctx.caller.scope_level) throw new BusinessError('forbidden');
    // The super admin always holds everything; otherwise nobody could grant that permission again.
    if (role.name === 'super_admin') throw new BusinessError('role_built_in');
    const { add, remove } = await difference(ctx, body, role.guard);
    requireReading(role.name, add);
    const before = await permissionsOfRole(ctx, role.id);
    if (remove.length > 0) {
      await ctx.db
        .deleteFrom('role_permission')
        .where('role_id', '=', role.id)
        .where('permission_id', 'in', idsOf(remove))
        .execute();
    }
    if (add.length > 0) {
      await ctx.db
        .insertInto('role_permission')
        .values(idsOf(add).map((permission_id) => ({ role_id: role.id, permission_id })))
        .onConflict((c) => c.doNothing())
        .execute();
    }
    const after = await permissionsOfRole(ctx, role.id);
    if (after.length === 0) throw new BusinessError('permission_required');
    await logDifference(
      ctx,
      { name: 'assign-permissions', type: 'roles', id: role.id, corporation_id: null },
      before,
      after,
    );
    await tellEverybody(ctx, { role: role.name });
    return { held: namesOf(after), message: translate(ctx.locale, 'rights.saved') };
  });

  mount(app, contract.permissionHolders, async ({ db }, { query }) => {
    const pattern = containing(query.search ?? '');
    return {
      data: await db
        .selectFrom('user_account')
        .select(['id', 'name', 'email'])
        .where('is_service', '=', false)
        .where((eb) => eb.or([eb('name', 'ilike', pattern), eb('email', 'ilike', pattern)]))
        .orderBy('name')
        .orderBy('id')
        .limit(50)
        .execute(),
    };
  });
  mount(app, contract.showUserPermissions, async (ctx, { params }) => {
    const person = await findPerson(ctx, params.id);
    return {
      data: {
        id: person.id,
        name: person.name,
        editable:
          ctx.caller.permissions.has('give-permissions-edit') && (await manageable(ctx, [person])).has(person.id),
        permissions: await allPermissions(ctx, undefined, person.role === READ_ONLY_ROLE),
        menus: await allMenus(ctx),
        held: namesOf(await permissionsGiven(ctx, person.id)),
        inherited: namesOf(await permissionsOfRole(ctx, person.role_id)),
      },
    };
  });
  mount(app, contract.givePermissions, async (ctx, { params, body }) => {
    const person = await findPerson(ctx, params.id);
    await requireManageable(ctx, person);
    const { add, remove } = await difference(ctx, body);
    requireReading(person.role, add);
    const before = await permissionsGiven(ctx, person.id);
    if (remove.length > 0) {
      await ctx.db
        .deleteFrom('user_permission')
        .where('user_id', '=', person.id)
        .where('permission_id', 'in', idsOf(remove))
        .execute();
    }
    if (add.length > 0) {
      await ctx.db
        .insertInto('user_permission')
        .values(idsOf(add).map((permission_id) => ({ user_id: person.id, permission_id })))
        .onConflict((c) => c.doNothing())
        .execute();
    }
    const after = await permissionsGiven(ctx, person.id);
    const about = { name: 'give-permissions', type: 'users', id: person.id, corporation_id: person.corporation_id };
    await logDifference(ctx, about, before, after);
    await tellRights(ctx, person.id);
    return { held: namesOf(after), message: translate(ctx.locale, 'rights.saved') };
  });
}

const idsOf = (permissions: readonly { id: number }[]) => permissions.map(({ id }) => id);

function mayAssign({ caller }: Context, role: { name: string; level: number }): boolean {
  const allowed = caller.permissions.has('assign-permissions-edit') && caller.scope_level < 2;
  return allowed && role.level >= caller.scope_level && role.name !== 'super_admin';
}

async function logDifference(
  ctx: Context,
  about: { name: string; type: string; id: number; corporation_id: number | null },
  before: readonly { name: string }[],
  after: readonly { name: string }[],
): Promise<void> {
  const had = new Set(namesOf(before));
  const has = new Set(namesOf(after));
  await audit(ctx, {
    name: about.name,
    description: 'updated',
    subject_type: about.type,
    subject_id: about.id,
    corporation_id: about.corporation_id,
    before: { permissions_taken: [...had].filter((name) => !has.has(name)) },
    after: { permissions_given: [...has].filter((name) => !had.has(name)) },
  });
}

import { permission, role } from '@heliograph/contract/access/permission';
import { requireVisible } from '#platform/access/visible';
import { type Context, requirePlatform } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { permissionsNamed, permissionsOfRole, tellEverybody } from './rights.ts';

const storedPermissions = tableStore(permission, {
  table: 'permission',
  from: 'permission_row',
  may: (row) => ({ delete: !row.built_in }),
});

/** Tells whether a permission opens the landing page of a person. */
async function isLandingPermission({ db }: Pick<Context, 'db'>, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('menu as m')
    .innerJoin('user_account as u', 'u.landing_page', 'm.url')
    .select('u.id')
    .where('m.permission', '=', name)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Permissions: one list for the whole platform. Those that the program checks keep their names. */
export const permissions: ResourceHandlers<typeof permission> = {
  ...storedPermissions,
  async create(ctx, call) {
    requirePlatform(ctx.caller);
    if (call.body.menu_id !== null) await requireVisible(ctx, 'menu', call.body.menu_id, 'menu_id');
    return storedPermissions.create(ctx, call);
  },
  async update(ctx, call) {
    const { data: before } = await storedPermissions.get(ctx, call);
    requirePlatform(ctx.caller);
    const { name, guard, menu_id } = call.body;
    const renamed = (name !== undefined && name !== before.name) || (guard !== undefined && guard !== before.guard);
    if (renamed && before.built_in) throw new BusinessError('permission_built_in');
    if (renamed && (await isLandingPermission(ctx, before.name))) throw new BusinessError('permission_is_landing_page');
    if (menu_id !== undefined && menu_id !== null) await requireVisible(ctx, 'menu', menu_id, 'menu_id');
    const reply = await storedPermissions.update(ctx, call);
    if (renamed) {
      await ctx.db
        .updateTable('menu')
        .set({ permission: reply.data.name })
        .where('permission', '=', before.name)
        .execute();
      await tellEverybody(ctx, {});
    }
    return reply;
  },
  async remove(ctx, call) {
    const { data: before } = await storedPermissions.get(ctx, call);
    requirePlatform(ctx.caller);
    if (await isLandingPermission(ctx, before.name)) throw new BusinessError('permission_is_landing_page');
    if (before.built_in) throw new BusinessError('permission_built_in');
    const reply = await storedPermissions.remove(ctx, call);
    await tellEverybody(ctx, {});
    return reply;
  },
};

const storedRoles = tableStore(role, {
  table: 'role',
  from: 'role_row',
  // A role above the caller is read-only, and the program's own are never removed.
  may({ level, built_in }, { scope_level }) {
    const below = scope_level < 2 && level >= scope_level;
    return { edit: below, delete: below && !built_in };
  },
});

function requireBelow(ctx: Context, level: number): void {
  requirePlatform(ctx.caller);
  if (level < ctx.caller.scope_level) throw new BusinessError('forbidden');
}

/** Roles: one list for the whole platform, each with a level that its holders' scope never exceeds. */
export const roles: ResourceHandlers<typeof role> = {
  ...storedRoles,
  async create(ctx, call) {
    const { permissions: names, ...fields } = call.body;
    requirePlatform(ctx.caller);
    if (fields.level < ctx.caller.scope_level) throw fieldError('level', 'level_above');
    const found = await permissionsNamed(ctx, [...new Set(names)]);
    if (found.some((each) => each === undefined || each.guard !== fields.guard))
      throw fieldError('permissions', 'not_visible');
    const given = found.filter((each) => each !== undefined);
    if (!given.every(({ name }) => ctx.caller.permissions.has(name))) throw new BusinessError('permission_missing');
    const reply = await storedRoles.create(ctx, { ...call, body: fields as typeof call.body });
    await ctx.db
      .insertInto('role_permission')
      .values(given.map(({ id }) => ({ role_id: reply.data.id, permission_id: id })))
      .execute();
    const { data } = await storedRoles.get(ctx, { params: { id: reply.data.id }, query: {}, body: {} });
    return { ...reply, data };
  },
  async update(ctx, call) {
    const { data: before } = await storedRoles.get(ctx, call);
    requireBelow(ctx, before.level);
    const { name, guard, level } = call.body;
    const changed =
      (name !== undefined && name !== before.name) ||
      (guard !== undefined && guard !== before.guard) ||
      (level !== undefined && level !== before.level);
    if (changed && before.built_in) throw new BusinessError('role_built_in');
    if (level !== undefined && level !== before.level) {
      if (level < ctx.caller.scope_level) throw fieldError('level', 'level_above');
      // A holder's scope is at or below the role's level, so the level must not fall below its holders.
      const holder = await ctx.db
        .selectFrom('user_account')
        .select('id')
        .where('role_id', '=', before.id)
        .where('scope_level', '<', level)
        .limit(1)
        .executeTakeFirst();
      if (holder) throw new BusinessError('role_level_in_use');
    }
    if (guard !== undefined && guard !== before.guard && (await permissionsOfRole(ctx, before.id)).length > 0)
      throw fieldError('guard', 'guard_in_use');
    return storedRoles.update(ctx, call);
  },
  async remove(ctx, call) {
    const { data: before } = await storedRoles.get(ctx, call);
    requireBelow(ctx, before.level);
    if (before.built_in) throw new BusinessError('role_built_in');
    return storedRoles.remove(ctx, call);
  },
};

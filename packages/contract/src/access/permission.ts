import { z } from 'zod';
import { reference } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply, idParams, resource } from '../kernel/resource.ts';
import { scopeLevel } from './user.ts';

/** Guards of permissions; permissions of one guard never mix with those of another. */
export const GUARDS = ['api', 'web'] as const;
const guard = z.enum(GUARDS);

/** Name of a permission: `{area}-{action}` in lower case. */
export const permissionName = z
  .string()
  .trim()
  .max(120)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)+$/, { error: 'permission_name' });

const permissionInput = z.object({
  name: permissionName,
  guard,
  /** The parent menu. */
  menu_id: reference('menus').nullable(),
});

export const permission = resource({
  name: 'permissions',
  row: permissionInput.extend({
    menu_title: z.string().nullable(),
    /** True for a permission that the program itself checks: its name cannot change. */
    built_in: z.boolean(),
  }),
  create: permissionInput.extend({ guard: guard.default('api'), menu_id: permissionInput.shape.menu_id.default(null) }),
  update: permissionInput.partial(),
  filters: z.object({ guard: guard.optional(), menu_id: z.coerce.number().int().optional() }),
  sort: ['name', 'menu_title', 'created_at'],
  title: 'name',
  conflicts: { permission_name_key: 'permission_already_exists' },
  errors: ['forbidden', 'permission_built_in', 'permission_is_landing_page'],
});

const names = z.array(z.string().max(120)).max(1000);

const roleInput = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .regex(/^[^\p{Cc}]*$/u, { error: 'control_characters' }),
  guard,
  level: scopeLevel,
});

export const role = resource({
  name: 'roles',
  proof: { create: 'always', update: 'always' },
  row: roleInput.extend({
    built_in: z.boolean(),
    permissions_count: z.int(),
    users_count: z.int(),
    unlimited: z.boolean(),
  }),
  create: roleInput.extend({
    guard: guard.default('api'),
    permissions: names.min(1, { error: 'permission_required' }),
  }),
  update: roleInput.partial(),
  filters: z.object({ guard: guard.optional(), level: z.coerce.number().int().optional() }),
  sort: ['name', 'level', 'created_at'],
  title: 'name',
  groups: { general: ['name', 'level', 'guard'], permissions: ['permissions'] },
  conflicts: { role_name_key: 'role_already_exists', role_name_once: 'role_already_exists' },
  errors: ['forbidden', 'role_built_in', 'role_level_in_use'],
});

const permissionEntry = z.object({
  id: z.int(),
  name: z.string(),
  guard,
  area: z.string(),
  action: z.string(),
  menu_id: z.int().nullable(),
  /** False if the caller lacks the permission and so cannot grant or remove it. */
  grantable: z.boolean(),
});
export type PermissionEntry = z.output<typeof permissionEntry>;

const menuEntry = z.object({
  id: z.int(),
  parent_id: z.int().nullable(),
  title: z.string(),
  labels: z.record(z.string(), z.string()).nullable(),
  position: z.int(),
});

/** Lists all permissions, and the levels that the caller may give a role. */
export const rolePermissions = operation({
  method: 'GET',
  path: '/api/v1/roles/permissions',
  permission: 'roles-index',
  reply: z.object({
    permissions: z.array(permissionEntry),
    levels: z.array(z.object({ id: scopeLevel, name: z.string() })),
    menus: z.array(menuEntry),
  }),
});

/** Lists the menu entries that a permission can belong to. */
export const permissionsRenderForm = operation({
  method: 'GET',
  path: '/api/v1/permissions/render-form',
  permission: 'permissions-index',
  reply: z.object({ menu: z.array(menuEntry) }),
});

/** All permissions, and those of them that a role or a person holds. */
const matrix = z.object({
  id: z.int(),
  name: z.string(),
  /** False if the caller may only view it. */
  editable: z.boolean(),
  permissions: z.array(permissionEntry),
  menus: z.array(menuEntry),
  /** Names held directly. */
  held: z.array(z.string()),
  /** Names that a person holds through their role; they are not granted or removed here. */
  inherited: z.array(z.string()),
});
export type PermissionMatrix = z.output<typeof matrix>;

/** Difference only, so that two people who edit at the same time do not undo each other's changes. */
const difference = z.object({ add: names.default([]), remove: names.default([]) });
const changed = doneReply.extend({ held: z.array(z.string()) });

/** Returns the permissions of a role. */
export const showRolePermissions = operation({
  method: 'GET',
  path: '/api/v1/assign-permissions/:id',
  permission: 'assign-permissions-index',
  params: idParams,
  reply: z.object({ data: matrix }),
  errors: ['not_found'],
});

export const assignPermissions = operation({
  method: 'PATCH',
  path: '/api/v1/assign-permissions/:id',
  permission: 'assign-permissions-edit',
  proof: 'always',
  params: idParams,
  body: difference,
  reply: changed,
  errors: ['not_found', 'forbidden', 'role_built_in', 'permission_missing', 'permission_required', 'read_only_role'],
});

/** Lists the roles with permissions that the caller may view. */
export const assignableRoles = operation({
  method: 'GET',
  path: '/api/v1/assign-permissions',
  permission: 'assign-permissions-index',
  reply: z.object({ data: z.array(z.object({ id: z.int(), name: z.string(), level: scopeLevel })) }),
});

/** Returns the permissions granted directly to a person, in addition to those of their role. */
export const showUserPermissions = operation({
  method: 'GET',
  path: '/api/v1/give-permissions/:id',
  permission: 'give-permissions-index',
  params: idParams,
  reply: z.object({ data: matrix }),
  errors: ['not_found'],
});

export const givePermissions = operation({
  method: 'PATCH',
  path: '/api/v1/give-permissions/:id',
  permission: 'give-permissions-edit',
  proof: 'always',
  params: idParams,
  body: difference,
  reply: changed,
  errors: ['not_found', 'forbidden', 'own_user', 'permission_missing', 'read_only_role'],
});

/** Finds people by name or email address whose permissions the caller may view. */
export const permissionHolders = operation({
  method: 'GET',
  path: '/api/v1/give-permissions',
  permission: 'give-permissions-index',
  query: z.object({ search: z.string().trim().max(100).optional() }),
  reply: z.object({ data: z.array(z.object({ id: z.int(), name: z.string(), email: z.string() })) }),
});

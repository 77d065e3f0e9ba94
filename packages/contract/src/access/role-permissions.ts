import { RISING_ROLES } from '../kernel/screen.ts';
import { SCREENS } from '../kernel/screen-list.ts';

/** Roles of every installation. Their default permissions are in the declarations of the screens. */
export const ROLES = [
  'super_admin',
  'admin',
  'reseller',
  'corporate_admin',
  'department_admin',
  'corporate_user',
  'read_only_user',
] as const;
export type RoleName = (typeof ROLES)[number];

/** The role level (see scope.ts) of each role. */
export const ROLE_LEVELS = {
  super_admin: 0,
  admin: 1,
  reseller: 2,
  corporate_admin: 2,
  department_admin: 3,
  corporate_user: 4,
  read_only_user: 4,
} as const satisfies Record<RoleName, number>;

/** Actions of each area, such as `run` of `campaigns`. */
export const PERMISSION_AREAS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  SCREENS.map(({ area, rights }) => [area, Object.values(rights).flat()] as const).filter(
    ([, actions]) => actions.length > 0,
  ),
);

/** All permission names, such as `campaigns-run`. */
export const PERMISSIONS: readonly string[] = Object.entries(PERMISSION_AREAS).flatMap(([area, actions]) =>
  actions.map((action) => `${area}-${action}`),
);

/** Permission to see the console as a customer does. */
export const SUPPORT_PERMISSION = 'users-support';

/** Role of people who see everything of their corporation or department, and change only their own profile. */
export const READ_ONLY_ROLE = 'read_only_user' satisfies RoleName;

/** Returns whether a permission only reads. The connectivity test does not: it sends to other hosts. */
export const isReading = (permission: string): boolean =>
  /-(index|show|view|download)$/.test(permission) && permission !== 'connectivity-test-index';

/** Areas of keys, secrets, sign-in and rights, which a support session does not show. */
const SECURITY_AREAS: ReadonlySet<string> = new Set([
  'api-keys',
  'service-accounts',
  'callbacks',
  'merchant-accounts',
  'scheduled-files',
  'audit-streams',
  'smpp-system-ids',
  'identity-providers',
  'sign-in-policies',
  'give-permissions',
  'assign-permissions',
  'roles',
  'permissions',
  'privacy',
]);

/** Returns whether a support session keeps a permission of the person whose console it shows. */
export const isSeenBySupport = (permission: string): boolean =>
  permission !== SUPPORT_PERMISSION && !SECURITY_AREAS.has(permission.slice(0, permission.lastIndexOf('-')));

/** Returns the names of the permissions that a role has by default. */
export function permissionsOf(role: RoleName): string[] {
  if (role === 'super_admin') return [...PERMISSIONS];
  if (role === READ_ONLY_ROLE)
    return permissionsOf('corporate_admin').filter((name) => isReading(name) && !name.endsWith('-download'));
  const lower = RISING_ROLES.slice(0, RISING_ROLES.indexOf(role) + 1);
  return SCREENS.flatMap(({ area, rights }) =>
    lower.flatMap((each) => (rights[each] ?? []).map((action) => `${area}-${action}`)),
  );
}

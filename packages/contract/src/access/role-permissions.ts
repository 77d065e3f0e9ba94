/**
 * Default permissions of each role; this file is the only place that decides them. `*` stands for every permission,
 * `area-*` for all of an area. The super admin holds everything.
 */
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

/** All permissions by area. The five usual actions of an area are index, create, show, edit and delete. */
const usual = ['index', 'create', 'show', 'edit', 'delete'] as const;
export const PERMISSION_AREAS: Readonly<Record<string, readonly string[]>> = {
  dashboard: ['index'],
  campaigns: [...usual, 'run', 'test'],
  'pending-campaigns': ['index', 'approve', 'discard'],
  'running-campaigns': ['index', 'stop', 'pause'],
  'schedule-campaigns': ['index', 'stop', 'reschedule'],
  inbox: ['index', 'reply', 'mark', 'delete', 'download'],
  templates: usual,
  corporations: usual,
  departments: usual,
  'assign-sender-ids': usual,
  'blackout-time': usual,
  'number-lists': [...usual, 'upload', 'download'],
  'individual-numbers': usual,
  'blacklist-numbers': [...usual, 'upload'],
  'opt-outs': [...usual, 'upload', 'download'],
  aliases: usual,
  routings: usual,
  callbacks: usual,
  'api-keys': usual,
  'billing-accounts': [...usual, 'payment', 'suspend'],
  'sender-ids': [...usual, 'upload'],
  'price-plans': usual,
  'rate-zones': usual,
  rates: [...usual, 'upload'],
  'blacklist-text': usual,
  'connection-types': usual,
  languages: usual,
  transactions: ['index', 'download'],
  'credit-changes': ['index', 'download'],
  'campaign-history': ['index', 'download'],
  'rate-details': ['index', 'download'],
  'summary-reports': ['index', 'download'],
  'application-logs': ['index', 'download'],
  'activity-logs': ['index', 'download'],
  menu: usual,
  users: [...usual, 'reset-password', 'unlock', 'supervisors'],
  permissions: usual,
  roles: usual,
  'assign-permissions': ['index', 'edit'],
  'give-permissions': ['index', 'edit'],
  teams: [...usual, 'assign'],
  'global-configurations': usual,
  articles: usual,
  'change-log': usual,
  'connectivity-test': ['index'],
  links: usual,
  nodes: ['index', 'drain'],
  'smpp-system-ids': usual,
  'smpp-sessions': ['index', 'unbind'],
  'carrier-routes': usual,
  documentation: ['view'],
};

/** All permission names, such as `campaigns-run`. */
export const PERMISSIONS: readonly string[] = Object.entries(PERMISSION_AREAS).flatMap(([area, actions]) =>
  actions.map((action) => `${area}-${action}`),
);

/** Permissions of everybody in a corporation: they only view. */
const looking = [
  'dashboard-index',
  'campaigns-index',
  'campaigns-show',
  'running-campaigns-index',
  'number-lists-index',
  'number-lists-show',
  'individual-numbers-index',
  'transactions-index',
  'campaign-history-index',
  'summary-reports-index',
  'documentation-view',
];
const corporateUser = [
  ...looking,
  'campaigns-create',
  'campaigns-test',
  'campaigns-edit',
  'pending-campaigns-index',
  'schedule-campaigns-*',
  'running-campaigns-*',
  'inbox-*',
  'templates-index',
  'templates-show',
  'number-lists-*',
  'individual-numbers-*',
  'opt-outs-index',
  'opt-outs-show',
  'sender-ids-index',
  'sender-ids-show',
  'transactions-download',
  'rate-details-index',
];
const departmentAdmin = [
  ...corporateUser,
  'campaigns-*',
  'pending-campaigns-*',
  'templates-*',
  'blacklist-numbers-*',
  'opt-outs-*',
  'departments-index',
  'departments-show',
  'billing-accounts-index',
  'billing-accounts-show',
  'credit-changes-*',
  'campaign-history-*',
  'summary-reports-*',
  'users-index',
  'users-show',
  'callbacks-*',
  'api-keys-*',
];
const corporateAdmin = [
  ...departmentAdmin,
  'corporations-index',
  'corporations-show',
  'departments-*',
  'sender-ids-*',
  'assign-sender-ids-*',
  'blackout-time-*',
  'aliases-*',
  'routings-*',
  'users-*',
  'activity-logs-*',
  'rate-details-*',
  'give-permissions-*',
  'smpp-system-ids-*',
  'smpp-sessions-*',
];
const reseller = [
  ...corporateAdmin,
  'corporations-*',
  'billing-accounts-*',
  'price-plans-*',
  'rates-*',
  'rate-zones-index',
  'connection-types-index',
  'teams-index',
  'teams-show',
  'teams-edit',
];

/** Role of people who see everything of their corporation or department, and change only their own profile. */
export const READ_ONLY_ROLE: RoleName = 'read_only_user';

/** Returns whether a permission only reads. The connectivity test does not: it sends to other hosts. */
export const isReading = (permission: string): boolean =>
  /-(index|show|view|download)$/.test(permission) && permission !== 'connectivity-test-index';

export const ROLE_PERMISSIONS: Readonly<Record<RoleName, readonly string[]>> = {
  super_admin: ['*'],
  admin: ['*'],
  reseller,
  corporate_admin: corporateAdmin,
  department_admin: departmentAdmin,
  corporate_user: corporateUser,
  read_only_user: permissionsOfGrants(corporateAdmin).filter((name) => isReading(name) && !name.endsWith('-download')),
};

/** Returns the permission names of a role, with its wildcards expanded. */
export const permissionsOf = (role: RoleName): string[] => permissionsOfGrants(ROLE_PERMISSIONS[role]);

function permissionsOfGrants(grants: readonly string[]): string[] {
  const held = new Set<string>();
  for (const grant of grants) {
    for (const name of PERMISSIONS) {
      if (
        grant === '*' ||
        grant === name ||
        (grant.endsWith('-*') && name.startsWith(grant.slice(0, -1)) && areaOf(name) === grant.slice(0, -2))
      ) {
        held.add(name);
      }
    }
  }
  return [...held];
}

/**
 * Returns the area of a permission name: `number-lists` of `number-lists-upload`. Throws RangeError if it is unknown.
 */
export function areaOf(permission: string): string {
  for (const [area, actions] of Object.entries(PERMISSION_AREAS)) {
    if (permission.startsWith(`${area}-`) && actions.includes(permission.slice(area.length + 1))) return area;
  }
  throw new RangeError(`no such permission: ${permission}`);
}

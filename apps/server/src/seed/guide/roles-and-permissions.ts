import { PERMISSION_AREAS, permissionsOf, ROLES } from '@heliograph/contract/access/role-permissions';
import { keyIn, type MessageKey } from '@heliograph/contract/kernel/message-keys';
import { translate } from '../../platform/text/i18n.ts';

/** Answers the English words of the first of several keys that has any; otherwise the name itself, written out. */
function say(name: string, ...keys: MessageKey[]): string {
  const known = keys.map((key) => ({ key, text: translate('en', key) })).find(({ key, text }) => text !== key);
  return known?.text ?? (name.charAt(0).toUpperCase() + name.slice(1)).replaceAll('-', ' ');
}

/** Writes the article about the permissions of roles: the default of each role, area by area, as Markdown. */
export function rolesAndPermissions(): string {
  const held = new Map(ROLES.map((role) => [role, new Set(permissionsOf(role))]));
  const rows = Object.entries(PERMISSION_AREAS).map(([area, actions]) => {
    const cells = ROLES.map((role) => {
      const may = actions.filter((action) => held.get(role)!.has(`${area}-${action}`));
      if (may.length === 0) return '–';
      return may.length === actions.length
        ? 'all'
        : may.map((action) => say(action, keyIn('rights.actions', action)).toLowerCase()).join(', ');
    });
    return `| ${say(area, keyIn('rights.areas', area), keyIn('menu', area))} | ${cells.join(' | ')} |`;
  });
  return `# Roles and permissions

Everybody has one role. A role is a set of permissions, and a permission opens a screen or lets you do one thing on it. This
table shows what each role may do from the start. Administrators can change it under
[Assign permissions](/document/0?article=assign-permissions), and give single people more under
[Give permissions](/document/0?article=give-permissions), so yours may differ. What you hold yourself is shown on
[your profile](/document/0?article=profile).

A role also has a level, which says how far its people see: the whole platform (super admin and admin), one corporation
(reseller with its customers, corporate admin), one department (department admin), or their own work (corporate user). A
permission never shows more than the level does.

A read-only user sees everything that their department holds, or all of the corporation or platform where their scope level says
so, whoever made it. They change nothing but their own profile, views and notifications: a permission that changes something
cannot be given to them.

| Area | ${ROLES.map((role) => say(role, `roles.${role}`)).join(' | ')} |
| --- |${' --- |'.repeat(ROLES.length)}
${rows.join('\n')}

“all” means every action of the area, and “–” none. You cannot give anybody a permission, a role or a level that you do not hold
yourself.
`;
}

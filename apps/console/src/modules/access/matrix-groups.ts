import type { PermissionEntry, PermissionMatrix } from '@heliograph/contract/access/permission';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { SCREENS } from '@heliograph/contract/kernel/screen-list';
import i18next from 'i18next';
import { menuLabel } from '../../platform/menu-label.ts';

/** Actions that have their own columns. The other actions of an area follow them. */
export const USUAL = ['index', 'create', 'show', 'edit', 'delete'] as const;

export interface Area {
  name: string;
  label: string;
  permissions: PermissionEntry[];
}
export interface Group {
  key: string;
  label: string;
  areas: Area[];
}

/** Returns the label of an action. */
export const actionLabel = (action: string): string =>
  i18next.t(keyIn('rights.actions', action), { defaultValue: action.replaceAll('-', ' ') });

/** Returns the label of an area: its menu entry's, if it has one. */
function areaLabel(area: string, entry: PermissionMatrix['menus'][number] | undefined): string {
  const own = i18next.t(keyIn('rights.areas', area), { defaultValue: '' });
  return own || (entry ? menuLabel(entry) : i18next.t(keyIn('menu', TITLES.get(area) ?? area), { defaultValue: area }));
}

/** Title of the first screen of each area. */
const TITLES = new Map(SCREENS.toReversed().map(({ area, title }) => [area as string, title]));

/** Returns the name of a permission for a person, such as “Users: Delete”. */
export function nameOfPermission(name: string): string {
  // The name of one area can be the beginning of another's.
  const areas = [...TITLES.keys()].filter((area) => name.startsWith(`${area}-`));
  const area = areas.sort((a, b) => b.length - a.length)[0] ?? name.slice(0, name.lastIndexOf('-'));
  return `${areaLabel(area, undefined)}: ${actionLabel(name.slice(area.length + 1))}`;
}

/** Returns the label of a permission: area and action. */
export function permissionLabel(permission: PermissionEntry, menus: PermissionMatrix['menus']): string {
  const entry = menus.find(({ id }) => id === permission.menu_id);
  return `${areaLabel(permission.area, entry)}: ${actionLabel(permission.action)}`;
}

/**
 * Groups all permissions by the menu's groups, in the order of the menu. Permissions without a menu entry come last.
 * `search` narrows them.
 */
export function groupsOf(
  { permissions, menus }: Pick<PermissionMatrix, 'permissions' | 'menus'>,
  search: string,
): Group[] {
  const byId = new Map(menus.map((entry) => [entry.id, entry]));
  const topOf = (id: number | null) => {
    let entry = id === null ? undefined : byId.get(id);
    for (let i = 0; entry?.parent_id && i < menus.length; i++) entry = byId.get(entry.parent_id);
    return entry;
  };
  const areas = new Map<string, PermissionEntry[]>();
  for (const permission of permissions) areas.set(permission.area, [...(areas.get(permission.area) ?? []), permission]);
  const groups = new Map<string, Group & { position: number }>();
  const wanted = search.trim().toLowerCase();
  for (const [name, all] of areas) {
    const menuId = all.find(({ menu_id }) => menu_id !== null)?.menu_id ?? null;
    const label = areaLabel(name, menuId === null ? undefined : byId.get(menuId));
    const found = all.filter(
      (each) => wanted === '' || `${label} ${actionLabel(each.action)} ${each.name}`.toLowerCase().includes(wanted),
    );
    if (found.length === 0) continue;
    const top = topOf(menuId);
    const key = top ? String(top.id) : 'other';
    const group = groups.get(key) ?? {
      key,
      label: top ? menuLabel(top) : i18next.t('rights.other'),
      position: top?.position ?? Number.MAX_SAFE_INTEGER,
      areas: [],
    };
    group.areas.push({ name, label, permissions: found });
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => a.position - b.position);
}

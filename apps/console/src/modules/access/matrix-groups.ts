import type { PermissionEntry, PermissionMatrix } from '@heliograph/contract/access/permission';
import i18next from 'i18next';
import { menuLabel } from '../../platform/menu-label.ts';

/** The actions that stand in columns; an area's others follow them. */
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

/** What an action is called. */
export const actionLabel = (action: string): string =>
  i18next.t(`rights.actions.${action}`, { defaultValue: action.replaceAll('-', ' ') });

/** What an area is called: by its menu entry where it has one. */
function areaLabel(area: string, entry: PermissionMatrix['menus'][number] | undefined): string {
  const own = i18next.t(`rights.areas.${area}`, { defaultValue: '' });
  return own || (entry ? menuLabel(entry) : i18next.t(`menu.${area}`, { defaultValue: area }));
}

/** A permission in words: area and action. */
export function permissionLabel(permission: PermissionEntry, menus: PermissionMatrix['menus']): string {
  const entry = menus.find(({ id }) => id === permission.menu_id);
  return `${areaLabel(permission.area, entry)}: ${actionLabel(permission.action)}`;
}

/** All permissions by the menu's groups in its order; what has no menu entry comes last. `search` narrows them. */
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

import { navBarMenus } from '@heliograph/contract/access/menu';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { Context } from '#platform/context';
import { type App, mount } from '#platform/http';

/** The main menu as the caller may see it: an entry needs its permission, a group at least one entry. */
export async function menuOf({ db, caller }: Pick<Context, 'db' | 'caller'>): Promise<ReplyOf<typeof navBarMenus>> {
  const rows = await db
    .selectFrom('menu')
    .select(['id', 'parent_id', 'title', 'url', 'icon', 'permission'])
    .orderBy('position')
    .orderBy('id')
    .execute();
  const seen = rows.filter(({ permission }) => permission === null || caller.permissions.has(permission));
  const shown = ({ title, url, icon }: (typeof rows)[number]) => ({ title, url, icon });
  return {
    data: seen
      .filter(({ parent_id }) => parent_id === null)
      .map((entry) => ({
        ...shown(entry),
        children: seen.filter(({ parent_id, url }) => parent_id === entry.id && url !== '').map(shown),
      }))
      .filter(({ url, children }) => url !== '' || children.length > 0),
  };
}

/** Mounts the calls about rights. */
export function mountAccess(app: App): void {
  mount(app, navBarMenus, (ctx) => menuOf(ctx));
}

import * as contract from '@heliograph/contract/access/menu';
import { depthOf, type Entry, treeFault } from '@heliograph/contract/access/menu-tree';
import type { BodyOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { audit } from '#platform/access/audit';
import { type Context, requirePlatform } from '#platform/context';
import { BusinessError, constraintError, fieldError } from '#platform/errors';
import { requireVersion } from '#platform/http/edit-version';
import type { ResourceHandlers } from '#platform/http/http';
import { tableStore } from '#platform/records/table-store';
import { translate } from '#platform/text/i18n';
import { tellEverybody } from './rights.ts';

const stored = tableStore(contract.menu, { table: 'menu', from: 'menu_row', searched: ['title', 'url'] });

type Labels = Record<string, string> | null;
type Child = ReplyOf<typeof contract.navBarMenus>['data'][number]['children'][number];

/** Builds the main menu that the caller may see: an entry needs its permission, a group at least one entry. */
export async function menuOf({
  db,
  caller,
}: Pick<Context, 'db' | 'caller'>): Promise<ReplyOf<typeof contract.navBarMenus>> {
  const rows = await db
    .selectFrom('menu')
    .select(['id', 'parent_id', 'title', 'labels', 'url', 'icon', 'permission'])
    .orderBy('position')
    .orderBy('id')
    .execute();
  const seen = rows
    .filter(({ permission }) => permission === null || caller.permissions.has(permission))
    .map((row) => ({ ...row, labels: row.labels as Labels }));
  const shown = ({ title, labels, url, icon }: (typeof seen)[number]) => ({ title, labels, url, icon });
  const inside = (id: number | null) => seen.filter(({ parent_id }) => parent_id === id);
  const links = (child: (typeof seen)[number]): Child[] => {
    if (child.url !== '') return [{ ...shown(child), group: null }];
    const group = { title: child.title, labels: child.labels };
    return inside(child.id)
      .filter(({ url }) => url !== '')
      .map((link) => ({ ...shown(link), group }));
  };
  return {
    data: inside(null)
      .map((entry) => ({ ...shown(entry), children: inside(entry.id).flatMap(links) }))
      .filter(({ url, children }) => url !== '' || children.length > 0),
  };
}

const readTree = ({ db }: Context): Promise<Entry[]> =>
  db.selectFrom('menu').select(['id', 'parent_id', 'url']).execute();

/** Throws if an entry would be too deep, inside itself, or inside a link of a submenu. */
async function checkTree(ctx: Context, change: (tree: Entry[]) => Entry[]): Promise<void> {
  const fault = treeFault(change(await readTree(ctx)));
  if (fault) throw new BusinessError('menu_too_deep');
}

/** Tells whether a route is the landing page of a person. */
async function isLandingPage({ db }: Context, url: string): Promise<boolean> {
  if (url === '') return false;
  return (
    (await db.selectFrom('user_account').select('id').where('landing_page', '=', url).limit(1).executeTakeFirst()) !==
    undefined
  );
}

const jsonLabels = (labels: object | null | undefined) => (labels ? JSON.stringify(labels) : null);

/** Binds the permissions of a new entry to it, and creates missing ones; answers the one that opens the entry. */
async function makePermissions(ctx: Context, menuId: number, url: string, actions: readonly string[]) {
  const names = [...new Set(actions.map((action) => `${url}-${action}`))];
  if (names.length === 0) return null;
  await ctx.db
    .insertInto('permission')
    .values(names.map((name) => ({ name, menu_id: menuId })))
    .onConflict((c) => c.column('name').doNothing())
    .execute();
  await ctx.db
    .updateTable('permission')
    .set({ menu_id: menuId })
    .where('name', 'in', names)
    .where('menu_id', 'is', null)
    .execute();
  return names.includes(`${url}-index`) ? `${url}-index` : null;
}

const customActions = (text: string) =>
  text
    .split(',')
    .map((action) => action.trim())
    .filter((action) => action !== '');

/** The menu: one tree for the whole platform. The program's own entries keep their routes. */
export const menus: ResourceHandlers<typeof contract.menu> = {
  ...stored,
  async create(ctx, { params, query, body }) {
    requirePlatform(ctx.caller);
    const { permissions, custom_permissions, ...fields } = body;
    const actions = [...permissions, ...customActions(custom_permissions)];
    if (actions.length > 0 && fields.url === '') throw fieldError('url', 'required');
    await checkTree(ctx, (tree) => [...tree, { id: 0, parent_id: fields.parent_id, url: fields.url }]);
    const reply = await stored.create(ctx, {
      params,
      query,
      body: { ...fields, labels: jsonLabels(fields.labels) } as unknown as typeof body,
    });
    const permission = await makePermissions(ctx, reply.data.id, fields.url, actions);
    if (permission) await ctx.db.updateTable('menu').set({ permission }).where('id', '=', reply.data.id).execute();
    await tellEverybody(ctx, {});
    const { data } = await stored.get(ctx, { params: { id: reply.data.id }, query: {}, body: {} });
    return { ...reply, data };
  },
  async update(ctx, call) {
    const { data: before } = await stored.get(ctx, call);
    requirePlatform(ctx.caller);
    const { url, parent_id, labels } = call.body;
    if (url !== undefined && url !== before.url) {
      if (before.built_in) throw new BusinessError('menu_built_in');
      if (await isLandingPage(ctx, before.url)) throw new BusinessError('menu_is_landing_page');
    }
    if (url !== undefined || parent_id !== undefined) {
      await checkTree(ctx, (tree) =>
        tree.map((entry) =>
          entry.id === before.id
            ? { id: entry.id, parent_id: parent_id === undefined ? entry.parent_id : parent_id, url: url ?? entry.url }
            : entry,
        ),
      );
    }
    const body = labels === undefined ? call.body : { ...call.body, labels: jsonLabels(labels) };
    const reply = await stored.update(ctx, { ...call, body: body as typeof call.body });
    if (Object.keys(call.body).length > 0) await tellEverybody(ctx, {});
    return reply;
  },
  async remove(ctx, call) {
    const { data: before } = await stored.get(ctx, call);
    requirePlatform(ctx.caller);
    if (await isLandingPage(ctx, before.url)) throw new BusinessError('menu_is_landing_page');
    const reply = await stored.remove(ctx, call);
    await tellEverybody(ctx, {});
    return reply;
  },
};

/** Lists the entries that may contain another: those that are no links and not too deep already. */
export async function renderForm(ctx: Context): Promise<ReplyOf<typeof contract.menusRenderForm>> {
  const rows = await ctx.db
    .selectFrom('menu')
    .select(['id', 'title', 'labels', 'parent_id', 'url'])
    .orderBy('position')
    .orderBy('id')
    .execute();
  return {
    parentMenus: rows
      .filter((row) => row.url === '' && depthOf(rows, row) < contract.MENU_DEPTH)
      .map(({ url: _, ...row }) => ({ ...row, labels: row.labels as Labels })),
  };
}

type Place = { id: number; parent_id: number | null };

/** Writes the order of the entries in each place as a text that can be compared. */
function orderOf(entries: readonly Place[]): string {
  const inside = Map.groupBy(entries, ({ parent_id }) => parent_id ?? 0);
  return [...inside]
    .map(([parent, children]) => `${parent}: ${children.map(({ id }) => id)}`)
    .sort()
    .join('; ');
}

/**
 * Puts all entries into their places in one call. Throws `changed_meanwhile` if another person added or removed one,
 * and `edit_conflict` if one was moved since `read`.
 */
export async function orderMenus(ctx: Context, { entries, read }: BodyOf<typeof contract.orderMenus>) {
  requirePlatform(ctx.caller);
  const before = await ctx.db
    .selectFrom('menu')
    .select(['id', 'parent_id', 'position', 'url'])
    .orderBy('position')
    .orderBy('id')
    .forUpdate()
    .execute();
  const known = new Map(before.map((row) => [row.id, row]));
  const ids = new Set(entries.map(({ id }) => id));
  if (ids.size !== entries.length || ids.size !== known.size || entries.some(({ id }) => !known.has(id)))
    throw new BusinessError('changed_meanwhile');
  const theirs = before.map(({ id, parent_id }) => ({ id, parent_id }));
  if (read)
    requireVersion(
      [orderOf(read)],
      { order: theirs, etag: orderOf(theirs) },
      orderOf(entries) === orderOf(theirs) ? {} : { order: entries },
    );
  const tree = entries.map(({ id, parent_id }) => ({ id, parent_id, url: known.get(id)!.url }));
  if (treeFault(tree)) throw new BusinessError('menu_too_deep');
  const place = new Map<number | null, number>();
  let moved = 0;
  for (const { id, parent_id } of entries) {
    const position = place.get(parent_id) ?? 0;
    place.set(parent_id, position + 1);
    const present = known.get(id)!;
    if (present.parent_id === parent_id && present.position === position) continue;
    moved++;
    await ctx.db
      .updateTable('menu')
      .set({ parent_id, position })
      .where('id', '=', id)
      .execute()
      .catch((error: unknown) => {
        throw constraintError(error, contract.menu.conflicts) ?? error;
      });
  }
  if (moved > 0) {
    await audit(ctx, {
      name: 'menus',
      description: 'ordered',
      subject_type: 'menus',
      subject_id: null,
      after: { entries_moved: moved },
    });
    await tellEverybody(ctx, {});
  }
  return { message: translate(ctx.locale, 'menus.ordered') };
}

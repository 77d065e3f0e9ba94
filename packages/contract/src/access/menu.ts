import { z } from 'zod';
import { label, reference, routeName } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply, resource } from '../kernel/resource.ts';
import { LOCALES } from '../kernel/scope.ts';

/** Titles by language; a language without one shows the English title. */
const labels = z.partialRecord(z.enum(LOCALES), label(60));

const entry = z.object({
  /** Route name, such as `number-lists`; empty for a group. */
  url: z.string(),
  /** Key of the title under `menu.`, or the title itself if there is no such key. */
  title: z.string(),
  /** Titles that a person entered, by language; null for the program's own titles. */
  labels: z.record(z.string(), z.string()).nullable(),
  icon: z.string().nullable(),
});

/** Main menu that the caller may see: links, and submenus with links; links of a submenu may be under a heading. */
export const navBarMenus = operation({
  method: 'GET',
  path: '/api/v1/menus/nav-bar-menus',
  permission: null,
  reply: z.object({
    data: z.array(
      entry.extend({
        children: z.array(
          entry.extend({
            /** Sub-group of the entry. */
            group: z.object({ title: z.string(), labels: z.record(z.string(), z.string()).nullable() }).nullable(),
          }),
        ),
      }),
    ),
  }),
});

/** Maximum depth of the menu: group, sub-group, entry. */
export const MENU_DEPTH = 3;
export const MENU_ACTIONS = ['index', 'create', 'show', 'edit', 'delete'] as const;

const input = z.object({
  title: label(60),
  /** Route name; null or empty for a group. */
  url: z.union([z.literal(''), routeName]),
  parent_id: reference('menus').nullable(),
  position: z.int().min(0).max(10_000),
  labels: labels.nullable(),
});

export const menu = resource({
  name: 'menus',
  area: 'menu',
  row: input.extend({
    labels: z.record(z.string(), z.string()).nullable(),
    parent_title: z.string().nullable(),
    permission: z.string().nullable(),
    /** True for an entry of the program: its route cannot change; the operator may change its place and its titles. */
    built_in: z.boolean(),
  }),
  create: input.extend({
    url: input.shape.url.default(''),
    parent_id: input.shape.parent_id.default(null),
    position: input.shape.position.default(1000),
    labels: input.shape.labels.default(null),
    /** Actions of the permissions `{route name}-{action}` that are made with the entry. */
    permissions: z.array(z.enum(MENU_ACTIONS)).max(5).default([]),
    /** More actions, separated by commas. */
    custom_permissions: z
      .string()
      .trim()
      .max(300)
      .regex(/^$|^\s*[a-z0-9]+(-[a-z0-9]+)*\s*(,\s*[a-z0-9]+(-[a-z0-9]+)*\s*)*$/, { error: 'custom_permissions' })
      .default(''),
  }),
  update: input.partial(),
  filters: z.object({ parent_id: z.coerce.number().int().optional() }),
  sort: ['position', 'title', 'created_at'],
  title: 'title',
  conflicts: { menu_parent_id_title_key: 'menu_already_exists' },
  errors: ['forbidden', 'menu_built_in', 'menu_is_landing_page', 'menu_too_deep'],
});

/** Lists the entries that can contain others. */
export const menusRenderForm = operation({
  method: 'GET',
  path: '/api/v1/menus/renderForm',
  permission: 'menu-index',
  reply: z.object({
    parentMenus: z.array(
      z.object({
        id: z.int(),
        title: z.string(),
        labels: z.record(z.string(), z.string()).nullable(),
        parent_id: z.int().nullable(),
      }),
    ),
  }),
});

const places = z
  .array(z.object({ id: z.int().positive(), parent_id: z.int().positive().nullable() }))
  .min(1)
  .max(500);

/** Sets the parent of each entry. The order among its siblings is the order of the list. */
export const orderMenus = operation({
  method: 'PUT',
  path: '/api/v1/menus/order',
  permission: 'menu-edit',
  body: z.object({
    entries: places,
    /**
     * Places that the caller read; `edit_conflict` if they have changed since. Without them, changes are overwritten.
     */
    read: places.optional(),
  }),
  reply: doneReply,
  errors: ['forbidden', 'menu_too_deep', 'menu_already_exists', 'changed_meanwhile', 'edit_conflict'],
});

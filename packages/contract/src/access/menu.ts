import { z } from 'zod';
import { operation } from '../kernel/operation.ts';

const entry = z.object({
  /** Route name, such as `number-lists`; empty on a group. */
  url: z.string(),
  /** Key of the title under `menu.`. */
  title: z.string(),
  icon: z.string().nullable(),
});

/** The main menu as the caller may see it: entries with links or submenus. */
export const navBarMenus = operation({
  method: 'GET',
  path: '/api/v1/menus/nav-bar-menus',
  permission: null,
  reply: z.object({ data: z.array(entry.extend({ children: z.array(entry) })) }),
});

import type { Group } from './screen.ts';

/** Last group of the main menu: the screens of the documentation. */
export const DOCUMENTATION = {
  title: 'documentation',
  icon: 'book',
  screens: [
    { path: 'articles', data: 'platform', rights: { admin: ['index', 'create', 'show', 'edit', 'delete'] } },
    {
      path: 'change-log',
      data: 'platform',
      rights: { admin: ['index', 'create', 'show', 'edit', 'delete'] },
      pages: [{ path: 'change-logs/$id', title: 'change-log', permission: 'documentation-view', bare: true }],
    },
  ],
} as const satisfies Group;

import type { Group } from './screen.ts';

const usual = ['index', 'create', 'show', 'edit', 'delete'] as const;

/** Group of the main menu with the screens of engineering. */
export const ENGINEERING = {
  title: 'engineering',
  icon: 'tool',
  screens: [
    {
      path: 'links',
      data: 'platform',
      rights: { admin: usual },
      pages: [{ path: 'links/$id', title: 'link', permission: 'links-show' }],
    },
    { path: 'carrier-routes', data: 'platform', rights: { admin: usual } },
    { path: 'networks', data: 'platform', rights: { admin: [...usual, 'upload'] } },
    { path: 'carrier-quality', data: 'platform', rights: { admin: ['index'] } },
    {
      path: 'carrier-cards',
      data: 'platform',
      rights: { admin: [...usual, 'upload', 'apply'] },
      pages: [
        { path: 'carrier-rates', area: 'carrier-cards' },
        { path: 'card-replays/$id', title: 'card-replay', permission: 'carrier-cards-show' },
      ],
    },
    { path: 'number-sources', data: 'platform', rights: { admin: usual } },
    { path: 'test-numbers', data: 'platform', rights: { admin: usual } },
    { path: 'nodes', data: 'platform', rights: { admin: ['index', 'drain'] } },
    { path: 'moderation', data: 'platform', rights: { admin: ['index', 'decide'] } },
    { path: 'connectivity-test', data: 'self', rights: { admin: ['index'] } },
  ],
} as const satisfies Group;

import type { Entry } from './screen.ts';

/** Screens that the menu does not show. */
export const OUTSIDE_MENU = [
  {
    path: 'documentation',
    permission: 'documentation-view',
    bare: true,
    data: 'platform',
    rights: { corporate_user: ['view'] },
    pages: [
      { path: 'document/$id', title: 'documentation', permission: 'documentation-view', bare: true },
      { path: 'api-reference', permission: 'documentation-view', bare: true },
    ],
  },
  {
    path: 'profile',
    permission: null,
    data: 'self',
    pages: [{ path: 'connect-agent', permission: null, bare: true }],
  },
] as const satisfies readonly Entry[];

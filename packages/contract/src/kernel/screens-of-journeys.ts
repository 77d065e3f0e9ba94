import type { Entry } from './screen.ts';

/** Screens of journeys. */
export const JOURNEYS = {
  path: 'journeys',
  data: 'tenant',
  rights: { corporate_user: ['index', 'create', 'show', 'edit'], department_admin: ['delete', 'run'] },
  pages: [{ path: 'journeys/$id', title: 'journey', permission: 'journeys-show' }],
} as const satisfies Entry;

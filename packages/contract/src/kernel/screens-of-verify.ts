import type { Entry } from './screen.ts';

/** Screens of verify services, verifications and their guard. */
export const VERIFY = {
  path: 'verify-services',
  data: 'tenant',
  rights: { corporate_user: ['index', 'show'], corporate_admin: ['create', 'edit', 'delete'] },
  pages: [
    { path: 'verify-services/$id', title: 'verify-guard', permission: 'verify-services-show' },
    { path: 'verifications', permission: 'verify-services-show' },
  ],
} as const satisfies Entry;

import type { Failpoint } from '#platform/failpoints';

/** Job that a worker does when it is killed. */
export type KilledJob = 'notice' | 'look' | 'page' | 'refund' | 'charge';

/** Places at which a worker that handles a top-up is killed, and the job that passes them. */
export const TOP_UP_PLACES: readonly (readonly [place: Failpoint, job: KilledJob])[] = [
  ['top-up.looked', 'notice'],
  ['top-up.posted', 'notice'],
  ['top-up.notice-taken', 'notice'],
  ['ledger.after-post', 'look'],
  ['top-up.page-opened', 'page'],
  ['top-up.refund-sent', 'refund'],
  ['top-up.charged', 'charge'],
];

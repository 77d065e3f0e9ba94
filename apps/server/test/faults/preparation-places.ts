import type { Failpoint } from '#platform/failpoints';

/** Places that a worker passes with each part of a large campaign, in their order. */
export const PREPARATION_PLACES = [
  'prepare.part-written',
  'prepare.part-committed',
] as const satisfies readonly Failpoint[];

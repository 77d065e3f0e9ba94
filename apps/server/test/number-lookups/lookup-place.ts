import type { Failpoint } from '#platform/failpoints';

/** Place at which a budget was taken for lookups that were not made yet. */
export const LOOKUP_PLACE: Failpoint = 'lookup.budget-taken';

import type { Failpoint } from '#platform/failpoints';

/** Failpoints that an event passes on its way to a receiver. */
export const CALLBACK_PLACES: readonly Failpoint[] = [
  'callbacks.before-commit',
  'callbacks.after-commit',
  'deliveries.answered',
  'deliveries.recorded',
];

import type { Failpoint } from '#platform/failpoints';

/** Failpoints that a batch of people of a journey passes. */
export const JOURNEY_PLACES: readonly Failpoint[] = ['journeys.before-commit', 'journeys.after-commit'];

import type { Failpoint } from '#platform/failpoints';

/** Place at which a worker has made the campaign of a test's rest, and not committed it. */
export const AB_TEST_PLACE = 'campaign-test.rest-made' as const satisfies Failpoint;

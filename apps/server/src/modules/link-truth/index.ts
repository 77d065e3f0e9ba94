import { testNumber } from '@heliograph/contract/links/test-number';
import { type App, mountResource } from '#platform/http/http';
import type { Retention } from '#platform/jobs/retention';
import { tableStore } from '#platform/records/table-store';

export { judgeReceipts } from './judge-truth.ts';
export { takeTestAnswers } from './take-answers.ts';

/** Tests are kept for three months, so that a carrier can be shown them. */
export const linkTestRetention: Retention = {
  table: 'link_test',
  days: 90,
  since: 'sent_at',
  order: ['sent_at'],
  rows: 10_000,
};

/** Mounts the numbers to which test messages go. */
export function linkTruthRoutes(app: App): void {
  mountResource(app, testNumber, tableStore(testNumber, { table: 'test_number', searched: ['number', 'note'] }));
}

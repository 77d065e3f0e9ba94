import type { Retention } from '#platform/jobs/retention';

/** Retention of verifications, with the numbers, addresses and devices of people. */
export const verificationRetention: Retention = {
  table: 'verification',
  days: 30,
  since: 'created_at',
  order: ['created_at', 'id'],
  rows: 5_000,
  inOrder: true,
};

import type { Retention } from '#platform/jobs/retention';

/** Retention of what the guard has counted: windows are an hour, and a history without starts fades in a few weeks. */
export const counterRetention: Retention = {
  table: 'verify_counter',
  days: 1,
  since: 'created_at',
  order: ['created_at', 'service_id', 'kind', 'key', 'bucket'],
  rows: 20_000,
  inOrder: true,
};
export const prefixRetention: Retention = {
  table: 'verify_prefix',
  days: 60,
  since: 'at',
  order: ['at', 'service_id', 'prefix'],
  rows: 20_000,
  inOrder: true,
};

/** Retention of verifications, with the numbers, addresses and devices of people. */
export const verificationRetention: Retention = {
  table: 'verification',
  days: 30,
  since: 'created_at',
  order: ['created_at', 'id'],
  rows: 5_000,
  inOrder: true,
};

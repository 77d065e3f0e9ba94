import { SANDBOX_LIMITS } from '@heliograph/contract/sandbox/limits';
import type { Retention } from '#platform/jobs/retention';

const { days } = SANDBOX_LIMITS;

/** Parts on virtual handsets. The messages themselves stay as long as those of live keys. */
export const sandboxRetention: Retention = {
  table: 'sandbox_part',
  days,
  since: 'received_at',
  order: ['received_at', 'message_id', 'part'],
  rows: 10_000,
};

/** Texts that virtual handsets sent. */
export const replyRetention: Retention = {
  table: 'sandbox_reply',
  days,
  since: 'received_at',
  order: ['received_at', 'id'],
  rows: 10_000,
};

/** Counts of test messages by day. */
export const useRetention: Retention = {
  table: 'sandbox_use',
  days,
  since: 'day',
  order: ['day', 'corporation_id'],
  rows: 1_000,
};

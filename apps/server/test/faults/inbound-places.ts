import type { Failpoint } from '#platform/failpoints';

/** Places that a message from a phone passes, and the process that passes each. */
export const INBOUND_PLACES: readonly { place: Failpoint; victim: 'sender' | 'worker' }[] = [
  { place: 'inbound.before-commit', victim: 'sender' },
  { place: 'inbound.after-commit', victim: 'sender' },
  { place: 'inbox.before-commit', victim: 'worker' },
  { place: 'inbox.after-commit', victim: 'worker' },
];

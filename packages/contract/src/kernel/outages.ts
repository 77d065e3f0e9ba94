/**
 * Causes for which the platform cannot process a call for a while, with the seconds to wait before another try. The key
 * is the `reason` next to the code `unavailable`; its sentence is `outages.<reason>` in the message files.
 */
export const OUTAGES = {
  database_unreachable: 5,
  // A failover of the database takes seconds.
  database_restarting: 2,
  database_read_only: 5,
  database_connections: 5,
  database_locked: 2,
  database_too_slow: 10,
  database_out_of_memory: 10,
  // A person must repair these.
  database_full: 30,
  database_fault: 30,
  storage_unreachable: 10,
  storage_full: 30,
  overloaded: 2,
  stopping: 2,
} as const satisfies Record<string, number>;

export type Outage = keyof typeof OUTAGES;

/** Seconds to wait before another try if the cause is unknown. */
export const UNKNOWN_OUTAGE_S = 2;

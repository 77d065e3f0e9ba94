/**
 * Every cause for which the platform cannot do a call for a while, with the seconds after which another try is worth it.
 * The key is the `reason` beside the code `unavailable`; its sentence is `outages.<reason>` in the message files.
 */
export const OUTAGES = {
  database_unreachable: 5,
  // A database that fails over is back within seconds.
  database_restarting: 2,
  database_read_only: 5,
  database_connections: 5,
  database_locked: 2,
  database_too_slow: 10,
  database_out_of_memory: 10,
  // Somebody has to mend these.
  database_full: 30,
  database_fault: 30,
  storage_unreachable: 10,
  storage_full: 30,
  overloaded: 2,
  stopping: 2,
} as const satisfies Record<string, number>;

export type Outage = keyof typeof OUTAGES;

/** Seconds after which a call is worth another try where the cause is not known. */
export const UNKNOWN_OUTAGE_S = 2;

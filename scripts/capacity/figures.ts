/**
 * What one unit of work costs, as bench/RESULTS.md measured it on 2 cores with nothing beside it; a test finds each there.
 * Figures of a machine of one's own take their place by options of the command.
 */
export const FIGURES = {
  /** Messages a second that one sender, one PostgreSQL and the carrier took together from the queue to the receipt. */
  pipeline_a_second: { value: 41_055, quoted: '41,055' },
  /** Processor time of a sender, in µs a message. */
  sender_us: { value: 16, quoted: '16' },
  /** Processor time of PostgreSQL from the queue to the receipt, in µs a message. */
  postgres_sending_us: { value: 15, quoted: '15' },
  /** Processor time of PostgreSQL and of the worker while a campaign is prepared, in µs a message. */
  postgres_preparing_us: { value: 19.2, quoted: 'PostgreSQL 19.2 µs' },
  worker_preparing_us: { value: 8.1, quoted: 'worker 8.1' },
  /** Single messages a second over the HTTP API on both cores. */
  api_a_second: { value: 4_329, quoted: '4,329' },
  /** Submits a second by the SMPP server, and its processor time for one, in µs. */
  smpp_server_us: { value: 17, quoted: '17 µs of the server' },
  /** Callbacks: processor time of the worker, in µs each. */
  callback_us: { value: 73, quoted: '73 µs of the worker' },
  /** Octets of WAL and of tables with their indexes that a finished message has written and leaves. */
  wal_octets: { value: 686, quoted: '686' },
  disk_octets: { value: 341, quoted: '341' },
} as const;

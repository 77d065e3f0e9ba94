/**
 * Cost of one unit of work, as measured in bench/HISTORY.md on 2 cores without other load; a test finds each figure
 * there. Options of the command replace them by figures of your own machine.
 */
export const FIGURES = {
  /** Messages per second of one sender, one PostgreSQL and the carrier together, from the queue to the receipt. */
  pipeline_a_second: { value: 41_055, quoted: '41,055' },
  /** Processor time of a sender, in µs per message. */
  sender_us: { value: 16, quoted: '16' },
  /** Processor time of PostgreSQL from the queue to the receipt, in µs per message. */
  postgres_sending_us: { value: 15, quoted: '15' },
  /** Processor time of PostgreSQL and of the worker while a campaign is prepared, in µs per message. */
  postgres_preparing_us: { value: 19.2, quoted: 'PostgreSQL 19.2 µs' },
  worker_preparing_us: { value: 8.1, quoted: 'worker 8.1' },
  /** Single messages per second over the HTTP API on both cores. */
  api_a_second: { value: 4_329, quoted: '4,329' },
  /** Processor time of the SMPP server for one submit, in µs. */
  smpp_server_us: { value: 17, quoted: '17 µs of the server' },
  /** Processor time of the worker for one callback, in µs. */
  callback_us: { value: 73, quoted: '73 µs of the worker' },
  /** Octets that a finished message has written to the WAL. */
  wal_octets: { value: 686, quoted: '686' },
  /** Octets that a message of a large campaign leaves in tables and indexes, before and after its day is closed. */
  open_octets: { value: 469, quoted: '469' },
  closed_octets: { value: 237, quoted: '237' },
  /** Octets of a message that comes with a few others; the part in the ledger and in the credit changes stays. */
  small_octets: { value: 1_475, quoted: '1,475' },
  ledger_octets: { value: 424, quoted: '424' },
} as const;

/** Days until a day is closed: the figure before closing holds for so many. */
export const OPEN_DAYS = 4;

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

// Figures of the model. Each is the column "now" of a row of bench/RESULTS.md, and nothing else is measured. A row called
// "the same, …" belongs to the row above it that is not.

const RESULTS = resolve(import.meta.dirname, '../../bench/RESULTS.md');

/** Reads the column "now" of the results: numbers by the name of their row. */
export function readResults(page: string): Map<string, number> {
  const figures = new Map<string, number>();
  let above = '';
  for (const line of page.split('\n')) {
    const [, name = '', now = ''] = line.split('|').map((cell) => cell.trim());
    const value = Number.parseFloat(now.replaceAll(',', ''));
    if (!Number.isFinite(value)) continue;
    const same = name.startsWith('the same, ');
    if (!same) above = name;
    figures.set(same ? `${above}: ${name.slice('the same, '.length)}` : name, value);
  }
  return figures;
}

const results = readResults(readFileSync(RESULTS, 'utf8'));

function resultOf(name: string): number {
  const value = results.get(name);
  if (value === undefined) throw new Error(`bench/RESULTS.md has no row "${name}"`);
  return value;
}

const PIPELINE = 'pipeline on four cores, messages a second';
const PREPARE = 'prepare, rows a second';
const LARGE = 'octets of a finished message, large campaign, open day';
const SMALL = 'octets of a message in a campaign of five';

/** Names of the rows that the model uses. */
export const ROWS = {
  pipeline_a_second: PIPELINE,
  sender_us: `${PIPELINE}: sender`,
  postgres_sending_us: `${PIPELINE}: PostgreSQL`,
  sending_wal_octets: `${PIPELINE}: WAL of a message`,
  worker_preparing_us: `${PREPARE}: worker`,
  postgres_preparing_us: `${PREPARE}: PostgreSQL`,
  /** Measured on four cores, all of which were busy. */
  api_a_second: 'single sends by HTTP, 128 connections, a second',
  smpp_server_us: 'SMPP server, submits a second: server',
  /** Rate of one worker. */
  callbacks_a_second: 'callbacks a second',
  open_octets: LARGE,
  closed_octets: `${LARGE}: closed day`,
  small_open_octets: SMALL,
  small_closed_octets: `${SMALL}: closed day`,
} as const;

/** Cost of one unit of work, as the results have it. Options of the command replace some by figures of your machine. */
export const FIGURES = Object.fromEntries(Object.entries(ROWS).map(([key, name]) => [key, resultOf(name)])) as Record<
  keyof typeof ROWS,
  number
>;

/** Cores of the machine that was measured. */
export const MEASURED_CORES = 4;
/** Days until a day is closed: the figures before closing hold for so many. */
export const OPEN_DAYS = 4;
/**
 * Octets that a message on its own leaves in the ledger, in its campaign and in reports: what it has more than one of a
 * large campaign. They stay when its day is removed.
 */
export const STAYING_OCTETS = FIGURES.small_open_octets - FIGURES.open_octets;
/** Octets of WAL of a message: what is measured while it is sent, and while it is prepared about what it leaves. */
export const WAL_OCTETS = FIGURES.sending_wal_octets + FIGURES.open_octets;

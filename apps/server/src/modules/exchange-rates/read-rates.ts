import type { Queryable } from '#platform/database/queryable';
import { rowsOf } from '#platform/database/queryable';
import { type RateEntry, RateTable } from './rate-table.ts';

const READ_VERSION = 'SELECT version::text AS version FROM exchange_rate_version';

// One statement reads both version and rates, so that they belong together.
const READ_RATES = `
  SELECT v.version::text AS version, r.from_currency, r.to_currency, r.day::text AS day, r.digits, r.scale
  FROM exchange_rate_version v LEFT JOIN exchange_rate r ON true`;

let kept: RateTable | undefined;

/** Reads the exchange rates as a transaction sees them now; from memory if nothing changed since the last read. */
export async function readExchangeRates(db: Queryable): Promise<RateTable> {
  const [now] = await rowsOf<{ version: string }>(db, READ_VERSION, []);
  if (kept?.version === now!.version) return kept;
  const rows = await rowsOf<{ version: string } & (RateEntry | { from_currency: null })>(db, READ_RATES, []);
  const entries = rows.filter((row): row is { version: string } & RateEntry => row.from_currency !== null);
  kept = new RateTable(rows[0]!.version, entries);
  return kept;
}

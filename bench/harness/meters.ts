import { reconcile } from '../../apps/server/src/modules/billing/index.ts';
import { type Child, cpuSeconds } from './child.ts';
import type { House, Line } from './house.ts';
import { postgresSeconds } from './process-time.ts';
import type { Figure } from './report.ts';
import { PRICE } from './tenant.ts';

/** Processor seconds of each process, and WAL octets, since their start. */
export interface Meters {
  at: number;
  sender: number;
  carrier: number;
  postgres: number;
  wal: number;
}

/** Processor seconds of the API, of PostgreSQL, and of this process. */
export interface ApiMeters {
  api: number;
  postgres: number;
  program: number;
}

/** Reads the meters of a benchmark that calls the API from this process. */
export async function readApiMeters(house: House, api: Child): Promise<ApiMeters> {
  const { cpu } = await api.ask('stats');
  return { api: cpu!, postgres: postgresSeconds(house.folder), program: cpuSeconds() };
}

/** Returns the cost of `count` calls in each process. */
export const apiCosts = (before: ApiMeters, after: ApiMeters, count: number, of: string): Figure[] =>
  (['api', 'postgres', 'program'] as const).map((name) => ({
    figure: `${name}_cpu_us_per_${of}`,
    value: ((after[name] - before[name]) / count) * 1e6,
    unit: 'µs',
  }));

/** Reads the meters now. */
export async function readMeters(house: House, { tenant, carrier, sender }: Line): Promise<Meters> {
  const { rows } = await tenant.client.query<{ bytes: string }>(`SELECT pg_current_wal_insert_lsn() - '0/0' AS bytes`);
  return {
    at: performance.now(),
    sender: (await sender.ask('stats')).cpu!,
    carrier: (await carrier.ask('stats')).cpu!,
    postgres: postgresSeconds(house.folder),
    wal: Number(rows[0]!.bytes),
  };
}

/** Returns the cost of `count` messages, or receipts, in each process. */
export function costs(before: Meters, after: Meters, count: number, of: 'message' | 'receipt'): Figure[] {
  const micros = (name: 'sender' | 'postgres' | 'carrier') => ({
    figure: `${name}_cpu_us_per_${of}`,
    value: ((after[name] - before[name]) / count) * 1e6,
    unit: 'µs',
  });
  return [
    micros('sender'),
    micros('postgres'),
    micros('carrier'),
    { figure: `wal_bytes_per_${of}`, value: (after.wal - before.wal) / count, unit: 'B' },
  ];
}

/** Throws if a campaign of `count` messages was not charged for exactly those, or if the ledger does not balance. */
export async function checkMoney({ tenant }: Line, campaignId: number, count: number): Promise<void> {
  const { rows } = await tenant.client.query<{ charged: number }>(
    'SELECT charged FROM campaign_counter WHERE campaign_id = $1',
    [campaignId],
  );
  const differences = await reconcile(tenant.client);
  if (rows[0]!.charged === count * PRICE && differences.length === 0) return;
  const found = JSON.stringify({ charged: rows[0]!.charged, due: count * PRICE, differences });
  throw new Error(`the money does not add up: ${found}`);
}

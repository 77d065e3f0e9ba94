import type pg from 'pg';
import { NETWORK_STAMP, type NetworkTable, networksOfStamp } from '#modules/networks';
import { rowsOf } from '#platform/database/queryable';

/** Age in ms up to which the networks in memory are used without a look for changes. */
const RECENT_MS = 5_000;

let known: { networks: NetworkTable; at: number } | undefined;

/** Returns the networks as they are now, or were up to five seconds ago: batches follow each other faster. */
export async function recentNetworks(client: pg.ClientBase): Promise<NetworkTable> {
  const now = performance.now();
  if (known && now - known.at < RECENT_MS) return known.networks;
  const [row] = await rowsOf<{ stamp: string }>(client, `SELECT ${NETWORK_STAMP} AS stamp`);
  const networks = await networksOfStamp((text, values) => rowsOf(client, text, values), row!.stamp);
  known = { networks, at: now };
  return networks;
}

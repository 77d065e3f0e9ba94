import type { NetworkTable } from './network-table.ts';
import type { Read } from './read-networks.ts';

/** Expression of SQL that answers whether a service for lookups is enabled. */
export const LOOKUPS_ENABLED = '(SELECT lookups FROM network_state)';

/** Answer of a lookup about a number. */
interface LookedUp {
  msisdn: string;
  network_id: number | null;
  dead: boolean;
}

/** Reads what lookups say of numbers, as far as they are not too old. */
const lookedUp = (read: Read, numbers: readonly string[]): Promise<LookedUp[]> =>
  read<LookedUp>('SELECT msisdn, network_id, dead FROM looked_up($1)', [[...numbers]]);

/** Returns the networks of those numbers that a lookup says are in another one than their prefix says. */
export async function portedAmong(
  read: Read,
  networks: NetworkTable,
  numbers: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const ported = new Map<string, number>();
  for (const { msisdn, network_id } of await lookedUp(read, numbers))
    if (network_id !== null && network_id !== networks.networkOf(msisdn)?.id) ported.set(msisdn, network_id);
  return ported;
}

/** Returns those numbers that a lookup says nobody has. */
export async function deadAmong(read: Read, numbers: readonly string[]): Promise<ReadonlySet<string>> {
  if (numbers.length === 0) return new Set();
  return new Set((await lookedUp(read, numbers)).filter(({ dead }) => dead).map(({ msisdn }) => msisdn));
}

/** Returns the network of the message at a place of its chunk, by the chunk's `ported`; undefined without one there. */
export function portedAt(ported: readonly number[] | null, place: number): number | undefined {
  for (let i = 0; ported !== null && i < ported.length; i += 2) if (ported[i] === place) return ported[i + 1];
  return undefined;
}

import { type NetworkPrefixes, NetworkTable } from './network-table.ts';

/** Runs one statement and returns its rows. */
export type Read = <Row>(text: string, values: readonly unknown[]) => Promise<Row[]>;

/** Expression of SQL that answers the stamp of the present networks; it differs after every change. */
export const NETWORK_STAMP = '(SELECT stamp::text FROM network_state)';

// One statement reads both stamp and networks, so that they belong together.
const READ_NOW = `
  SELECT s.stamp::text AS stamp, s.version, n.id, n.country, n.mcc, n.mnc, n.other_codes, n.name, n.enabled,
    coalesce(p.prefixes, '{}') AS prefixes
  FROM network_state s LEFT JOIN network n ON true LEFT JOIN network_prefix p ON p.network_id = n.id AND p.to_version IS NULL`;

const READ_VERSION = `
  SELECT n.id, n.country, n.mcc, n.mnc, n.other_codes, n.name, n.enabled, coalesce(p.prefixes, '{}') AS prefixes
  FROM network n LEFT JOIN network_prefix p ON p.network_id = n.id
    AND p.from_version <= $1 AND (p.to_version IS NULL OR p.to_version > $1)`;

/** Maximum tables that are kept, some 3 MB each, the newest last. Transactions before a change see the previous one. */
const KEPT_TABLES = 4;
const tables = new Map<string, NetworkTable>();

function keep(key: string, table: NetworkTable): NetworkTable {
  tables.set(key, table);
  for (const oldest of tables.keys()) {
    if (tables.size <= KEPT_TABLES) break;
    tables.delete(oldest);
  }
  return table;
}

/** Reads the networks as a transaction sees them now. They are read again only after a change. */
export async function readNetworks(read: Read): Promise<NetworkTable> {
  const [now] = await read<{ stamp: string }>(`SELECT ${NETWORK_STAMP} AS stamp`, []);
  return networksOfStamp(read, now!.stamp);
}

/** Returns the networks of a stamp that the caller has read with a statement of its own, by `NETWORK_STAMP`. */
export async function networksOfStamp(read: Read, stamp: string): Promise<NetworkTable> {
  const known = tables.get(stamp);
  if (known) return known;
  const rows = await read<NetworkPrefixes & { stamp: string; version: number }>(READ_NOW, []);
  const networks = rows.filter(({ id }) => id !== null).map(({ stamp: _, version: __, ...network }) => network);
  return keep(rows[0]!.stamp, new NetworkTable(Number(rows[0]!.version), networks));
}

/** Reads the networks with the prefixes that were in force at a time, RFC 3339; the first version for a time before. */
export async function readNetworksAt(read: Read, at: string): Promise<NetworkTable> {
  const [found] = await read<{ version: string | null; stamp: string }>(
    `SELECT coalesce((SELECT max(version) FROM network_version WHERE in_force_at <= $1),
       (SELECT min(version) FROM network_version))::text AS version, ${NETWORK_STAMP} AS stamp`,
    [at],
  );
  const version = Number(found!.version ?? 0);
  const now = await networksOfStamp(read, found!.stamp);
  if (now.version === version) return now;
  const key = `${found!.stamp}/${version}`;
  return tables.get(key) ?? keep(key, new NetworkTable(version, await read<NetworkPrefixes>(READ_VERSION, [version])));
}

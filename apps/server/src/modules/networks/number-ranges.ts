import { NETWORK_STAMP, type Read } from './read-networks.ts';

/** Numbers of a network between two versions of the prefixes. */
export interface NumberRanges {
  /** Begin of the time in which they hold, RFC 3339; `-infinity` for the first. */
  from: string;
  /**
   * Bounds of the numbers, ascending, as `NUMBER_KEY` writes numbers. A number belongs to the network if the count of
   * bounds up to it is odd. The longest prefix decides, so a longer prefix of another network leaves a gap.
   */
  bounds: readonly bigint[];
}

/** Digits of the longest number. */
const DIGITS = 15;
/** Bits in which a key has the length of its number: a prefix that is longer than the number must not match it. */
const LENGTH_BITS = 4;
/** Maximum answers that are kept in memory; one has at most some hundred kilobytes, as a rule a few hundred bytes. */
const KEPT = 20;

/** Expression of SQL for the key of a number: its digits, filled up with zeros, then its length. */
export const numberKey = (column: string): string =>
  `((rpad(${column}, ${DIGITS}, '0')::bigint << ${LENGTH_BITS}) + length(${column}))`;

/** Owners of numbers by their keys: the owner at a place is that of keys with so many bounds up to them. */
export interface NumberPlaces {
  /** Ascending. */
  bounds: bigint[];
  /** One more than bounds; 0 for numbers of nobody. */
  owners: number[];
}

/** Returns the owners of all numbers by longest prefix. Prefixes are digits, at most 15, and no two are the same. */
export function placesOf(prefixes: readonly { prefix: string; owner: number }[]): NumberPlaces {
  const bounds: bigint[] = [];
  const owners = [0];
  const turn = (at: bigint, owner: number) => {
    if (bounds.at(-1) === at) {
      bounds.pop();
      owners.pop();
    }
    if (owners.at(-1) === owner) return;
    bounds.push(at);
    owners.push(owner);
  };
  const within: { end: bigint; owner: number; prefix: string }[] = [];
  const leave = (next: string | null) => {
    while (within.length > 0 && (next === null || !next.startsWith(within.at(-1)!.prefix)))
      turn(within.pop()!.end, within.at(-1)?.owner ?? 0);
  };
  for (const { prefix, owner } of prefixes.toSorted((a, b) => (a.prefix < b.prefix ? -1 : 1))) {
    leave(prefix);
    const place = 10n ** BigInt(DIGITS - prefix.length);
    const first = BigInt(prefix);
    within.push({ end: ((first + 1n) * place) << BigInt(LENGTH_BITS), owner, prefix });
    turn(((first * place) << BigInt(LENGTH_BITS)) + BigInt(prefix.length), owner);
  }
  leave(null);
  return { bounds, owners };
}

/** Returns the bounds of the numbers whose longest prefix is one of `own`, among all prefixes. */
export const boundsOf = (own: readonly string[], others: readonly string[]): bigint[] =>
  placesOf([...own.map((prefix) => ({ prefix, owner: 1 })), ...others.map((prefix) => ({ prefix, owner: 0 }))]).bounds;

const kept = new Map<string, readonly bigint[]>();

async function boundsAt(read: Read, id: number, version: number, stamp: string): Promise<readonly bigint[]> {
  const key = `${stamp}/${version}/${id}`;
  let bounds = kept.get(key);
  if (!bounds) {
    const rows = await read<{ own: boolean; prefixes: string[] }>(
      `SELECT network_id = $1 AS own, prefixes FROM network_prefix
       WHERE from_version <= $2 AND (to_version IS NULL OR to_version > $2)`,
      [id, version],
    );
    const of = (own: boolean) => rows.filter((row) => row.own === own).flatMap(({ prefixes }) => prefixes);
    bounds = boundsOf(of(true), of(false));
  }
  kept.delete(key);
  kept.set(key, bounds);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) break;
    kept.delete(oldest);
  }
  return bounds;
}

interface Version {
  version: string;
  from: string;
  stamp: string;
}

/** Reads the versions of all prefixes during a time, the oldest first. The first one holds for the time before it. */
const versionsOf = (read: Read, start: string, end: string): Promise<Version[]> =>
  read<Version>(
    `SELECT version::text AS version, in_force_at::text AS from, ${NETWORK_STAMP} AS stamp FROM network_version
     WHERE version >= coalesce((SELECT max(version) FROM network_version WHERE in_force_at <= $1), 0)
       AND version <= coalesce((SELECT max(version) FROM network_version WHERE in_force_at < $2),
         (SELECT min(version) FROM network_version))
     ORDER BY network_version.version`,
    [start, end],
  );

/**
 * Reads the numbers of a network by prefix during a time, `start` and `end` in RFC 3339, the oldest first. Versions in which
 * they are the same are joined. As in `readNetworksAt`, the first version holds for the time before it.
 */
export async function readNumberRanges(read: Read, id: number, start: string, end: string): Promise<NumberRanges[]> {
  const ranges: NumberRanges[] = [];
  for (const { version, from, stamp } of await versionsOf(read, start, end)) {
    const bounds = await boundsAt(read, id, Number(version), stamp);
    const before = ranges.at(-1);
    if (before && before.bounds.join() === bounds.join()) continue;
    ranges.push({ from: before ? from : '-infinity', bounds });
  }
  return ranges;
}

/** Owners at the version that was read last. A worker that counts quarters of an hour needs the same one for each. */
let lastPlaces: { key: string; places: NumberPlaces } | undefined;

/** Reads the networks of all numbers during a time, as `readNumberRanges` does those of one network. */
export async function readNumberPlaces(
  read: Read,
  start: string,
  end: string,
): Promise<{ from: string; places: NumberPlaces }[]> {
  const found: { from: string; places: NumberPlaces }[] = [];
  for (const { version, from, stamp } of await versionsOf(read, start, end)) {
    const key = `${stamp}/${version}`;
    if (lastPlaces?.key !== key) {
      const rows = await read<{ prefix: string; owner: number }>(
        `SELECT x AS prefix, network_id AS owner FROM network_prefix p, unnest(p.prefixes) x
         WHERE from_version <= $1 AND (to_version IS NULL OR to_version > $1)`,
        [version],
      );
      lastPlaces = { key, places: placesOf(rows) };
    }
    found.push({ from: found.length === 0 ? start : from, places: lastPlaces.places });
  }
  return found;
}

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

/**
 * Returns the bounds of the numbers whose longest prefix is one of `own`, among all prefixes. Prefixes are digits, at
 * most 15, and no two are the same.
 */
export function boundsOf(own: readonly string[], others: readonly string[]): bigint[] {
  const all = [
    ...own.map((prefix) => ({ prefix, isOwn: true })),
    ...others.map((prefix) => ({ prefix, isOwn: false })),
  ].sort((a, b) => (a.prefix < b.prefix ? -1 : 1));
  const bounds: bigint[] = [];
  let inside = false;
  const turn = (at: bigint, isOwn: boolean) => {
    if (bounds.at(-1) === at && isOwn !== inside) bounds.pop();
    else if (isOwn !== inside) bounds.push(at);
    inside = isOwn;
  };
  const within: { end: bigint; isOwn: boolean; prefix: string }[] = [];
  const leave = (next: string | null) => {
    while (within.length > 0 && (next === null || !next.startsWith(within.at(-1)!.prefix)))
      turn(within.pop()!.end, within.at(-1)?.isOwn ?? false);
  };
  for (const { prefix, isOwn } of all) {
    leave(prefix);
    const place = 10n ** BigInt(DIGITS - prefix.length);
    const first = BigInt(prefix);
    within.push({ end: ((first + 1n) * place) << BigInt(LENGTH_BITS), isOwn, prefix });
    turn(((first * place) << BigInt(LENGTH_BITS)) + BigInt(prefix.length), isOwn);
  }
  leave(null);
  return bounds;
}

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

/**
 * Reads the numbers of a network by prefix during a time, `start` and `end` in RFC 3339, the oldest first. Versions in which
 * they are the same are joined. As in `readNetworksAt`, the first version holds for the time before it.
 */
export async function readNumberRanges(read: Read, id: number, start: string, end: string): Promise<NumberRanges[]> {
  const versions = await read<{ version: string; from: string; stamp: string }>(
    `SELECT version::text AS version, in_force_at::text AS from, ${NETWORK_STAMP} AS stamp FROM network_version
     WHERE version >= coalesce((SELECT max(version) FROM network_version WHERE in_force_at <= $1), 0)
       AND version <= coalesce((SELECT max(version) FROM network_version WHERE in_force_at < $2),
         (SELECT min(version) FROM network_version))
     ORDER BY network_version.version`,
    [start, end],
  );
  const ranges: NumberRanges[] = [];
  for (const { version, from, stamp } of versions) {
    const bounds = await boundsAt(read, id, Number(version), stamp);
    const before = ranges.at(-1);
    if (before && before.bounds.join() === bounds.join()) continue;
    ranges.push({ from: before ? from : '-infinity', bounds });
  }
  return ranges;
}

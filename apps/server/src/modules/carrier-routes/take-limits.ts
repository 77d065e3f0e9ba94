import { numberArray } from '#platform/database/array-literal';
import type { Read, Routing } from './read-routing.ts';

const TAKE = 'SELECT take_link_days($1::bigint[], $2::integer[]) AS refused';

/**
 * Counts parts for their links, as far as these have limits of a day, in the caller's transaction. Returns false if a
 * cap has no room: then nothing is counted, and the routing knows it, so that the next pick finds other links.
 */
export async function takeLimits(
  read: Read,
  { limits }: Pick<Routing, 'limits'>,
  parts: ReadonlyMap<number, number>,
): Promise<boolean> {
  const limited = [...parts].filter(([link, count]) => limits.has(link) && count > 0).sort(([a], [b]) => a - b);
  if (limited.length === 0) return true;
  const [answer] = await read<{ refused: number[] }>(TAKE, [
    numberArray(limited.map(([link]) => link)),
    numberArray(limited.map(([, count]) => count)),
  ]);
  for (const link of answer!.refused) limits.get(link)!.room = 0;
  if (answer!.refused.length > 0) return false;
  for (const [link, count] of limited) {
    const limit = limits.get(link)!;
    limit.owed = Math.max(0, limit.owed - count);
    if (limit.room !== null) limit.room = Math.max(0, limit.room - count);
  }
  return true;
}

import { type Queryable, rowsOf } from '#platform/database/queryable';
import { cursorFrom } from './read-events.ts';

// Ids of transactions grow with time, but a transaction may write its event long after it began. No event that was
// written after a time has an id below that of the transactions that ended the margin before it.
const MARGIN = '5 minutes';

const ENDS = `
  SELECT (SELECT tx::text FROM event WHERE corporation_id = $1 ORDER BY tx, id LIMIT 1) AS first,
    pg_snapshot_xmin(pg_current_snapshot())::text AS last`;
const LATE = `
  SELECT created_at >= $3::timestamptz - interval '${MARGIN}' AS late, tx::text FROM event
  WHERE corporation_id = $1 AND tx >= $2::xid8 ORDER BY tx, id LIMIT 1`;

/**
 * Answers a cursor with which a corporation reads its events again from a time on. The place is found by halving, because
 * events have no index by time.
 */
export async function fromTime(db: Queryable, corporation_id: number, since: string): Promise<string> {
  const [ends] = await rowsOf<{ first: string | null; last: string }>(db, ENDS, [corporation_id]);
  let [low, high] = [BigInt(ends!.first ?? ends!.last), BigInt(ends!.last)];
  while (low < high) {
    const middle = (low + high) / 2n;
    const [row] = await rowsOf<{ late: boolean; tx: string }>(db, LATE, [corporation_id, String(middle), since]);
    if (!row || row.late) high = middle;
    else low = BigInt(row.tx) + 1n;
  }
  return cursorFrom([String(low < high ? low : high), 0], since);
}

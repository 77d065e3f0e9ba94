import type pg from 'pg';

/** Time for which a sender's report counts: as long as it counts as live. */
const FRESH = `interval '3.5 seconds'`;

// The other senders may not have seen a sender that came recently.
const SHARE = `
  WITH gone AS (
    DELETE FROM allowance_share
    WHERE (holder = $2 AND key <> ALL ($1::text[])) OR seen_at < now() - interval '1 minute'
  ), mine AS (
    INSERT INTO allowance_share AS a (key, holder) SELECT key, $2 FROM unnest($1::text[]) AS key
    ON CONFLICT (key, holder) DO UPDATE SET seen_at = now(),
      since = CASE WHEN a.seen_at > now() - ${FRESH} THEN a.since ELSE now() END
    RETURNING key, since
  )
  SELECT
    (SELECT count(*) FROM node WHERE kind = 'sender' AND node_is_live(seen_at)) AS senders,
    (SELECT coalesce(json_object_agg(m.key, 1 + (
        SELECT count(*) FROM allowance_share o
        WHERE o.key = m.key AND o.holder <> $2 AND o.seen_at > now() - ${FRESH})), '{}')
      FROM mine m WHERE m.since < now() - interval '1.5 seconds') AS sharers`;

/**
 * Reports the allowances that this sender uses, and answers how many senders share each. An allowance without recent
 * use counts as shared by all senders: no sender waits, and the excess stays small.
 */
export async function shareAllowances(
  pool: pg.Pool,
  holder: string,
  keys: readonly string[],
): Promise<(key: string) => number> {
  const { rows } = await pool.query<{ senders: number; sharers: Record<string, number> }>(SHARE, [[...keys], holder]);
  const { senders, sharers } = rows[0]!;
  return (key) => sharers[key] ?? Math.max(1, senders);
}

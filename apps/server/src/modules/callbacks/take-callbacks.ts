import { type Queryable, rowsOf } from '#platform/database/queryable';
import { type Due, FIRST_ROOM } from './lanes.ts';
import { HELD_SECONDS } from './make-callbacks.ts';

const AT_ONCE = 5_000;

// The first part finds endpoints with waiting callbacks, by one index lookup each. Then it takes the oldest callbacks
// of each endpoint, as many as there is room for. Moving the due time holds a callback for its taker. Samples are taken
// even if the endpoint is paused or disabled.
const TAKE = `
  WITH RECURSIVE waiting(id) AS (
    (SELECT callback_endpoint_id FROM callback WHERE state = 'waiting' ORDER BY callback_endpoint_id LIMIT 1)
    UNION ALL
    SELECT (SELECT c.callback_endpoint_id FROM callback c WHERE c.state = 'waiting' AND c.callback_endpoint_id > w.id
      ORDER BY c.callback_endpoint_id LIMIT 1) FROM waiting w WHERE w.id IS NOT NULL
  ), usual AS (
    SELECT c.id FROM waiting w JOIN callback_endpoint e ON e.id = w.id AND e.enabled AND e.paused_at IS NULL
    LEFT JOIN unnest($1::bigint[], $2::bigint[]) AS r(id, room) ON r.id = w.id
    CROSS JOIN LATERAL (
      SELECT l.id FROM callback l WHERE l.callback_endpoint_id = w.id AND l.state = 'waiting' AND l.next_at <= now()
      ORDER BY l.next_at LIMIT coalesce(r.room, ${FIRST_ROOM}) FOR UPDATE SKIP LOCKED
    ) c LIMIT ${AT_ONCE}
  ), tests AS (
    SELECT id FROM callback WHERE test AND state = 'waiting' AND next_at <= now() ORDER BY id LIMIT 100 FOR UPDATE SKIP LOCKED
  )
  UPDATE callback c SET next_at = now() + interval '${HELD_SECONDS} s'
  FROM (SELECT id FROM usual UNION SELECT id FROM tests) due WHERE c.id = due.id
  RETURNING c.id, c.callback_endpoint_id, c.event_id, c.url, c.body, c.tries, c.test`;

/** Takes callbacks that are due, for each endpoint as many as there is room for. The caller holds them for a minute. */
export const takeCallbacks = (db: Queryable, rooms: ReadonlyMap<number, number>): Promise<Due[]> =>
  rowsOf<Due>(db, TAKE, [[...rooms.keys()], [...rooms.values()]]);

/** Gives back callbacks that were taken but not tried. Other workers may take them now. */
export const giveBackCallbacks = (db: Queryable, ids: readonly number[]): Promise<unknown> =>
  rowsOf(db, "UPDATE callback SET next_at = now() WHERE id = ANY ($1::bigint[]) AND state = 'waiting'", [ids]);

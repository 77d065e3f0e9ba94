import type pg from 'pg';
import { numberArray } from '#platform/database/array-literal';
import { inTransaction } from '#platform/database/in-transaction';

/** Counters that a process stores about a bind. */
export interface SessionCounts {
  id: number;
  submitted: number;
  refused: number;
  throttled: number;
  delivered: number;
  in_flight: number;
  /** Epoch milliseconds; null while it keeps up. */
  slow_since: number | null;
}

// The caller holds the lock of the system id, so processes count and add binds one after another.
const OPEN = `
  WITH mine AS (
    SELECT id, corporation_id, max_binds FROM smpp_system_id WHERE id = $1 AND enabled
  ), gone AS (
    DELETE FROM smpp_session e USING mine
    WHERE e.smpp_system_id_id = mine.id AND NOT smpp_session_is_live(e.process, e.seen_at)
  )
  INSERT INTO smpp_session (corporation_id, smpp_system_id_id, process, mode, version, address, tls)
  SELECT corporation_id, id, $2, $3, $4, $5, $6 FROM mine
  WHERE (SELECT count(*) FROM smpp_session e
    WHERE e.smpp_system_id_id = mine.id AND smpp_session_is_live(e.process, e.seen_at)) < max_binds
  RETURNING id`;

/** Adds the row of a bind; undefined if its system id already has its maximum. */
export async function openSessionRow(
  pool: pg.Pool,
  bind: {
    smpp_system_id_id: number;
    process: string;
    mode: string;
    version: string;
    address: string;
    tls: boolean;
  },
): Promise<number | undefined> {
  const { smpp_system_id_id, process, mode, version, address, tls } = bind;
  return inTransaction(pool, async (client) => {
    // The lock needs its own statement: a statement that also counted would see the count from before it waited.
    await client.query(`SELECT pg_advisory_xact_lock(hashtext('smpp_session'), $1::integer)`, [smpp_system_id_id]);
    const values = [smpp_system_id_id, process, mode, version, address, tls];
    return (await client.query<{ id: number }>(OPEN, values)).rows[0]?.id;
  });
}

const TELL = `
  UPDATE smpp_session e SET seen_at = now(), submitted = u.submitted, refused = u.refused, throttled = u.throttled,
    delivered = u.delivered, in_flight = u.in_flight, slow_since = to_timestamp(u.slow_since / 1000)
  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::integer[], $7::float8[])
    AS u(id, submitted, refused, throttled, delivered, in_flight, slow_since)
  WHERE e.id = u.id
  RETURNING e.id, e.unbind,
    (SELECT count(*) FROM smpp_session o
      WHERE o.smpp_system_id_id = e.smpp_system_id_id AND smpp_session_is_live(o.process, o.seen_at)) AS binds`;

/** News of a bind: whether its unbind was requested, and how many binds its system id has in all processes. */
export interface SessionNews {
  id: number;
  unbind: boolean;
  binds: number;
}

/** Renews the binds of this process. A bind missing in the answer was deleted as dead meanwhile. */
export async function renewSessionRows(pool: pg.Pool, counts: readonly SessionCounts[]): Promise<SessionNews[]> {
  const column = (field: keyof SessionCounts) => numberArray(counts.map((each) => each[field]));
  const { rows } = await pool.query<SessionNews>(TELL, [
    column('id'),
    column('submitted'),
    column('refused'),
    column('throttled'),
    column('delivered'),
    column('in_flight'),
    column('slow_since'),
  ]);
  return rows;
}

/** Deletes the row of a bind that has ended. */
export async function closeSessionRow(pool: pg.Pool, id: number): Promise<void> {
  await pool.query('DELETE FROM smpp_session WHERE id = $1', [id]);
}

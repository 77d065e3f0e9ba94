import type { MessageState } from '@heliograph/smpp';
import type pg from 'pg';
import { type Queryable, rowsOf } from '#platform/database/queryable';

/** Time for which a receipt or a reply is kept for a program that does not bind. */
const KEPT = '7 days';
/**
 * Hold of a claimed delivery: until it expires no other process takes it, unless the claiming process has no bind left.
 */
const CLAIM = '2 minutes';

/** A receipt, or a message from a phone, to be sent to a program. */
export interface Delivery {
  id: number;
  smpp_system_id_id: number;
  /** Message id that the program knows; null for a message from a phone. */
  message_id: number | null;
  state: MessageState | null;
  error: string | null;
  source: string;
  destination: string;
  text: string;
  is_binary: boolean;
  /** Epoch milliseconds. */
  submitted_at: number;
  done_at: number;
  tries: number;
}

/** Fields of a new row. */
export type NewDelivery = Omit<Delivery, 'id' | 'tries'> & { corporation_id: number };

const ADD = `
  INSERT INTO smpp_delivery (corporation_id, smpp_system_id_id, message_id, state, error, source, destination, text, is_binary,
    submitted_at, done_at)
  SELECT n.corporation_id, n.smpp_system_id_id, n.message_id, n.state, n.error, n.source, n.destination, n.text, n.is_binary,
    to_timestamp(n.submitted_at / 1000), to_timestamp(n.done_at / 1000)
  FROM jsonb_to_recordset($1) AS n(corporation_id bigint, smpp_system_id_id bigint, message_id bigint, state text, error text,
    source text, destination text, text text, is_binary boolean, submitted_at float8, done_at float8)
  JOIN smpp_system_id s ON s.id = n.smpp_system_id_id`;

/** Adds deliveries to their queue. */
export async function addDeliveries(db: Queryable, deliveries: readonly NewDelivery[]): Promise<void> {
  if (deliveries.length > 0) await rowsOf(db, ADD, [JSON.stringify(deliveries)]);
}

// A process that has no bind left cannot send what it claimed. Processes with a bind take over its claims.
const CLAIM_ROWS = `
  WITH living AS MATERIALIZED (SELECT DISTINCT process FROM smpp_session WHERE smpp_session_is_live(process, seen_at)),
  due AS (
    SELECT id FROM smpp_delivery
    WHERE smpp_system_id_id = $1 AND (claimed_until IS NULL OR claimed_until < now()
      OR (claimed_by IS NOT NULL AND claimed_by NOT IN (SELECT process FROM living)))
    ORDER BY id LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE smpp_delivery d SET claimed_by = $3, claimed_until = now() + interval '${CLAIM}', tries = d.tries + 1
  FROM due WHERE d.id = due.id
  RETURNING d.id, d.smpp_system_id_id, d.message_id, d.state, d.error, d.source, d.destination, d.text, d.is_binary,
    extract(epoch FROM d.submitted_at)::float8 * 1000 AS submitted_at, extract(epoch FROM d.done_at)::float8 * 1000 AS done_at,
    d.tries`;

/** Claims the oldest deliveries of a system id: only this process sends them. */
export async function claimDeliveries(
  pool: pg.Pool,
  systemId: number,
  most: number,
  process: string,
): Promise<Delivery[]> {
  const { rows } = await pool.query<Delivery>({
    name: 'smpp-claim',
    text: CLAIM_ROWS,
    values: [systemId, most, process],
  });
  return rows.sort((a, b) => a.id - b.id);
}

/** Answers the given system ids for which deliveries wait. */
export async function whoWaits(pool: pg.Pool, systemIds: readonly number[]): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    'SELECT u.id FROM unnest($1::bigint[]) AS u(id) WHERE EXISTS (SELECT FROM smpp_delivery d WHERE d.smpp_system_id_id = u.id)',
    [systemIds],
  );
  return rows.map(({ id }) => id);
}

/** Deletes acknowledged deliveries. */
export async function endDeliveries(pool: pg.Pool, ids: readonly number[]): Promise<void> {
  await pool.query({
    name: 'smpp-end',
    text: 'DELETE FROM smpp_delivery WHERE id = ANY ($1::bigint[])',
    values: [`{${ids.join()}}`],
  });
}

/** Returns unacknowledged deliveries to the queue: they may be sent again after `afterMs`. */
export async function returnDeliveries(pool: pg.Pool, ids: readonly number[], afterMs: number): Promise<void> {
  await pool.query(
    `UPDATE smpp_delivery SET claimed_by = NULL, claimed_until = now() + $2 * interval '1 millisecond' WHERE id = ANY ($1::bigint[])`,
    [`{${ids.join()}}`, afterMs],
  );
}

/** Deletes deliveries that no program fetched in time. */
export async function forgetOldDeliveries(pool: pg.Pool): Promise<void> {
  await pool.query(`DELETE FROM smpp_delivery WHERE created_at < now() - interval '${KEPT}'`);
}

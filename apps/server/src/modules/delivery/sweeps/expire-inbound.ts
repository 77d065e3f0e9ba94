import type pg from 'pg';
import { inTransaction } from '#platform/database/in-transaction';
import type { OnInbound } from '../inbound/hand-on.ts';
import { keyOf, lockParts, markHandedOn, messageOf, type PartKey, REMEMBERED } from '../inbound/part-rows.ts';
import { FORGET_REPLIES, FORGET_SEEN } from '../inbound/seen-messages.ts';
import type { Link } from '../sending/link.ts';

/** Time for which a message from a phone waits for its missing parts. */
const PATIENCE = '15 minutes';
const LIMIT = 200;

const FIND = `
  SELECT p.link_id, p.sender, p.recipient, p.kind, p.reference, p.total, coalesce(l.default_charset, 'gsm') AS charset
  FROM inbound_part p LEFT JOIN link l ON l.id = p.link_id
  WHERE p.handed_on_at IS NULL AND p.received_at < now() - interval '${PATIENCE}'
  GROUP BY p.link_id, p.sender, p.recipient, p.kind, p.reference, p.total, l.default_charset
  LIMIT ${LIMIT}`;

const FORGET = `DELETE FROM inbound_part WHERE handed_on_at < now() - interval '${REMEMBERED}'`;

/**
 * Passes on incomplete messages from phones with parts that did not come in time, and deletes parts of those passed on
 * long ago. Any number of processes may run it side by side.
 */
export async function expireInbound(pool: pg.Pool, onInbound: OnInbound): Promise<void> {
  const { rows: due } = await pool.query<PartKey & { charset: Link['default_charset'] }>(FIND);
  if (due.length > 0) {
    await inTransaction(pool, async (client) => {
      // Read under the lock: messages that another process has completed or passed on meanwhile no longer wait.
      const waiting = Map.groupBy(
        (await lockParts(client, due)).filter((row) => !row.handed_on),
        keyOf,
      );
      const messages = due.flatMap((key) => {
        const parts = waiting.get(keyOf(key));
        return parts ? [messageOf(parts, key.charset)] : [];
      });
      if (messages.length > 0) await onInbound(client, messages);
      await markHandedOn(client, [...waiting.values()].flat());
    });
  }
  await pool.query(FORGET);
  await pool.query(FORGET_SEEN);
  await pool.query(FORGET_REPLIES);
}

import { type Queryable, rowsOf } from '#platform/database/queryable';
import { wakeSenders } from './enqueue.ts';
import { CLASSES } from './sending/message-class.ts';

/**
 * Prefix of the lanes' holder during a hold; no sender's name begins like it. The time to which the database was
 * restored follows.
 */
const HOLDER = 'restored to ';
/** Lease end far after any restore is checked; leases are compared with it as with any other time. */
const FOR_EVER = '9999-12-31';

const ENSURE_LANES = `
  INSERT INTO lane (link_id, class) SELECT l.id, c FROM link l CROSS JOIN unnest($1::message_class[]) AS c
  ON CONFLICT DO NOTHING`;
const TAKE_LANES = `UPDATE lane SET holder = $1, expires_at = '${FOR_EVER}', fence = fence + 1`;

// Without its row, a segment that waited for a retry counts as handed over without an answer, and is resolved as such.
const FORGET_RETRIES = 'DELETE FROM retry RETURNING message_id';

// Locked in the order of their ids, as everywhere. Messages scheduled for a future time have not left, so they are not
// held.
const HOLD_LOOSE = `
  WITH locked AS (
    SELECT id FROM chunk WHERE campaign_id IS NULL
      AND (state = 'open' OR state = 'held' AND coalesce(not_before <= now(), true)) ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE chunk k SET state = 'held', not_before = NULL FROM locked WHERE k.id = locked.id RETURNING k.size - k.cursor AS messages`;

// A code that was handed over without an answer would be sent a second time by the next sender.
const END_CODES = `
  UPDATE chunk SET expires_at = now()
  WHERE class = 'otp' AND cursor > 0 AND created_at > now() - interval '1 hour' AND coalesce(expires_at > now(), true)`;

// Messages that wait for a moderator stay as they are.
const HELD_LOOSE = `campaign_id IS NULL AND state = 'held' AND not_before IS NULL AND NOT EXISTS (
  SELECT FROM moderation_item i WHERE i.chunk_id = chunk.id AND i.state IN ('waiting', 'rejected'))`;

/** Number of messages that are held; `tries_forgotten` counts segments. */
export interface HeldSending {
  messages: number;
  tries_forgotten: number;
}

/**
 * Stops all sending until `releaseSending`, whatever senders run: a holder that is no sender takes the lanes of all
 * links. Messages outside campaigns that may have left before are held, and retries are deleted. `until` is the time to
 * which the database was restored, RFC 3339.
 */
export async function holdSending(db: Queryable, until: string): Promise<HeldSending> {
  await rowsOf(db, ENSURE_LANES, [[...CLASSES]]);
  await rowsOf(db, TAKE_LANES, [HOLDER + until]);
  const retries = await rowsOf(db, FORGET_RETRIES);
  const loose = await rowsOf<{ messages: number }>(db, HOLD_LOOSE);
  await rowsOf(db, END_CODES);
  return {
    messages: loose.reduce((sum, { messages }) => sum + Number(messages), 0),
    tries_forgotten: retries.length,
  };
}

/** Answers the time to which the database was restored, RFC 3339, while sending is held after it; else undefined. */
export async function heldSince(db: Queryable): Promise<string | undefined> {
  const rows = await rowsOf<{ holder: string }>(db, `SELECT holder FROM lane WHERE holder LIKE '${HOLDER}%' LIMIT 1`);
  return rows[0]?.holder.slice(HOLDER.length);
}

/** Answers the number of messages outside campaigns that wait for a decision. */
export async function heldMessages(db: Queryable): Promise<number> {
  const rows = await rowsOf<{ messages: number | null }>(
    db,
    `SELECT sum(size - cursor)::bigint AS messages FROM chunk WHERE ${HELD_LOOSE}`,
  );
  return Number(rows[0]?.messages ?? 0);
}

/**
 * Lets senders take the lanes again. Held messages outside campaigns are sent if `send` is true. Else they expire:
 * their reserve is released, and the programs that sent them are told.
 */
export async function releaseSending(db: Queryable, send: boolean): Promise<void> {
  const expiry = send ? '' : ', expires_at = now()';
  await rowsOf(
    db,
    `WITH locked AS (SELECT id FROM chunk WHERE ${HELD_LOOSE} ORDER BY id FOR NO KEY UPDATE)
     UPDATE chunk k SET state = 'open'${expiry} FROM locked WHERE k.id = locked.id`,
  );
  await rowsOf(db, `UPDATE lane SET holder = NULL, expires_at = NULL WHERE holder LIKE '${HOLDER}%'`);
  await wakeSenders(db);
}

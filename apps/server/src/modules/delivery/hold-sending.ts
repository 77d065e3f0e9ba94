import { type Queryable, rowsOf } from '#platform/queryable';
import { wakeSenders } from './enqueue.ts';
import { CLASSES } from './sending/read-chunks.ts';

/** Who holds the lanes then: no sender's name looks like it. The time follows to which the database was put back. */
const HOLDER = 'restored to ';
/** Beyond any restore that is still being looked at; leases are compared with it as with any other time. */
const FOR_EVER = '9999-12-31';

const ENSURE_LANES = `
  INSERT INTO lane (link_id, class) SELECT l.id, c FROM link l CROSS JOIN unnest($1::message_class[]) AS c
  ON CONFLICT DO NOTHING`;
const TAKE_LANES = `UPDATE lane SET holder = $1, expires_at = '${FOR_EVER}', fence = fence + 1`;

// Without its row a segment that was to be tried again is one that was handed over and has no answer, and is resolved as such.
const FORGET_RETRIES = 'DELETE FROM retry RETURNING message_id';

// Locked in the order of their ids, as everywhere. What was to leave at a time that is still to come has not left.
const HOLD_LOOSE = `
  WITH locked AS (
    SELECT id FROM chunk WHERE campaign_id IS NULL
      AND (state = 'open' OR state = 'held' AND coalesce(not_before <= now(), true)) ORDER BY id FOR NO KEY UPDATE
  )
  UPDATE chunk k SET state = 'held', not_before = NULL FROM locked WHERE k.id = locked.id RETURNING k.size - k.cursor AS messages`;

// A code that was handed over without an answer would get its second try from the next sender.
const END_CODES = `
  UPDATE chunk SET expires_at = now()
  WHERE class = 'otp' AND cursor > 0 AND created_at > now() - interval '1 hour' AND coalesce(expires_at > now(), true)`;

const HELD_LOOSE = "campaign_id IS NULL AND state = 'held' AND not_before IS NULL";

/** What is kept from leaving, in messages; second tries in segments. */
export interface HeldSending {
  messages: number;
  tries_forgotten: number;
}

/**
 * Keeps all messages where they are until `releaseSending`, whatever senders run: the lanes of all links are held by nobody
 * who sends. Messages outside campaigns that may have left before are held, and second tries are forgotten. `until` is the
 * time to which the database was put back, RFC 3339.
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

/** To which time the database was put back, RFC 3339, where sending is held since; undefined where it is not. */
export async function heldSince(db: Queryable): Promise<string | undefined> {
  const rows = await rowsOf<{ holder: string }>(db, `SELECT holder FROM lane WHERE holder LIKE '${HOLDER}%' LIMIT 1`);
  return rows[0]?.holder.slice(HOLDER.length);
}

/** How many messages outside campaigns wait for a decision. */
export async function heldMessages(db: Queryable): Promise<number> {
  const rows = await rowsOf<{ messages: number | null }>(
    db,
    `SELECT sum(size - cursor)::bigint AS messages FROM chunk WHERE ${HELD_LOOSE}`,
  );
  return Number(rows[0]?.messages ?? 0);
}

/**
 * Lets senders have the lanes again. Messages outside campaigns that were held are sent where `send` says so; else they
 * expire, which gives back what they were to cost and tells the programs that sent them.
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

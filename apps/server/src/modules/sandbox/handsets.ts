import type { MessageState } from '@heliograph/contract/kernel/states';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';

/** A virtual handset of a corporation. */
export interface Handset {
  number: string;
  messages: number;
  last_at: string;
}

/** Returns the handsets of a corporation that received messages, the last one first. */
export async function handsets(db: Kysely<Database>, corporation_id: number, limit: number): Promise<Handset[]> {
  const { rows } = await sql<Handset>`
    SELECT p.number, count(DISTINCT p.message_id)::int AS messages, max(p.received_at) AS last_at
    FROM sandbox_part p JOIN chunk k ON k.id = p.message_id >> 10
    WHERE p.corporation_id = ${corporation_id} GROUP BY p.number ORDER BY max(p.received_at) DESC LIMIT ${limit}`.execute(
    db,
  );
  return rows;
}

/** A text on a handset. */
export interface HandsetMessage {
  direction: 'received' | 'sent';
  id: number;
  with: string;
  text: string | null;
  parts: number;
  state: MessageState | null;
  at: string;
}

/** Returns what a handset of a corporation received and sent, the newest first. */
export async function handsetMessages(
  db: Kysely<Database>,
  corporation_id: number,
  number: string,
  limit: number,
): Promise<HandsetMessage[]> {
  const { rows } = await sql<HandsetMessage>`
    (SELECT 'received' AS direction, p.message_id AS id, r.sender_id AS "with", r.text, p.parts, r.state::text AS state, p.at
      FROM (SELECT message_id, count(*)::int AS parts, max(received_at) AS at FROM sandbox_part
        WHERE corporation_id = ${corporation_id} AND number = ${number}
        GROUP BY message_id ORDER BY message_id DESC LIMIT ${limit}) p
      JOIN message_row r ON r.id = p.message_id)
    UNION ALL
    (SELECT 'sent', id, recipient, text, 1, NULL, received_at FROM sandbox_reply
      WHERE corporation_id = ${corporation_id} AND number = ${number} ORDER BY id DESC LIMIT ${limit})
    ORDER BY at DESC, id DESC LIMIT ${limit}`.execute(db);
  return rows;
}

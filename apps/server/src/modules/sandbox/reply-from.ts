import { SANDBOX_LIMITS } from '@heliograph/contract/sandbox/limits';
import { type Kysely, sql } from 'kysely';
import { addEvents } from '#modules/events';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';

interface Last {
  sender_id: string;
  department_id: number | null;
  user_id: number | null;
}

/**
 * Lets a handset answer the last message that it received, as a message from a phone for programs. Throws `not_found` if
 * it has received none, and `sandbox_full`.
 */
export async function replyFrom(
  db: Kysely<Database>,
  { corporation_id, number, text }: { corporation_id: number; number: string; text: string },
): Promise<{ id: number; to: string; received_at: string }> {
  const { rows: last } = await sql<Last>`
    SELECT k.sender_id, k.department_id, k.user_id FROM sandbox_part p JOIN chunk k ON k.id = p.message_id >> 10
    WHERE p.corporation_id = ${corporation_id} AND p.number = ${number} ORDER BY p.message_id DESC LIMIT 1`.execute(db);
  if (!last[0]) throw new BusinessError('not_found');
  const { sender_id: to, department_id, user_id } = last[0];
  const { rows: today } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM (SELECT FROM sandbox_reply WHERE corporation_id = ${corporation_id}
      AND received_at > now() - interval '1 day' LIMIT ${SANDBOX_LIMITS.perDay}) r`.execute(db);
  if (today[0]!.n >= SANDBOX_LIMITS.perDay)
    throw new BusinessError('sandbox_full', { params: { count: SANDBOX_LIMITS.perDay } });
  const { rows } = await sql<{ id: number; received_at: string }>`
    INSERT INTO sandbox_reply (corporation_id, department_id, user_id, number, recipient, text)
    VALUES (${corporation_id}, ${department_id}, ${user_id}, ${number}, ${to}, ${text}) RETURNING id, received_at`.execute(
    db,
  );
  const { id, received_at } = rows[0]!;
  await addEvents(db, [
    {
      corporation_id,
      department_id,
      user_id,
      type: 'message.received',
      message_id: null,
      data: { inbox_message_id: id },
    },
  ]);
  return { id, to, received_at };
}

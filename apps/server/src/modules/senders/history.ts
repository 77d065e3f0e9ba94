import type { getSenderHistory, senderEvent } from '@heliograph/contract/senders/sender-id';
import { type Kysely, sql } from 'kysely';
import type { z } from 'zod';
import { requireVisible } from '#platform/access/visible';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';

type Event = z.output<typeof senderEvent>;

/** Maximum entries of a history that are shown. */
const SHOWN = 200;

/** Returns the history of a sender ID, the newest entry first. */
export const historyOf: Handler<typeof getSenderHistory> = async (ctx, { params }) => {
  await requireVisible(ctx, 'sender_id', params.id, 'id').catch(() => {
    throw new BusinessError('not_found');
  });
  const { rows } = await sql<Event>`
    SELECT e.created_at, e.from_state, e.to_state, e.sender_id, u.name AS user_name, e.reason, e.expires_on
    FROM sender_event e LEFT JOIN user_account u ON u.id = e.actor_id
    WHERE e.sender_id_id = ${params.id} ORDER BY e.id DESC LIMIT ${SHOWN}`.execute(ctx.db);
  return { data: rows };
};

/**
 * Explains why messages of a corporation could leave under a sender at a moment: the last entry of its history before
 * then. Null if it has none, because it is older than the history.
 */
export async function explainSender(
  db: Kysely<Database>,
  sent: { corporation_id: number; sender_id: string; at: string },
): Promise<Event | null> {
  const { rows } = await sql<Event>`
    SELECT e.created_at, e.from_state, e.to_state, e.sender_id, u.name AS user_name, e.reason, e.expires_on
    FROM sender_event e LEFT JOIN user_account u ON u.id = e.actor_id
    WHERE e.corporation_id = ${sent.corporation_id} AND e.sender_id = ${sent.sender_id} AND e.created_at <= ${sent.at}
    ORDER BY e.created_at DESC, e.id DESC LIMIT 1`.execute(db);
  return rows[0] ?? null;
}

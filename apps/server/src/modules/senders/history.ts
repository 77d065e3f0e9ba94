import type { getSenderHistory, senderEvent } from '@heliograph/contract/senders/sender-id';
import { sql } from 'kysely';
import type { z } from 'zod';
import { requireVisible } from '#platform/access/visible';
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
    SELECT e.created_at, e.from_state, e.to_state, e.sender_id, u.name AS user_name, e.reason, e.expires_on,
      CASE WHEN scope_is_platform() THEN e.link_name END AS link_name
    FROM sender_event e LEFT JOIN user_account u ON u.id = e.actor_id
    WHERE e.sender_id_id = ${params.id} ORDER BY e.id DESC LIMIT ${SHOWN}`.execute(ctx.db);
  return { data: rows };
};

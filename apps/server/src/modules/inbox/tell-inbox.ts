import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { notify } from '#platform/realtime/realtime';

// Finds people with an open session who may see messages of these corporations in their inbox.
const LISTENERS = (corporations: readonly number[]) => sql<{ id: number }>`
  SELECT u.id FROM user_account u
  WHERE u.enabled AND EXISTS (SELECT FROM session s WHERE s.user_id = u.id AND s.ended_at IS NULL)
    AND (u.scope_level < 2 OR u.corporation_id = ANY (${[...corporations]}::bigint[])
      OR u.corporation_id IN (SELECT reseller_id FROM corporation WHERE id = ANY (${[...corporations]}::bigint[])))
    AND EXISTS (SELECT FROM permission p WHERE p.name = 'inbox-index' AND (
      EXISTS (SELECT FROM role_permission r WHERE r.permission_id = p.id AND r.role_id = u.role_id)
      OR EXISTS (SELECT FROM user_permission g WHERE g.permission_id = p.id AND g.user_id = u.id)))`;

/**
 * Notifies the people who see these corporations' inboxes that something in them changed, and returns their ids. A screen
 * then reads again what its person may see.
 */
export async function tellInbox(
  db: Kysely<Database>,
  what: 'inbox.received' | 'inbox.changed',
  corporations: readonly number[],
): Promise<number[]> {
  const { rows } = await LISTENERS(corporations).execute(db);
  for (const { id } of rows) await notify(db, id, what, {});
  return rows.map(({ id }) => id);
}

import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { notify } from '#platform/realtime/realtime';

/**
 * Notifies the people who see these corporations' inboxes that something in them changed, and returns their ids. A screen
 * then reads again what its person may see.
 */
export async function tellInbox(
  db: Kysely<Database>,
  what: 'inbox.received' | 'inbox.changed',
  corporations: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM inbox_listeners(${[...corporations]}::bigint[]) AS id`.execute(db);
  for (const { id } of rows) await notify(db, id, what, {});
  return rows.map(({ id }) => id);
}

import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { notify } from '#platform/realtime/realtime';

/** Returns the people who see these corporations' inboxes. */
export async function listenersOf(db: Kysely<Database>, corporations: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM inbox_listeners(${[...corporations]}::bigint[]) AS id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Notifies the people who see these corporations' inboxes that something in them changed, and returns their ids. A screen
 * then reads again what its person may see.
 */
export async function tellInbox(
  db: Kysely<Database>,
  what: 'inbox.received' | 'inbox.changed',
  corporations: readonly number[],
): Promise<number[]> {
  const people = await listenersOf(db, corporations);
  for (const id of people) await notify(db, id, what, {});
  return people;
}

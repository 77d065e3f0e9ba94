import { type Kysely, sql } from 'kysely';
import { wakeSenders } from '#modules/delivery';
import type { Database } from '#platform/database/db';

/** Numbers of what was moved. */
export interface Moved {
  receipts: number;
  messages: number;
  verifications: number;
}

/** Moves everything of a corporation's test messages that waits nearer by so many seconds. */
export async function moveTime(db: Kysely<Database>, corporation_id: number, seconds: number): Promise<Moved> {
  const { rows } = await sql<Moved>`SELECT * FROM move_sandbox_time(${corporation_id}, ${seconds})`.execute(db);
  await wakeSenders(db);
  return rows[0]!;
}

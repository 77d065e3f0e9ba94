import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';

/**
 * Lets people enter a journey that runs, in the caller's transaction; those without a contact get one. Who is under way,
 * or may not enter again yet, stays as they are.
 */
export async function letIn(
  db: Kysely<Database>,
  journeyId: number,
  numbers: readonly string[],
  now: Date,
): Promise<void> {
  if (numbers.length === 0) return;
  await sql`SELECT let_into_journey(${journeyId}, ${numbers}::text[], ${now.toISOString()})`.execute(db);
}

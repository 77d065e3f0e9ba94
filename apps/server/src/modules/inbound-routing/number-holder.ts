import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';

/**
 * Returns the corporation that owns a number, even if the caller cannot see it. Returns null if nobody owns it, or
 * several share it. Waits for transactions that assign the number at this moment, and holds the lock until its own
 * ends.
 */
export async function holderOf({ db }: { db: Kysely<Database> }, number: string): Promise<number | null> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('number ' || ${number}::text, 0))`.execute(db);
  const { rows } = await sql<{ holder: number | null }>`SELECT number_holder(${number}) AS holder`.execute(db);
  return rows[0]?.holder ?? null;
}

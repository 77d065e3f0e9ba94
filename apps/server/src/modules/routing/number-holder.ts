import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/db';

/**
 * Corporation to which a number belongs, whether the caller sees it or not; null where it is nobody's, or shared. Waits for
 * others who give the number out at this moment, until the transaction ends.
 */
export async function holderOf({ db }: { db: Kysely<Database> }, number: string): Promise<number | null> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('number ' || ${number}::text, 0))`.execute(db);
  const { rows } = await sql<{ holder: number | null }>`SELECT number_holder(${number}) AS holder`.execute(db);
  return rows[0]?.holder ?? null;
}

import { type Kysely, sql } from 'kysely';
import { BusinessError } from '../errors.ts';
import type { Database } from './db.ts';

/**
 * Runs one part of a call on several records in a savepoint. A refusal undoes only that part and is returned; null if it
 * succeeded.
 */
export async function oneOfSeveral(db: Kysely<Database>, work: () => Promise<void>): Promise<BusinessError | null> {
  await sql`SAVEPOINT one`.execute(db);
  try {
    await work();
    return null;
  } catch (error) {
    if (!(error instanceof BusinessError)) throw error;
    await sql`ROLLBACK TO SAVEPOINT one`.execute(db);
    return error;
  } finally {
    await sql`RELEASE SAVEPOINT one`.execute(db).catch(() => undefined);
  }
}

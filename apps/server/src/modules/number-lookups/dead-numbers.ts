import type { Kysely } from 'kysely';
import { deadAmong, LOOKUPS_ENABLED } from '#modules/networks';
import type { Database } from '#platform/database/db';
import { rowsOf } from '#platform/database/queryable';

/** Returns the numbers among some that a lookup says nobody has. */
type DeadFinder = (db: Kysely<Database>, numbers: readonly string[]) => Promise<ReadonlySet<string>>;

/** Returns a finder of dead numbers by what lookups know already; null while no service is enabled. It asks nobody. */
export async function deadFinder(db: Kysely<Database>): Promise<DeadFinder | null> {
  const [state] = await rowsOf<{ enabled: boolean }>(db, `SELECT ${LOOKUPS_ENABLED} AS enabled`, []);
  if (!state?.enabled) return null;
  return (asked, numbers) => deadAmong((text, values) => rowsOf(asked, text, values), numbers);
}

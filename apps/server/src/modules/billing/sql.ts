import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from '#platform/database/db';

/** Minimum that a transaction must offer, for example a client of `pg`. */
export interface Sql {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Transaction of Kysely or of `pg` itself. */
export type Db = Kysely<Database> | Sql;

/** Returns the rows of one statement with `$1…` placeholders, in either kind of transaction. */
export async function rowsOf<Row>(db: Db, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } =
    'executeQuery' in db ? await db.executeQuery(CompiledQuery.raw(text, values)) : await db.query(text, values);
  return rows as Row[];
}

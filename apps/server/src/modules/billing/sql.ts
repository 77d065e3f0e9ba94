import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from '#platform/db';

/** The least a transaction must offer: a client of `pg`, say. */
export interface Sql {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A transaction, of Kysely or of `pg` itself. */
export type Db = Kysely<Database> | Sql;

/** The rows of one statement with `$1…` placeholders, whichever kind of transaction it runs in. */
export async function rowsOf<Row>(db: Db, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } =
    'executeQuery' in db ? await db.executeQuery(CompiledQuery.raw(text, values)) : await db.query(text, values);
  return rows as Row[];
}

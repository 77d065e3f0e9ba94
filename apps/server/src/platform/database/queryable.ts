import { CompiledQuery, type Kysely } from 'kysely';
import type { Database } from './db.ts';

/** Minimum that a session must offer, for example a client of `pg`. */
export interface Sql {
  query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Session of PostgreSQL in the form that callers have: Kysely (usually a transaction) or a client of `pg`. */
export type Queryable = Kysely<Database> | Sql;

/** Runs one statement and answers its rows. */
export async function rowsOf<Row>(db: Queryable, text: string, values: readonly unknown[] = []): Promise<Row[]> {
  if ('executeQuery' in db) return (await db.executeQuery(CompiledQuery.raw(text, [...values]))).rows as Row[];
  return (await db.query(text, [...values])).rows as Row[];
}

import { Kysely, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { EndingDialect } from '../driver/ending-dialect.ts';
import type { Database } from './db.ts';

const known = new WeakMap<pg.ClientBase, Kysely<Database>>();

/** Returns Kysely over one session, which belongs to its user: statements run in the transaction that is open there. */
export function databaseOver(client: pg.ClientBase): Kysely<Database> {
  const kept = known.get(client);
  if (kept) return kept;
  const lent = {
    query: client.query.bind(client) as PostgresPoolClient['query'],
    release: () => undefined,
  } satisfies PostgresPoolClient;
  const pool = { options: {}, connect: async () => lent, end: async () => undefined };
  const database = new Kysely<Database>({ dialect: new EndingDialect({ pool }) });
  known.set(client, database);
  return database;
}

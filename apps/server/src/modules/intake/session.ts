import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type pg from 'pg';
import { together } from '#modules/delivery';
import { databaseOver } from '#platform/database/database-over';
import type { Database } from '#platform/database/db';
import type { Sql } from '#platform/database/queryable';
import { gatherWrites } from '#platform/driver/internals';

/**
 * Transaction whose statements go out without waiting for the answers to those before. A step of it costs one wait for
 * the database and for this process, whatever its number of statements.
 */
export class IntakeSession {
  /** Sends statements in the order of the calls. */
  readonly sent: Sql;
  /** Statements that are awaited one by one. */
  readonly db: Kysely<Database>;
  /** Resolves when the transaction has begun. Await it with the first statements. */
  readonly begun: Promise<unknown>;
  readonly #client: pg.ClientBase;

  /** Begins. With `named`, each statement is parsed and planned once in its session of the database. */
  constructor(client: pg.ClientBase, named: boolean) {
    this.#client = client;
    gatherWrites(client);
    this.begun = client.query('BEGIN');
    // Awaited later: until then the error of a lost session is nobody's.
    this.begun.catch(() => undefined);
    this.sent = {
      query(text, values) {
        gatherWrites(client);
        return client.query(named ? { name: nameOf(text), text, values } : { text, values });
      },
    };
    this.db = databaseOver(client);
  }

  /** Commits in the same step as the statements that were sent last. Throws the error of the one that failed. */
  async commit(last: readonly Promise<unknown>[]): Promise<void> {
    gatherWrites(this.#client);
    const commit = this.#client.query('COMMIT');
    await together([...last, commit]);
    const { command } = await commit;
    if (command !== 'COMMIT') throw new Error('The transaction was undone: a statement in it had failed.');
  }
}

const names = new Map<string, string>();

function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url');
    names.set(text, name);
  }
  return name;
}

/** Runs work in a session of the pool. The work commits as its last step; if it throws, everything is rolled back. */
export async function inSession<R>(
  pool: pg.Pool,
  named: boolean,
  work: (session: IntakeSession) => Promise<R>,
): Promise<R> {
  const client = await pool.connect();
  try {
    return await work(new IntakeSession(client, named));
  } catch (error) {
    // If that fails too, the pool closes the session.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    client.release();
  }
}

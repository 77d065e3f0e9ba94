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
  /** Resolves when what was sent behind the commit is answered; undefined if nothing was. */
  rest: Promise<unknown> | undefined;
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

  /**
   * Commits in the same step as the statements that were sent last. Throws the error of the one that failed. `behind` may
   * send statements of their own transactions, which do not wait for the answer to the commit, nor anybody for theirs.
   */
  async commit(
    last: readonly Promise<unknown>[],
    behind?: (client: pg.ClientBase) => Promise<unknown> | undefined,
  ): Promise<void> {
    gatherWrites(this.#client);
    const commit = this.#client.query('COMMIT');
    this.rest = behind?.(this.#client);
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
  const session = new IntakeSession(client, named);
  try {
    return await work(session);
  } catch (error) {
    // If that fails too, the pool closes the session.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  } finally {
    if (session.rest) void session.rest.then(() => client.release());
    else client.release();
  }
}

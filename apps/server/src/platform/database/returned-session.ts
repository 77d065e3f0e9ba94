import type pg from 'pg';
import { wasCanceled } from '../jobs/statements.ts';

/**
 * Closes a session that returns to its pool within a transaction, or while a statement still runs. The next statement
 * on it would become part of the abandoned transaction, and be rolled back with it. This happens if neither a statement
 * nor the ROLLBACK after it was awaited. A late cancel must not hit the next user's statement.
 */
export function closeUnclean(client: pg.PoolClient): void {
  const { _activeQuery, _queryQueue } = client as unknown as Statements;
  const isBusy = Boolean(_activeQuery) || _queryQueue.length > 0;
  // The pool drops every ended session.
  if (isBusy || wasCanceled(client) || client.getTransactionStatus() !== 'I') void client.end();
}

/** Internals of a `pg` session, without types: the statement that is not answered yet, and those behind it. */
interface Statements {
  _activeQuery: unknown;
  _queryQueue: readonly unknown[];
}

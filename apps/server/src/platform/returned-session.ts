import type pg from 'pg';
import { wasCanceled } from './job-statements.ts';

/**
 * Closes a session that goes back to its pool within a transaction, or while a statement is still under way: what came next
 * on it would become part of what was given up, and be undone with it. So it is where a statement was not waited for any
 * longer, and the ROLLBACK behind it neither. A cancel that comes late must not hit the next one's statement.
 */
export function closeUnclean(client: pg.PoolClient): void {
  const { _activeQuery, _queryQueue } = client as unknown as Statements;
  const isBusy = Boolean(_activeQuery) || _queryQueue.length > 0;
  // The pool drops whatever was ended.
  if (isBusy || wasCanceled(client) || client.getTransactionStatus() !== 'I') void client.end();
}

/** What `pg` knows of a session and has no word for: the statement that is not answered yet, and those behind it. */
interface Statements {
  _activeQuery: unknown;
  _queryQueue: readonly unknown[];
}

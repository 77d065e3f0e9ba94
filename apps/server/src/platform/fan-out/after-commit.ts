import type pg from 'pg';
import { type Queryable, rowsOf } from '../database/queryable.ts';

/** SQLSTATE of a class that nobody else uses: with it the session reports that an action is to run after the commit. */
const MARK = 'HGAC0';

type Action = () => void;

const actions = new Map<string, Action>();
let last = 0;

/**
 * Runs an action after the transaction of `db` commits; never if it, or the savepoint in it, is rolled back. PostgreSQL
 * itself decides: the session reports the action's number in its place among the statements. Its client then follows
 * the commits and rollbacks. Works for sessions of pools of `createPool` and for clients.
 */
export async function afterCommit(db: Queryable, action: Action): Promise<void> {
  if (!('executeQuery' in db)) watchCommits(db as pg.ClientBase);
  const number = String(++last);
  actions.set(number, action);
  try {
    // INFO always goes to the client, and never to a log.
    await rowsOf(db, `DO $$BEGIN RAISE INFO USING ERRCODE = '${MARK}', MESSAGE = '${number}'; END$$`);
  } catch (error) {
    actions.delete(number);
    throw error;
  }
}

const watched = new WeakSet<pg.ClientBase>();

/** Lets a session run the actions that wait for its commits. */
export function watchCommits(client: pg.ClientBase): void {
  if (watched.has(client)) return;
  watched.add(client);
  let waiting: Action[] = [];
  /** Number of waiting actions at each open savepoint. */
  let savepoints: number[] = [];
  let undone = false;
  const end = (stands: boolean) => {
    const due = stands ? waiting : [];
    waiting = [];
    savepoints = [];
    undone = false;
    for (const action of due) action();
  };
  client.on('notice', ({ code, message = '' }) => {
    const action = code === MARK ? actions.get(message) : undefined;
    if (!action) return;
    actions.delete(message);
    waiting.push(action);
  });
  const { connection } = client as pg.Client;
  connection.on('errorMessage', () => {
    undone = true;
  });
  connection.on('commandComplete', ({ text }: { text: string }) => {
    if (waiting.length === 0) return;
    if (text === 'COMMIT') end(true);
    else if (text === 'ROLLBACK') undone = true;
    else if (text === 'SAVEPOINT') savepoints.push(waiting.length);
    else if (text === 'RELEASE') savepoints.pop();
  });
  connection.on('readyForQuery', ({ status }: { status: string }) => {
    if (status === 'I') end(!undone);
    // A ROLLBACK within a transaction that continues is one to a savepoint.
    else if (status === 'T' && undone) waiting.length = savepoints.at(-1) ?? 0;
    if (status === 'T') undone = false;
  });
  client.once('end', () => end(false));
}

import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import type pg from 'pg';
import { DatabaseClient, type DatabaseSettings } from '../database/client.ts';
import { processIdOf } from '../driver/internals.ts';

/** Job that a statement belongs to. */
export interface JobRun {
  /** Ends the running statement as soon as it is aborted. */
  readonly signal: AbortSignal;
  /** Time limit of one statement, in ms. */
  readonly statementMs: number;
  /** Throws before a transaction commits if its attempt at the job has lost its lock. */
  readonly fence?: (query: (text: string, values: unknown[]) => Promise<pg.QueryResult>) => Promise<void>;
}

const runs = new AsyncLocalStorage<JobRun>();
const cancelled = new WeakSet<pg.ClientBase>();
const CANCEL_WITHIN_MS = 5_000;

/** Runs a job: its statements end when `signal` is aborted, or when one of them takes longer than `statementMs`. */
export function runBounded<Result>(run: JobRun, work: () => Promise<Result>): Promise<Result> {
  setMaxListeners(0, run.signal);
  return runs.run(run, work);
}

/** Lets the statements of a session end with the job that runs them; `settings` open a second session, which cancels. */
export function boundStatements(client: pg.PoolClient, settings: DatabaseSettings): void {
  const query = client.query.bind(client) as (...values: unknown[]) => unknown;
  let readsOnly = false;
  const bounded = (...values: unknown[]) => {
    const run = runs.getStore();
    const text = textOf(values[0]);
    if (/^\s*begin/i.test(text)) readsOnly = /read only/i.test(text);
    // Jobs only read under the role of people.
    if (/^\s*set local role/i.test(text)) readsOnly = true;
    const result =
      run?.fence && !readsOnly && /^\s*commit/i.test(text)
        ? run.fence((...check) => query(...check) as Promise<pg.QueryResult>).then(() => query(...values))
        : query(...values);
    // Callbacks belong to pool.query and may run in another context; the end of a transaction is never interrupted.
    if (run && result instanceof Promise && !/^\s*(commit|rollback)/i.test(text)) bound(client, settings, run, result);
    return result;
  };
  client.query = bounded as typeof client.query;
}

/**
 * Tells whether a session was cancelled. The cancel may arrive late and hit its next statement, so nobody may use it
 * again.
 */
export const wasCancelled = (client: pg.ClientBase): boolean => cancelled.has(client);

function textOf(statement: unknown): string {
  return (typeof statement === 'string' ? statement : (statement as { text?: string } | undefined)?.text) ?? '';
}

function bound(client: pg.PoolClient, settings: DatabaseSettings, run: JobRun, result: Promise<unknown>): void {
  const cancel = () => {
    cancelled.add(client);
    void signalSession('pg_cancel_backend', processIdOf(client), settings);
  };
  const late = setTimeout(cancel, run.statementMs);
  run.signal.addEventListener('abort', cancel, { once: true });
  const rest = () => {
    clearTimeout(late);
    run.signal.removeEventListener('abort', cancel);
  };
  result.then(rest, rest);
}

/** Ends the statement of a session of this login, or the session itself, over another session. */
export async function signalSession(
  signal: 'pg_cancel_backend' | 'pg_terminate_backend',
  pid: number,
  settings: DatabaseSettings,
): Promise<void> {
  const session = new DatabaseClient({
    ...settings,
    application_name: 'heliograph cancel',
    query_timeout: CANCEL_WITHIN_MS,
  });
  session.on('error', () => undefined);
  try {
    await session.connect();
    // A login may cancel its own sessions; the role that it has taken may not.
    await session.query('SET ROLE NONE');
    await session.query(`SELECT ${signal}($1)`, [pid]);
  } catch {
    // The session's own time limits still end it.
  } finally {
    await session.end().catch(() => undefined);
  }
}

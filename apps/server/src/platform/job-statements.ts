import { AsyncLocalStorage } from 'node:async_hooks';
import { setMaxListeners } from 'node:events';
import type pg from 'pg';
import { DatabaseClient, type DatabaseSettings } from './database-client.ts';

/** The job in whose course a statement runs. */
interface JobRun {
  /** Ends what is under way in the database as soon as it is aborted. */
  readonly signal: AbortSignal;
  /** Time limit of one statement, in ms. */
  readonly statementMs: number;
}

const runs = new AsyncLocalStorage<JobRun>();
const canceled = new WeakSet<pg.ClientBase>();
const CANCEL_WITHIN_MS = 5_000;

/** Runs a job: its statements end when `signal` is aborted, or when one of them takes longer than `statementMs`. */
export function runBounded<Result>(run: JobRun, work: () => Promise<Result>): Promise<Result> {
  setMaxListeners(0, run.signal);
  return runs.run(run, work);
}

/** Lets the statements of a session end with the job that runs them; `settings` open a second session, which cancels. */
export function boundStatements(client: pg.PoolClient, settings: DatabaseSettings): void {
  const query = client.query.bind(client) as (...values: unknown[]) => unknown;
  const bounded = (...values: unknown[]) => {
    const run = runs.getStore();
    const result = query(...values);
    // Callbacks belong to pool.query, whose context may be another's; the end of a transaction is never cut short.
    if (run && result instanceof Promise && !endsTransaction(values[0])) bound(client, settings, run, result);
    return result;
  };
  client.query = bounded as typeof client.query;
}

/** Whether a session was canceled: the cancel may arrive late and hit its next statement, so nobody uses it again. */
export const wasCanceled = (client: pg.ClientBase): boolean => canceled.has(client);

function endsTransaction(statement: unknown): boolean {
  const text = typeof statement === 'string' ? statement : (statement as { text?: string }).text;
  return /^\s*(commit|rollback)/i.test(text ?? '');
}

function bound(client: pg.PoolClient, settings: DatabaseSettings, run: JobRun, result: Promise<unknown>): void {
  const cancel = () => {
    canceled.add(client);
    void cancelStatement((client as unknown as { processID: number }).processID, settings);
  };
  const late = setTimeout(cancel, run.statementMs);
  run.signal.addEventListener('abort', cancel, { once: true });
  const rest = () => {
    clearTimeout(late);
    run.signal.removeEventListener('abort', cancel);
  };
  result.then(rest, rest);
}

async function cancelStatement(pid: number, settings: DatabaseSettings): Promise<void> {
  const session = new DatabaseClient({
    ...settings,
    application_name: 'heliograph cancel',
    query_timeout: CANCEL_WITHIN_MS,
  });
  session.on('error', () => undefined);
  try {
    await session.connect();
    // A login may cancel its own sessions, which the role that it has taken may not.
    await session.query('SET ROLE NONE');
    await session.query('SELECT pg_cancel_backend($1)', [pid]);
  } catch {
    // The session's own time limit still ends the statement.
  } finally {
    await session.end().catch(() => undefined);
  }
}

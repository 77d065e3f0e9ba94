import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { DatabaseSettings } from '../database/client.ts';
import { settingsOf } from '../driver/internals.ts';
import type { Logger } from '../log.ts';
import { signalSession } from './statements.ts';

/** Seed of the hash that turns a job's id into the number of its lock. */
const LOCK_SEED = 57;
const LOCK = `hashtextextended($1::text, ${LOCK_SEED})`;
/** Minimum age of a checked attempt: a job that began later may be about to get its lock. */
const SWEPT_AFTER = '2 s';
const SWEPT_AT_ONCE = 100;
/** Time in ms within which an ended session has released its locks. */
const FREE_WITHIN_MS = 5_000;

const TRY = `SELECT pg_try_advisory_lock(${LOCK}) AS done`;
const UNLOCK = `SELECT pg_advisory_unlock(${LOCK})`;
const HOLDERS = `
SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND pid <> pg_backend_pid()
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  AND (classid::bigint << 32) | objid::bigint = ${LOCK}`;
// Mark of attempts that hold a lock. Attempts of an earlier release hold none, and must not look like attempts of a
// dead worker.
const MARK = `
UPDATE jobs.job SET output = jsonb_build_object('held_by', pg_backend_pid())
WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3`;
/**
 * Statement that finds attempts of other workers that have lost their lock; afterwards this session holds the lock of
 * each.
 */
const ORPHANS = `
WITH running AS MATERIALIZED (
  SELECT name, id, retry_count, retry_limit FROM jobs.job
  WHERE state = 'active' AND started_on < now() - '${SWEPT_AFTER}'::interval AND output ? 'held_by' AND id <> ALL ($1::uuid[])
  LIMIT ${SWEPT_AT_ONCE}
) SELECT * FROM running WHERE pg_try_advisory_lock(hashtextextended(id::text, ${LOCK_SEED}))`;
const RETRY = `
UPDATE jobs.job SET state = 'retry', start_after = now(), heartbeat_on = NULL, output = NULL
WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3`;
const FENCE = `SELECT FROM jobs.job WHERE name = $1 AND id = $2 AND state = 'active' AND retry_count = $3 FOR SHARE`;

/** Data of the queue about a job that was taken. */
interface Taken {
  readonly id: string;
  readonly name: string;
  readonly retryCount: number;
}

/** Attempt at a job by this worker. It may write as long as it holds the job's lock. */
export class Attempt {
  readonly #taken: Taken;
  readonly #lost = new AbortController();
  /** Whether its handler has ended, but the queue does not know yet. */
  hasEnded = false;

  constructor(taken: Taken) {
    this.#taken = taken;
  }

  /** Signal that is aborted when the attempt has lost its lock. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  lose(): void {
    this.#lost.abort(new Error('another worker has taken over this job'));
  }

  /** Throws if the attempt has lost its lock; otherwise no other attempt begins until the transaction has ended. */
  async fence(query: (text: string, values: unknown[]) => Promise<pg.QueryResult>): Promise<void> {
    const { name, id, retryCount } = this.#taken;
    this.lost.throwIfAborted();
    if ((await query(FENCE, [name, id, retryCount])).rowCount === 1) return;
    this.lose();
    this.lost.throwIfAborted();
  }
}

/**
 * Attempts at jobs that a worker makes. Each holds an advisory lock in one session of the worker. PostgreSQL releases
 * it as soon as the worker is dead. A worker that finds an attempt without its lock gives the job to another worker.
 */
export class JobAttempts {
  readonly #pool: pg.Pool;
  readonly #log: Logger;
  readonly #attempts = new Map<string, Attempt>();
  #session: Promise<pg.PoolClient> | undefined;
  /** Last statement of the session: they run one after another. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(pool: pg.Pool, log: Logger) {
    this.#pool = pool;
    this.#log = log;
  }

  /** Begins an attempt. Throws if another worker has the job. */
  async begin(taken: Taken): Promise<Attempt> {
    const { id, name, retryCount } = taken;
    // The same session would get the lock twice.
    const own = this.#attempts.get(id);
    own?.lose();
    const attempt = own ?? new Attempt(taken);
    this.#attempts.set(id, attempt);
    try {
      attempt.lost.throwIfAborted();
      if (!(await this.#lock(id))) attempt.lose();
      else if ((await this.#ask(MARK, [name, id, retryCount])).rowCount !== 1) attempt.lose();
      attempt.lost.throwIfAborted();
      return attempt;
    } catch (error) {
      attempt.lose();
      if (!own) attempt.hasEnded = true;
      throw error;
    }
  }

  /** The attempt of this worker at a job. */
  of(id: unknown): Attempt | undefined {
    return typeof id === 'string' ? this.#attempts.get(id) : undefined;
  }

  /** Releases an attempt, once the queue knows its result. */
  async forget(id: string): Promise<void> {
    this.#attempts.delete(id);
    // A session that is gone has released it already.
    if (this.#session) await this.#ask(UNLOCK, [id]).catch(() => undefined);
  }

  /** Gives jobs of dead workers to another; `fail` ends those that have used up their tries. Answers their names. */
  async sweep(fail: (name: string, id: string) => Promise<unknown>): Promise<string[]> {
    const own = [...this.#attempts.keys()];
    const { rows } = await this.#ask<Taken & { retry_count: number; retry_limit: number }>(ORPHANS, [own]);
    const names: string[] = [];
    for (const { name, id, retry_count, retry_limit } of rows) {
      if (retry_count < retry_limit) await this.#ask(RETRY, [name, id, retry_count]);
      else await fail(name, id);
      await this.#ask(UNLOCK, [id]);
      this.#log.warn({ job: name, job_id: id }, 'job taken over from a dead worker');
      names.push(name);
    }
    return names;
  }

  /** Ends the session, and with it every lock. */
  async stop(): Promise<void> {
    const session = await this.#session?.catch(() => undefined);
    this.#session = undefined;
    session?.release(true);
  }

  /**
   * Takes the lock of a job. If its holder sent no heartbeat for so long that the queue gave its job away, the holder
   * is cut off.
   */
  async #lock(id: string): Promise<boolean> {
    const taken = async () => (await this.#ask<{ done: boolean }>(TRY, [id])).rows[0]?.done === true;
    if (await taken()) return true;
    const { rows } = await this.#ask<{ pid: number }>(HOLDERS, [id]);
    const settings = settingsOf<DatabaseSettings>(this.#pool);
    for (const { pid } of rows) await signalSession('pg_terminate_backend', pid, settings);
    for (const end = performance.now() + FREE_WITHIN_MS; performance.now() < end; await sleep(50))
      if (await taken()) return true;
    return false;
  }

  #ask<Row extends pg.QueryResultRow>(text: string, values: unknown[]): Promise<pg.QueryResult<Row>> {
    const answer = this.#last.then(async () => (await this.#open()).query<Row>(text, values));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  #open(): Promise<pg.PoolClient> {
    if (this.#session) return this.#session;
    const opening = this.#connect();
    this.#session = opening;
    opening.catch(() => {
      if (this.#session === opening) this.#session = undefined;
    });
    return opening;
  }

  async #connect(): Promise<pg.PoolClient> {
    const session = await this.#pool.connect();
    session.once('end', () => {
      for (const attempt of this.#attempts.values()) attempt.lose();
      // Otherwise we ended it.
      if (!this.#session) return;
      this.#session = undefined;
      session.release(true);
    });
    // The server notices within seconds that the worker's machine is gone.
    await session.query(`SET application_name = 'heliograph jobs'; SET tcp_keepalives_idle = 3;
      SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 3`);
    return session;
  }
}

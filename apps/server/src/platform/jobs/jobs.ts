import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import type pg from 'pg';
import type { PgBoss } from 'pg-boss';
import type { z } from 'zod';
import { createPool, type Database } from '../database/db.ts';
import type { FanOut } from '../fan-out/fan-out.ts';
import { tell } from '../fan-out/tell.ts';
import type { Logger } from '../log.ts';
import { parentFrom, SpanKind, type TraceParent, traced, traceParent } from '../operate/tracing.ts';
import { JobAttempts } from './attempts.ts';
import { NoLongerWanted } from './failure.ts';
import { lookForJobs } from './look-for-jobs.ts';
import { repeat } from './repeat.ts';
import { runBounded } from './statements.ts';
import type { WorkWatch } from './work-watch.ts';

const SCHEMA = 'jobs';
/** Wakes workers the moment a job is committed; the search for due jobs is the guarantee behind it. */
const SUBJECT = 'jobs';
/** Grace period in ms for running jobs when their worker stops; then they are told to give up. */
const LET_END_MS = 3_000;
/** Maximum time in ms in which running jobs end at shutdown; a job that takes longer is left to another worker. */
export const JOBS_STOP_MS = 6_000;
/**
 * Maximum jobs of one kind that a worker runs at the same time if tenants take turns, and how many of them one tenant
 * may have.
 */
const TURNS = { all: 4, ofOneTenant: 2 } as const;
/**
 * Interval in s at which the queue itself searches for jobs of each kind, in case the search for due jobs fails. These
 * searches come together, and each would open a session of its own.
 */
const POLL_SECONDS = 600;
/** Interval in s at which the queue ends jobs that took too long, and counts those that wait. */
const SUPERVISE_SECONDS = 20;
/** Longest time in s between two tries of a job. */
const MAX_RETRY_DELAY_SECONDS = 30;
/** Interval in ms at which running jobs are checked for cancellation. */
const WANTED_MS = 1_000;

/** A kind of background work and the shape of its data. Data carries ids, never texts or phone numbers. */
export interface Job<Schema extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly data: Schema;
  /** Seconds without a heartbeat after which the job is given to another worker (at least 10). */
  readonly heartbeatSeconds: number;
  /** Further tries after the first; a worker that dies, for whatever reason, uses up a try of each job it runs. */
  readonly retryLimit: number;
  /** Seconds that one statement may take; a job that needs longer fails with `took_too_long`. */
  readonly statementSeconds: number;
}

/** Declares a kind of job; list it in processes/jobs.ts. */
export function defineJob<Schema extends z.ZodType>(
  name: string,
  data: Schema,
  options: Partial<Pick<Job, 'heartbeatSeconds' | 'retryLimit' | 'statementSeconds'>> = {},
): Job<Schema> {
  return { name, data, heartbeatSeconds: 15, retryLimit: 12, statementSeconds: 300, ...options };
}

/** Loaded only in processes that send or take jobs: senders do neither. */
const library = () => import('pg-boss');

const quiet = { supervise: false, schedule: false, migrate: false } as const;
// Some of pg-boss's texts are several statements: it needs the result in the form of pg.
const adapter = (pool: pg.Pool) => ({ executeSql: (text: string, values?: unknown[]) => pool.query(text, values) });

/** Brings the queue's own tables up to date and makes the queues; run by the owner after the migrations. */
export async function installJobs(url: string, jobs: readonly Job[]): Promise<void> {
  const pool = createPool({ DATABASE_URL: url }, 'owner', { max: 2 });
  const { PgBoss } = await library();
  const boss = new PgBoss({ db: adapter(pool), schema: SCHEMA, supervise: false, schedule: false });
  boss.on('error', () => undefined);
  try {
    await boss.start();
    for (const job of jobs) {
      const options = {
        retryLimit: job.retryLimit,
        retryDelay: 1,
        retryBackoff: true,
        retryDelayMax: MAX_RETRY_DELAY_SECONDS,
        heartbeatSeconds: job.heartbeatSeconds,
        expireInSeconds: 6 * 3600,
      };
      if (await boss.getQueue(job.name)) await boss.updateQueue(job.name, options);
      else await boss.createQueue(job.name, options);
    }
    await pool.query(`CREATE INDEX IF NOT EXISTS job_running ON ${SCHEMA}.job (started_on) WHERE state = 'active';
      GRANT USAGE ON SCHEMA ${SCHEMA} TO heliograph_api, heliograph_auth, heliograph_worker, heliograph_sender;
      GRANT ALL ON ALL TABLES IN SCHEMA ${SCHEMA} TO heliograph_worker;
      GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA ${SCHEMA} TO heliograph_api, heliograph_auth, heliograph_sender;
      GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${SCHEMA} TO heliograph_worker`);
  } finally {
    await boss.stop({ graceful: false, close: false });
    await pool.end();
  }
}

/**
 * Takes jobs of earlier releases from the clock and from the queue. Their queues stay: a worker of the earlier release
 * may still run.
 */
export async function retireJobs(db: Kysely<Database>, names: readonly string[]): Promise<void> {
  await sql`WITH unscheduled AS (DELETE FROM jobs.schedule WHERE name = ANY (${names}::text[]))
    DELETE FROM jobs.job WHERE name = ANY (${names}::text[]) AND state < 'active'`.execute(db);
}

let sender: PgBoss | undefined;

/** Lets this process enqueue. `pool` only reads the list of queues; each job is written by its caller's transaction. */
export async function startEnqueuing(pool: pg.Pool, log: Logger): Promise<{ stop(): Promise<void> }> {
  const { PgBoss } = await library();
  const boss = new PgBoss({ db: adapter(pool), schema: SCHEMA, ...quiet });
  boss.on('error', (error) => log.warn({ err: error }, 'job queue error'));
  await boss.start();
  sender = boss;
  return {
    async stop() {
      if (sender === boss) sender = undefined;
      await boss.stop({ graceful: false, close: false });
    },
  };
}

/**
 * Puts a job into the queue in the caller's own transaction: it exists exactly if the change does. `tenant` is the
 * corporation whose turn it uses, null for the platform.
 */
export async function enqueue<Schema extends z.ZodType>(
  db: Kysely<Database>,
  job: Job<Schema>,
  data: z.input<Schema>,
  { tenant, ...options }: { singletonKey?: string; startAfter?: Date; tenant?: number | null } = {},
): Promise<void> {
  if (!sender) throw new Error('this process has not called startEnqueuing');
  const { fromKysely } = await library();
  // The trace continues in the job; an earlier release's schema ignores the fields that it does not have.
  await sender.send(
    job.name,
    { ...(job.data.parse(data) as object), ...traceParent() },
    { ...options, ...(tenant !== undefined && { group: { id: String(tenant ?? 'platform') } }), db: fromKysely(db) },
  );
  await tell(db, SUBJECT, job.name);
}

/**
 * Runs a statement of the queue. If an attempt has lost its lock, the queue's statement about its end is skipped.
 * Otherwise the lock is released once the end is written.
 */
async function settle(pool: pg.Pool, attempts: JobAttempts, text: string, values: unknown[] | undefined) {
  const ids = values?.[1];
  const [id] = Array.isArray(ids) ? ids : [];
  const attempt = attempts.of(id);
  if (attempt?.lost.aborted) {
    if (attempt.hasEnded) await attempts.forget(id);
    return { rows: [{ count: '0' }] };
  }
  const isLast = attempt?.hasEnded && !/heartbeat_on = now\(\)/.test(text);
  try {
    return await pool.query(text, values);
  } finally {
    if (isLast) await attempts.forget(id);
  }
}

/** Options of the work on one kind of job. */
export interface Working<Data> {
  /** Maximum jobs of this kind that a worker runs at the same time; the default is 1. */
  concurrency?: number;
  /** Lets tenants take turns: several jobs run at the same time, and no tenant has all of them. */
  inTurns?: boolean;
  /** Whether the work is still needed. If not, the job's statement is cancelled and the job is over. */
  wanted?: (data: Data) => Promise<boolean>;
}

/** Interface of a worker: takes jobs and runs them. */
export interface Jobs {
  /** Works a kind of job; a handler that throws is tried again with backoff up to the job's limit. */
  work<Schema extends z.ZodType>(
    job: Job<Schema>,
    handler: (data: z.output<Schema>, signal: AbortSignal) => Promise<void>,
    options?: Working<z.output<Schema>>,
  ): Promise<void>;
  /** Puts a job into the queue by the clock: five-field cron in UTC, once for all workers. */
  schedule(job: Job, cron: string): Promise<void>;
  stop(): Promise<void>;
}

// pg-boss counts a returned job as a failed try; a worker that was told to stop is not the job's fault.
const ONE_MORE_TRY = `UPDATE ${SCHEMA}.job SET retry_limit = retry_limit + 1 WHERE id = ANY ($1::uuid[]) AND state = 'active'`;

/**
 * Starts taking jobs over a worker's pool. With a `watch`, its statement also searches for due jobs. At a stop, jobs that
 * still run after `letEndMs` are told to give up.
 */
export async function startJobs(
  pool: pg.Pool,
  fanOut: FanOut,
  log: Logger,
  { letEndMs = LET_END_MS, watch }: { letEndMs?: number | undefined; watch?: WorkWatch } = {},
): Promise<Jobs> {
  const { PgBoss } = await library();
  const attempts = new JobAttempts(pool, log);
  const boss = new PgBoss({
    db: { executeSql: (text: string, values?: unknown[]) => settle(pool, attempts, text, values) },
    schema: SCHEMA,
    migrate: false,
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    // No job of ours waits for another one.
    flowIntervalSeconds: 60,
  });
  boss.on('error', (error) => log.error({ err: error }, 'job queue error'));
  await boss.start();
  const running = new Set<string>();
  const stopping = new AbortController();
  const wake = (name: string) => {
    for (const worker of boss.getWipData()) if (worker.name === name) boss.notifyWorker(worker.id);
  };
  const hearing = await fanOut.subscribe(SUBJECT, wake);
  const kinds = () => [...new Set(boss.getWipData().map(({ name }) => name))];
  const sweep = () => attempts.sweep((name, id) => boss.fail(name, id, { message: 'its worker is gone' }));
  const looks = lookForJobs({ pool, kinds, sweep, wake, watch, log });
  return {
    async work(job, handler, { concurrency = 1, inTurns = false, wanted } = {}) {
      const turns = inTurns
        ? { localConcurrency: TURNS.all, localGroupConcurrency: TURNS.ofOneTenant }
        : { localConcurrency: concurrency };
      const options = { ...turns, batchSize: 1, includeMetadata: true, pollingIntervalSeconds: POLL_SECONDS } as const;
      await boss.work(job.name, options, async ([taken]) => {
        if (!taken) return;
        const about = log.child({ job: job.name, job_id: taken.id });
        const { traceparent, ...data } = taken.data as TraceParent;
        const unwanted = new AbortController();
        const attempt = await attempts.begin(taken);
        const signal = AbortSignal.any([taken.signal, stopping.signal, unwanted.signal, attempt.lost]);
        const statementMs = job.statementSeconds * 1_000;
        let watch: { stop(): Promise<void> } | undefined;
        running.add(taken.id);
        try {
          const parsed = job.data.parse(data);
          const look = async () => {
            if (wanted && !(await wanted(parsed))) unwanted.abort(new NoLongerWanted());
          };
          if (wanted) watch = repeat(WANTED_MS, look, (error) => about.debug({ err: error }, 'job not looked after'));
          await traced(
            `job ${job.name}`,
            {
              kind: SpanKind.CONSUMER,
              attributes: { job: job.name, job_id: taken.id },
              parent: parentFrom(traceparent === undefined ? {} : { traceparent }),
            },
            () =>
              runBounded({ signal, statementMs, fence: (query) => attempt.fence(query) }, () =>
                handler(parsed, signal),
              ),
          );
        } catch (error) {
          if (stopping.signal.aborted) about.info('job returned: worker is stopping');
          else if (attempt.lost.aborted) about.warn('job lost to another worker');
          else if (unwanted.signal.aborted) return void about.info('job cancelled');
          else about.error({ err: error }, 'job failed');
          throw error;
        } finally {
          await watch?.stop();
          running.delete(taken.id);
          attempt.hasEnded = true;
          // More jobs may wait: those that arrived while this worker was busy woke other workers, or none.
          wake(job.name);
        }
      });
    },
    async schedule(job, cron) {
      await boss.schedule(job.name, cron, {}, { tz: 'UTC' });
    },
    async stop() {
      await hearing.stop();
      const stopped = boss.stop({ graceful: true, close: false, timeout: JOBS_STOP_MS });
      await Promise.race([stopped, sleep(letEndMs, undefined, { ref: false })]);
      if (running.size > 0) {
        await pool
          .query(ONE_MORE_TRY, [[...running]])
          .catch((error) => log.warn({ err: error }, 'could not return jobs; they lose one attempt'));
        stopping.abort(new Error('the worker stops'));
      }
      await stopped;
      await looks.stop();
      await attempts.stop();
    },
  };
}

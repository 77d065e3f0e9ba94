import { connectionSettings, createDatabase, createPool } from '../platform/db.ts';
import { startEnqueuing, startJobs } from '../platform/jobs.ts';
import { type ProcessContext, type Running, runProcess, stopInOrder } from '../platform/shutdown.ts';

/** Starts the process that does the jobs: preparing campaigns, imports, exports, notifications. */
export async function startWorker({ config, log }: ProcessContext): Promise<Running> {
  const pool = createPool(config, 'worker');
  const database = createDatabase(pool);
  const enqueuing = await startEnqueuing(pool, log);
  const jobs = await startJobs(pool, connectionSettings(config, 'worker'), log);
  return {
    stop: () =>
      stopInOrder(
        [
          { name: 'jobs', within: 6_000, stop: () => jobs.stop() },
          { name: 'enqueuing', within: 1_000, stop: () => enqueuing.stop() },
          { name: 'database sessions', within: 2_000, stop: () => pool.end() },
        ],
        log,
      ),
  };
}

if (import.meta.main) await runProcess('worker', startWorker);

import { type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '../database/db.ts';
import { dropDraft, removeFile } from '../files/files.ts';
import { defineJob } from '../jobs/jobs.ts';
import type { WorkerContext } from '../jobs/worker-context.ts';
import { IS_OPEN, type TaskKinds, tellTask } from './task.ts';

/** Job that ends tasks as failed if no job will ever continue them. */
export const endLostTasksJob = defineJob('end-lost-work', z.object({}));

const EVERY_FIVE_MINUTES = '*/5 * * * *';

/** Registers the job that ends lost tasks. */
export async function lostTasksJob(worker: WorkerContext, kinds: TaskKinds): Promise<void> {
  await worker.jobs.work(endLostTasksJob, () => endLostTasks(worker, kinds));
  await worker.jobs.schedule(endLostTasksJob, EVERY_FIVE_MINUTES);
}

/**
 * Ends tasks as failed if their job has used up its tries or is gone. Otherwise the person who asked for one would see
 * it wait for ever. The person is notified, and the file is deleted. A file that is written ends after a day too,
 * whatever its job does.
 */
export async function endLostTasks(
  { database, config, clock }: Pick<WorkerContext, 'database' | 'config' | 'clock'>,
  kinds: TaskKinds,
): Promise<void> {
  const now = clock.now().toISOString();
  const ended = await database.transaction().execute(async (db) => {
    const { rows } = await sql<Omit<Selectable<Database['task']>, 'type'> & { type: keyof TaskKinds }>`
      UPDATE task t SET state = 'failed', error_code = 'internal_error', finished_at = ${now}
      WHERE ${IS_OPEN} AND (type = 'download' AND created_at < ${now}::timestamptz - interval '1 day'
        OR (type = 'download' OR created_at < ${now}::timestamptz - interval '2 minutes') AND NOT EXISTS (
          SELECT FROM jobs.job j WHERE j.state IN ('created', 'retry', 'active')
            AND (j.data ->> (t.type || '_id'))::bigint = t.id))
      RETURNING *`.execute(db);
    for (const row of rows) await tellTask(db, kinds[row.type], row);
    return rows;
  });
  for (const { type, file_path } of ended)
    if (file_path !== null)
      await (kinds[type].errorsPath ? removeFile(config, file_path) : dropDraft(config, file_path));
}

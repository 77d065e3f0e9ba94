import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import type { Database } from '#platform/database/db';
import { removeFile } from '#platform/files/files';
import { defineJob, type Job } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { emit } from '#platform/realtime/realtime';

/** Job that ends work as failed if no job will ever continue it. */
export const endLostWorkJob = defineJob('end-lost-work', z.object({}));

/** Kind of work that has a row and waits for a job. */
export interface LostWork {
  table: 'import' | 'bulk_upload' | 'list_job' | 'card_upload';
  jobs: readonly Pick<Job, 'name'>[];
  /** Field of the job that holds the row's id. */
  field: string;
  event: string;
  /** States in which it waits; left out if it waits in every state until it is finished. */
  states?: readonly string[];
}

/** Minimum age of lost work. A job is queued together with its row, so newer rows may be just beginning. */
const OLD_ENOUGH = '2 minutes';

/**
 * Ends work as failed if its job has used up its tries or is gone. Otherwise the person who asked for it would see it
 * wait for ever. The person is notified, and its file is deleted.
 */
export async function endLostWork(
  { database, config, clock }: Pick<WorkerContext, 'database' | 'config' | 'clock'>,
  kinds: readonly LostWork[],
): Promise<void> {
  for (const kind of kinds) {
    const ended = await database.transaction().execute(async (db) => {
      const rows = await endRows(db, kind, clock.now());
      for (const { id, user_id } of rows)
        await emit(db, `private-App.Models.User.${user_id}`, kind.event, { id, state: 'failed', reread: true });
      return rows;
    });
    for (const { file_path } of ended) if (file_path) await removeFile(config, file_path);
  }
}

async function endRows(db: Kysely<Database>, { table, jobs, field, states }: LostWork, now: Date) {
  const names = jobs.map(({ name }) => name);
  const waits = states ? sql`state = ANY (${states}::text[])` : sql`true`;
  const { rows } = await sql<{ id: number; user_id: number; file_path: string | null }>`
    UPDATE ${sql.table(table)} t SET state = 'failed', error_code = 'internal_error', finished_at = ${now.toISOString()}
    WHERE finished_at IS NULL AND ${waits} AND created_at < ${now.toISOString()}::timestamptz - ${OLD_ENOUGH}::interval AND NOT EXISTS (
      SELECT FROM jobs.job j WHERE j.name = ANY (${names}::text[]) AND j.state IN ('created', 'retry', 'active')
        AND (j.data ->> ${field})::bigint = t.id)
    RETURNING id, user_id, ${table === 'list_job' ? sql`NULL` : sql`file_path`} AS file_path`.execute(db);
  return rows;
}

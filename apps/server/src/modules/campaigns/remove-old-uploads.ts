import { sql } from 'kysely';
import { z } from 'zod';
import { removeFile } from '#platform/files';
import { defineJob } from '#platform/jobs';
import type { WorkerContext } from '#platform/worker-context';

/** Job that deletes unused files of recipients. */
export const removeOldUploadsJob = defineJob('remove-old-uploads', z.object({}));

export const EVERY_NIGHT = '41 3 * * *';
const AT_ONCE = 200;
const KEPT_MS = 86_400_000;

/**
 * Deletes files that are older than a day and belong to no campaign or draft. Copies and repetitions of campaigns read
 * them again.
 */
export async function removeOldUploads(
  { database, config, clock }: Pick<WorkerContext, 'database' | 'config' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_MS).toISOString();
  for (let found = AT_ONCE; found === AT_ONCE; ) {
    signal.throwIfAborted();
    const { rows } = await sql<{ id: number; file_path: string }>`
      SELECT u.id, u.file_path FROM upload u WHERE u.created_at < ${before}
        AND NOT EXISTS (SELECT FROM campaign c WHERE (c.content ->> 'file_id')::bigint = u.id)
        AND NOT EXISTS (SELECT FROM campaign_draft d WHERE (d.content ->> 'file_id')::bigint = u.id)
      ORDER BY u.id LIMIT ${AT_ONCE}`.execute(database);
    found = rows.length;
    // Files go first: if this is interrupted, the row still leads to its file.
    for (const { file_path } of rows) await removeFile(config, file_path);
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await database.deleteFrom('upload').where('id', 'in', ids).execute();
  }
}

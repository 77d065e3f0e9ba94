import { sql } from 'kysely';
import { z } from 'zod';
import { removeFile } from '#platform/files';
import { defineJob } from '#platform/jobs';
import type { WorkerContext } from '#platform/worker-context';

/** Takes away files of recipients that nobody needs any more. */
export const removeOldUploadsJob = defineJob('remove-old-uploads', z.object({}));

export const EVERY_NIGHT = '41 3 * * *';
const AT_ONCE = 200;
const KEPT_MS = 86_400_000;

/** Removes files that are older than a day and neither a campaign's nor a draft's: copies and repetitions read them again. */
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
    // Files first: a row is what finds its file again when this is cut short.
    for (const { file_path } of rows) await removeFile(config, file_path);
    const ids = rows.map(({ id }) => id);
    if (ids.length > 0) await database.deleteFrom('upload').where('id', 'in', ids).execute();
  }
}

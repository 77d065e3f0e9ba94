import { z } from 'zod';
import { removeFile } from '#platform/files';
import { defineJob } from '#platform/jobs';
import type { WorkerContext } from '#platform/worker-context';
import { keptSince } from './downloads.ts';

/** Job that removes files whose time is over, with their requests. */
export const removeOldDownloadsJob = defineJob('remove-old-downloads', z.object({}));

const AT_ONCE = 200;
/** Maximum time in ms of writing a file: after it, the writing process has given up. */
const LONGEST_WRITING_MS = 86_400_000;

/**
 * Removes the files and rows older than seven days, and ends as failed those that have been written for more than one
 * day.
 */
export async function removeOldDownloads(
  { database, config, clock }: Pick<WorkerContext, 'database' | 'config' | 'clock'>,
  signal: AbortSignal,
): Promise<void> {
  const now = clock.now();
  for (;;) {
    signal.throwIfAborted();
    const old = await database
      .selectFrom('download')
      .select(['id', 'file_path'])
      .where('created_at', '<', keptSince(now))
      .orderBy('created_at')
      .limit(AT_ONCE)
      .execute();
    if (old.length === 0) break;
    // Files are removed first: if the job is interrupted, the row still leads to its file.
    for (const { file_path } of old) if (file_path) await removeFile(config, file_path);
    const ids = old.map(({ id }) => id);
    await database.deleteFrom('download').where('id', 'in', ids).execute();
  }
  await database
    .updateTable('download')
    .set({ state: 'failed' })
    .where('state', 'in', ['queued', 'running'])
    .where('created_at', '<', new Date(now.getTime() - LONGEST_WRITING_MS).toISOString())
    .execute();
}

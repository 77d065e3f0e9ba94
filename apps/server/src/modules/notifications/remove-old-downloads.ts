import { z } from 'zod';
import { removeFile } from '#platform/files';
import { defineJob } from '#platform/jobs';
import type { WorkerContext } from '#platform/worker-context';
import { keptSince } from './downloads.ts';

/** Takes away files that have been kept long enough, with what was asked for. */
export const removeOldDownloadsJob = defineJob('remove-old-downloads', z.object({}));

const AT_ONCE = 200;
/** No file takes this long to write: whoever wrote it has given up. */
const LONGEST_WRITING_MS = 86_400_000;

/** Removes the files and rows older than seven days, and ends as failed what is being written for more than one. */
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
    // Files first: a row is what finds its file again when this is cut short.
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

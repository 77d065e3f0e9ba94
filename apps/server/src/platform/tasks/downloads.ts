import type { Locale } from '@heliograph/contract/kernel/scope';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { draftPath, fileSize, keepDraft, newDraft, newFile, takeOverDraft } from '../files/files.ts';
import { defineJob, enqueue } from '../jobs/jobs.ts';
import { notify } from '../realtime/realtime.ts';
import { translate } from '../text/i18n.ts';
import { throttled } from './progress.ts';
import { runTask, type TaskWorker } from './run-task.ts';
import { CANCELLED, queueTask, type Task, type TaskKind } from './task.ts';

export type Download = Task;

/** Interval in ms at which people see the progress of a file. */
const PROGRESS_MS = 1_000;

/** Declares the kind of job that writes the files of downloads; list it in processes/jobs.ts. */
export const downloadJob = (name: string) => defineJob(name, z.object({ download_id: z.int() }));
type DownloadJob = ReturnType<typeof downloadJob>;

/** Sends a mail when a file is ready, if its row asks for one. */
export const mailDownloadJob = downloadJob('mail-download');

/** File that a person asks for. */
interface Wanted {
  kind: string;
  /** Its name for people. */
  download_file: string;
  /** Everything its writer needs, and the language of the person who asked. */
  parameters: { locale: Locale };
  /** Corporation that owns it, if it is not that of the person who asked. */
  corporation_id?: number | null;
}

/** Files that are written for people, as tasks. */
export const downloadTask: TaskKind<'download'> = {
  type: 'download',
  async ended(db, row) {
    const type = row.state === 'done' ? 'ready' : 'failed';
    if (row.error_code === CANCELLED) return;
    const { locale } = row.parameters as Wanted['parameters'];
    const message = translate(locale, `downloads.${type}`, { name: row.download_file! });
    await notify(db, row.user_id, `download.${type}`, { download_id: row.id, message });
    if (row.mailed && type === 'ready') await enqueue(db, mailDownloadJob, { download_id: row.id });
  },
};

/** Puts a request for a file into the queue; the file appears in the bell. */
export async function askForDownload(
  ctx: Pick<Context, 'db' | 'caller' | 'clock'>,
  job: DownloadJob,
  { corporation_id = ctx.caller.corporation_id, parameters, ...wanted }: Wanted,
) {
  const row = await queueTask(ctx, downloadTask, job, {
    ...wanted,
    corporation_id,
    parameters: JSON.stringify(parameters),
    created_at: ctx.clock.now().toISOString(),
  });
  const { id, rows, size, downloaded_at, created_at } = row;
  const { download_file } = wanted;
  return { data: { id, download_file, rows, size, downloaded_at, created_at, state: 'queued' as const } };
}

/**
 * Point from which a file can be continued: it holds `rows` rows in `octets` octets, and the next row is below
 * `cursor`.
 */
const reachedPoint = z.object({ rows: z.int(), octets: z.int(), cursor: z.int() });
export type ReachedPoint = z.output<typeof reachedPoint>;

/** Reports how many rows are written; with a point, the next worker continues from there. */
export type Tell = (rows: number, reached?: () => Promise<ReachedPoint>) => Promise<void>;

/** Functions that write the file of a download. */
interface Writing {
  kinds: readonly string[];
  extension: (row: Download) => string;
  /** Writes to the path, from the point if there is one, and answers the number of rows. */
  write(row: Download, path: string, tell: Tell, from: ReachedPoint | null): Promise<number>;
}

/**
 * Writes the file of a waiting download. If a worker dies, the download stays running. The next attempt continues from
 * the last reported point, or starts again if the written part cannot be reached. Each attempt has its own path and
 * changes the row only while the row holds that path. A worker that was frozen and wakes can therefore change nothing.
 */
export async function writeDownload(
  worker: TaskWorker,
  downloadId: number,
  signal: AbortSignal,
  { kinds, extension, write }: Writing,
): Promise<void> {
  const { config } = worker;
  await runTask(worker, downloadTask, downloadId, signal, async (run) => {
    const row = run.task;
    if (!kinds.includes(row.kind)) return;
    const path = newFile('exports', extension(row));
    const from = row.reached === null ? null : reachedPoint.parse(row.reached);
    const report = throttled(
      async ([rows, reached]: Parameters<Tell>) =>
        run.save({ rows, ...(reached && { reached: JSON.stringify(await reached()) }) }),
      PROGRESS_MS,
    );
    await (row.file_path === null ? newDraft(config, path) : takeOverDraft(config, row.file_path, path));
    await run.hold(path, row.file_path, { state: 'running', rows: from?.rows ?? 0 });
    const rows = await write(row, draftPath(config, path), (...told) => report(told), from);
    await keepDraft(config, path);
    await run.end('done', { rows, size: (await fileSize(config, path)) ?? 0 });
  });
}

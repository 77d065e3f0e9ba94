import type { Locale } from '@heliograph/contract/kernel/scope';
import { type Kysely, type Selectable, sql } from 'kysely';
import { z } from 'zod';
import type { Context } from '../context.ts';
import type { Database } from '../database/db.ts';
import {
  draftPath,
  dropDraft,
  fileSize,
  keepDraft,
  newDraft,
  newFile,
  removeFile,
  takeOverDraft,
} from '../files/files.ts';
import { lastingFailure } from '../jobs/failure.ts';
import { defineJob, enqueue } from '../jobs/jobs.ts';
import type { WorkerContext } from '../jobs/worker-context.ts';
import { notify } from '../realtime/realtime.ts';
import { translate } from '../text/i18n.ts';

export type Download = Selectable<Database['download']>;
type Worker = Pick<WorkerContext, 'database' | 'config' | 'log'>;

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

/** Puts a request for a file into the queue; the file appears in the bell. */
export async function askForDownload(
  ctx: Pick<Context, 'db' | 'caller' | 'clock'>,
  job: DownloadJob,
  { corporation_id = ctx.caller.corporation_id, parameters, ...wanted }: Wanted,
) {
  const row = await ctx.db
    .insertInto('download')
    .values({
      ...wanted,
      corporation_id,
      user_id: ctx.caller.user_id,
      parameters: JSON.stringify(parameters),
      created_at: ctx.clock.now().toISOString(),
    })
    .returning(['id', 'download_file', 'rows', 'size', 'downloaded_at', 'created_at'])
    .executeTakeFirstOrThrow();
  await enqueue(ctx.db, job, { download_id: row.id }, { tenant: corporation_id });
  return { data: { ...row, state: 'queued' as const } };
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
 * A fault that will not pass by itself ends the download as failed.
 */
export async function writeDownload(
  worker: Worker,
  downloadId: number,
  signal: AbortSignal,
  { kinds, extension, write }: Writing,
): Promise<void> {
  const { database, config, log } = worker;
  const row = await database
    .selectFrom('download')
    .selectAll()
    .where('id', '=', downloadId)
    .where('kind', 'in', kinds)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst();
  if (!row) return;
  const path = newFile('exports', extension(row));
  const from = row.reached === null ? null : reachedPoint.parse(row.reached);
  let told = Number.NEGATIVE_INFINITY;
  const change = async (next: Change, of: string | null = path) => {
    if (!(await setDownload(database, row, of, next))) throw new Error('another worker has this download now');
  };
  const tell: Tell = async (rows, reached) => {
    if (performance.now() - told < PROGRESS_MS) return;
    told = performance.now();
    await change({ rows, ...(reached && { reached: JSON.stringify(await reached()) }) });
  };
  try {
    await (row.file_path === null ? newDraft(config, path) : takeOverDraft(config, row.file_path, path));
    await change({ state: 'running', rows: from?.rows ?? 0, file_path: path }, row.file_path);
    const rows = await write(row, draftPath(config, path), tell, from);
    await keepDraft(config, path);
    await change({ state: 'done', rows, size: (await fileSize(config, path)) ?? 0 });
  } catch (error) {
    if (!lastingFailure(error, signal)) throw error;
    log.error({ err: error, download_id: row.id }, 'export failed');
    await dropDraft(config, path);
    await removeFile(config, path);
    await setDownload(database, row, path, { state: 'failed', file_path: null });
  }
}

type Change = Partial<Pick<Download, 'state' | 'rows' | 'size' | 'file_path'> & { reached: string }>;

/**
 * Stores the progress of a download, and notifies its person when it has ended; answers false if its path is not `of`
 * any more.
 */
async function setDownload(
  database: Kysely<Database>,
  row: Download,
  of: string | null,
  change: Change,
): Promise<boolean> {
  return database.transaction().execute(async (db) => {
    const changed = await db
      .updateTable('download')
      .set(change)
      .where('id', '=', row.id)
      .where('file_path', 'is not distinct from', of)
      .where('state', 'in', ['queued', 'running'])
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) return false;
    if (change.state !== 'done' && change.state !== 'failed') return true;
    const type = change.state === 'done' ? 'ready' : 'failed';
    const { locale } = row.parameters as Wanted['parameters'];
    const message = translate(locale, `downloads.${type}`, { name: row.download_file });
    await notify(db, row.user_id, `download.${type}`, { download_id: row.id, message });
    if (row.mailed && type === 'ready') await enqueue(db, mailDownloadJob, { download_id: row.id });
    return true;
  });
}

/**
 * Ends as failed the downloads without a job: theirs has used up its tries, or is gone. A job enters the queue together
 * with its row, so even a new row counts. One that is older than a day counts too, whatever its job does.
 */
export async function endLostDownloads({ database, config }: Pick<Worker, 'database' | 'config'>): Promise<void> {
  const lost = await database
    .selectFrom('download')
    .selectAll()
    .where('state', 'in', ['queued', 'running'])
    .where(
      sql<boolean>`(created_at < now() - interval '1 day' OR NOT EXISTS (SELECT FROM jobs.job j
        WHERE j.state IN ('created', 'retry', 'active') AND (j.data ->> 'download_id')::bigint = download.id))`,
    )
    .execute();
  for (const row of lost) {
    const ended = await setDownload(database, row, row.file_path, { state: 'failed', file_path: null });
    if (ended && row.file_path !== null) await dropDraft(config, row.file_path);
  }
}

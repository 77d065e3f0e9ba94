import { open } from 'node:fs/promises';
import type { Selectable } from 'kysely';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { becomeCaller, type Caller } from '#platform/context';
import type { Database } from '#platform/db';
import { filePath, fileSize, newFile, removeFile } from '#platform/files';
import { homeOf } from '#platform/home';
import { translate } from '#platform/i18n';
import { notify } from '#platform/realtime';
import { isTransient } from '#platform/transient-error';
import type { WorkerContext } from '#platform/worker-context';
import { EXPORT_KIND, exportParameters } from './export-calls.ts';
import { nextBatch, type Query } from './find-messages.ts';
import { selectionOf } from './selection.ts';
import { copyLines, heading } from './transactions-file.ts';

type Download = Selectable<Database['download']>;
type Worker = Pick<WorkerContext, 'pool' | 'database' | 'config' | 'log'>;

/** Whoever asked, as they are now, or null where they may not use the product any more. */
export type LoadCaller = (userId: number) => Promise<Caller | null>;

/** Messages a statement writes: enough to be quick, few enough that no snapshot grows old. */
const BATCH = 20_000;
const PROGRESS_MS = 1_000;
const PERMISSION = 'transactions-download';

/**
 * Writes the file of a download under the scope of the person who asked for it. A worker that dies leaves it running;
 * the next attempt begins the same file again. Whatever will not pass by itself ends the download as failed.
 */
export async function exportTransactions(
  worker: Worker,
  loadCaller: LoadCaller,
  downloadId: number,
  signal: AbortSignal,
): Promise<void> {
  const row = await worker.database
    .selectFrom('download')
    .selectAll()
    .where('id', '=', downloadId)
    .where('kind', '=', EXPORT_KIND)
    .where('state', 'in', ['queued', 'running'])
    .executeTakeFirst();
  if (!row) return;
  const path = row.file_path ?? (await newFile(worker.config, 'exports', 'csv'));
  try {
    await setDownload(worker, row, { state: 'running', rows: 0, file_path: path });
    const caller = await loadCaller(row.user_id);
    if (!caller?.permissions.has(PERMISSION)) throw new Error('the person may not export any more');
    const rows = await writeFile(worker, caller, row, path, signal);
    await setDownload(worker, row, { state: 'done', rows, size: await fileSize(worker.config, path) });
  } catch (error) {
    if (signal.aborted || isTransient(error)) throw error;
    worker.log.error({ err: error, download_id: row.id }, 'export failed');
    await removeFile(worker.config, path);
    await setDownload(worker, row, { state: 'failed', file_path: null });
  }
}

async function writeFile(worker: Worker, caller: Caller, row: Download, path: string, signal: AbortSignal) {
  const { locale, ...filters } = exportParameters.parse(row.parameters);
  const { timezone } = await homeOf({ db: worker.database, caller });
  const selection = selectionOf(filters, caller, timezone);
  const file = await open(filePath(worker.config, path), 'w', 0o600);
  const client = await worker.pool.connect();
  let rows = 0;
  let told = performance.now();
  let clean = false;
  try {
    await file.write(heading(locale));
    for (let before = selection.past; ; ) {
      signal.throwIfAborted();
      const batch = await asCaller(client, caller, async () => {
        const next = await nextBatch(queryOf(client), selection, before, BATCH);
        if (!next) return null;
        const lines = client.query(copyTo(copyLines(selection, next, before, timezone, locale)));
        for await (const piece of lines) await file.write(piece as Buffer);
        rows += lines.rowCount;
        return next;
      });
      if (!batch) break;
      before = batch.reached;
      if (performance.now() - told < PROGRESS_MS) continue;
      told = performance.now();
      await setDownload(worker, row, { rows });
    }
    clean = true;
    return rows;
  } finally {
    client.release(!clean);
    await file.close();
  }
}

const queryOf =
  (client: pg.PoolClient): Query =>
  async (text, values) =>
    (await client.query(text, values)).rows;

/** One short transaction that sees what the caller may see. A session in which it failed must not be used again. */
async function asCaller<Result>(client: pg.PoolClient, caller: Caller, work: () => Promise<Result>): Promise<Result> {
  await client.query('BEGIN READ ONLY');
  await becomeCaller(client, caller);
  const result = await work();
  await client.query('COMMIT');
  return result;
}

type Change = Partial<Pick<Download, 'state' | 'rows' | 'size' | 'file_path'>>;

/** Writes how far a download is, and tells its person when it has ended. */
async function setDownload({ database }: Worker, row: Download, change: Change): Promise<void> {
  await database.transaction().execute(async (db) => {
    await db.updateTable('download').set(change).where('id', '=', row.id).execute();
    if (change.state !== 'done' && change.state !== 'failed') return;
    const type = change.state === 'done' ? 'ready' : 'failed';
    const { locale } = exportParameters.parse(row.parameters);
    const message = translate(locale, `downloads.${type}`, { name: row.download_file });
    await notify(db, row.user_id, `download.${type}`, { download_id: row.id, message });
  });
}

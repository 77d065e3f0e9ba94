import { spreadsheetCell } from '@heliograph/contract/kernel/csv';
import { maskText } from '@heliograph/contract/kernel/masking';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { customersOf, MessageCosts, requireCosts } from '#modules/margins';
import { becomeCaller, type Caller } from '#platform/context';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { homeOf } from '#platform/person/home';
import { type Cells, createTable } from '#platform/table/table-file';
import { type Download, type ReachedPoint, type Tell, writeDownload } from '#platform/tasks/downloads';
import { type LoadCaller, stillAllowed } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { openLines } from '#platform/text/open-lines';
import { shownTexts } from '#platform/text/shown-texts';
import { EXPORT_KIND, exportParameters } from './export-calls.ts';
import { type Batch, nextBatch, type Query } from './find-messages.ts';
import { LinesFile } from './lines-file.ts';
import { type Selection, selectionOf } from './selection.ts';
import {
  type BatchCosts,
  copyLines,
  heading,
  headingLine,
  type SelectedCells,
  selectCells,
  typedCells,
} from './transactions-file.ts';

type Worker = Pick<WorkerContext, 'pool' | 'standby' | 'database' | 'config' | 'clock' | 'log'>;

/** Messages that one statement writes: enough to be quick, few enough that no snapshot gets old. */
const BATCH = 20_000;
/** Messages of one statement for a workbook. Its rows pass through this process. */
const BATCH_OF_CELLS = 5_000;
const PERMISSION = 'transactions-download';

/** Writes the file of a download under the scope of the person who asked for it. */
export async function exportTransactions(
  worker: Worker,
  loadCaller: LoadCaller,
  downloadId: number,
  signal: AbortSignal,
  batch = BATCH,
): Promise<void> {
  await writeDownload(worker, downloadId, signal, {
    kinds: [EXPORT_KIND],
    extension: (row) => exportParameters.parse(row.parameters).format,
    async write(row, path, tell, from) {
      const caller = await stillAllowed(loadCaller, row, PERMISSION);
      const { format, costs } = exportParameters.parse(row.parameters);
      requireCosts(caller, costs);
      const job = { worker, caller, row, path, tell, signal };
      return format === 'csv' ? writeLines(job, from, batch) : writeBook(job);
    },
  });
}

interface Writing {
  worker: Worker;
  caller: Caller;
  row: Download;
  path: string;
  tell: Tell;
  signal: AbortSignal;
}

/** Writes a CSV, or continues one at which a worker was stopped. Data after the last reported point is cut off. */
async function writeLines(job: Writing, from: ReachedPoint | null, size: number): Promise<number> {
  const { selection, timezone, locale, costs, costsOf } = await whatOf(job);
  const { database: db, config } = job.worker;
  const shown = (text: string) => spreadsheetCell(selection.numbers_visible ? text : maskText(text)) as string;
  const textReader = { db, config, locale, shown };
  const file = await LinesFile.open(job.path, from?.octets ?? null);
  let rows = from?.rows ?? 0;
  try {
    if (file.octets === 0) {
      rows = 0;
      await file.write(Buffer.from(headingLine(locale, costs)));
    }
    const start = rows > 0 ? from!.cursor : selection.past;
    await eachBatch(job, selection, start, size, async (client, batch, before) => {
      const amounts = await costsOf(client, batch);
      const lines = client.query(copyTo(copyLines(selection, batch, before, timezone, locale, amounts)));
      for await (const piece of openLines(lines, textReader)) await file.write(piece);
      rows += lines.rowCount;
      return () =>
        job.tell(rows, async () => {
          await file.flush();
          return { rows, octets: file.octets, cursor: batch.reached };
        });
    });
    return rows;
  } finally {
    await file.close();
  }
}

/** Writes a workbook. It is compressed as it grows, so it cannot be continued. */
async function writeBook(job: Writing): Promise<number> {
  const { selection, timezone, locale, costs, costsOf } = await whatOf(job);
  const file = await createTable('xlsx', job.path, { sheet: translate(locale, 'menu.transactions') });
  let rows = 0;
  try {
    await file.write([heading(locale, costs)]);
    await eachBatch(job, selection, selection.past, BATCH_OF_CELLS, async (client, batch, before) => {
      const amounts = await costsOf(client, batch);
      const found = await client.query<{ cells: SelectedCells }>(
        selectCells(selection, batch, before, timezone, locale, amounts),
      );
      const { database: db, config } = job.worker;
      const read = await shownTexts({ db, config, locale }, found.rows);
      const shown = (cell: Cells[number]) =>
        selection.numbers_visible || typeof cell !== 'string' ? cell : maskText(cell);
      await file.write(
        read.map(({ cells }, row) =>
          typedCells(cells, costs).map((cell, at) => (cells[at] === found.rows[row]!.cells[at] ? cell : shown(cell))),
        ),
      );
      rows += found.rows.length;
      return () => job.tell(rows);
    });
    await file.end();
    return rows;
  } catch (error) {
    await file.abandon();
    throw error;
  }
}

async function whatOf({ worker, caller, row }: Writing) {
  const { locale, format: _, timezone: chosen, costs, ...filters } = exportParameters.parse(row.parameters);
  const { timezone } = await homeOf({ db: worker.database, caller, timezone: chosen });
  const selection = await selectionOf(filters, caller, timezone, worker.database);
  const carriers = costs === 'carriers' ? await MessageCosts.read(worker.database) : null;
  /** Returns the costs of a batch for its statement. */
  async function costsOf(client: pg.PoolClient, { chunks }: Batch): Promise<BatchCosts | undefined> {
    if (costs === 'resale') return { of: costs, customers: customersOf(caller) };
    if (carriers === null) return undefined;
    const amounts = await carriers.amountsOf(client, chunks, selection.prefix);
    return { of: 'carriers', currency: carriers.currency, amounts };
  }
  return { selection, timezone, locale, costs, costsOf };
}

/**
 * Runs `work` for each batch below `start`, in a short transaction with the caller's access. Then it runs the function
 * that `work` returned.
 */
async function eachBatch(
  { worker, caller, signal }: Writing,
  selection: Selection,
  start: number,
  size: number,
  work: (client: pg.PoolClient, batch: Batch, before: number) => Promise<() => Promise<void>>,
): Promise<void> {
  const client = await (worker.standby?.place()?.pool ?? worker.pool).connect();
  let clean = false;
  try {
    for (let before = start; ; ) {
      signal.throwIfAborted();
      await client.query('BEGIN READ ONLY');
      await becomeCaller(client, caller);
      const batch = await nextBatch(queryOf(client), selection, before, size);
      const after = batch && (await work(client, batch, before));
      await client.query('COMMIT');
      if (!batch) break;
      before = batch.reached;
      await after?.();
    }
    clean = true;
  } finally {
    // A session with a failed transaction must not be used again.
    client.release(!clean);
  }
}

const queryOf =
  (client: pg.PoolClient): Query =>
  async (text, values) =>
    (await client.query(text, values)).rows;

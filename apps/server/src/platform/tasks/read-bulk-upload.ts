import type { FileReading, ReadAs } from '@heliograph/contract/kernel/file-reading';
import type { FileColumn } from '@heliograph/contract/kernel/find-columns';
import type { NumberRules } from '@heliograph/contract/kernel/number-rules';
import type { Kysely, Selectable, Updateable } from 'kysely';
import type { z } from 'zod';
import { audit } from '../access/audit.ts';
import { analyzeAfter } from '../database/analyze.ts';
import type { Database } from '../database/db.ts';
import { BusinessError } from '../errors.ts';
import { localFile, removeFile } from '../files/files.ts';
import { failureParams, lastingFailure } from '../jobs/failure.ts';
import { isThere } from '../jobs/jobs.ts';
import type { WorkerContext } from '../jobs/worker-context.ts';
import { readNumberRules } from '../operator/number-rules.ts';
import { voiceOf } from '../person/voice.ts';
import { emit } from '../realtime/realtime.ts';
import { readTable, type TableRow, type TableSource } from '../table/read-table.ts';
import { readHead, withHead } from '../table/table-head.ts';
import { type BulkKind, bulkUploadJob, bulkUploadOnWire, type RowFault } from './bulk-upload.ts';
import { throttled } from './progress.ts';
import { MAX_SHOWN, openRejectFile, type RejectFile, type RejectRow } from './reject-file.ts';

type Upload = Selectable<Database['bulk_upload']>;
type Worker = Pick<WorkerContext, 'database' | 'config' | 'clock' | 'log'>;

/** Runs the jobs that read uploaded files of the given kinds. */
export function bulkUploadJobs(worker: WorkerContext, kinds: readonly BulkKind[]): Promise<void> {
  const run = async ({ bulk_upload_id }: z.output<typeof bulkUploadJob.data>, signal: AbortSignal) => {
    const upload = await worker.database
      .selectFrom('bulk_upload')
      .selectAll()
      .where('id', '=', bulk_upload_id)
      .executeTakeFirst();
    const kind = kinds.find(({ name }) => name === upload?.kind);
    // The upload was removed with its corporation.
    if (!upload || !kind) return;
    try {
      // Otherwise it was ended by another worker, or by this one before the session broke: its file may still be there.
      if (upload.finished_at === null) await readUpload(worker, kind, upload, signal);
    } catch (error) {
      const code = lastingFailure(error, signal);
      if (!code) throw error;
      if (code === 'internal_error') worker.log.error({ err: error, bulk_upload_id }, 'upload failed');
      await save(worker.database, upload, {
        state: 'failed',
        error_code: code,
        error_params: failureParams(error),
        rows_added: 0,
        rows_duplicate: 0,
        finished_at: worker.clock.now().toISOString(),
      });
    }
    await removeFile(worker.config, upload.file_path);
  };
  return worker.jobs.work(bulkUploadJob, run, {
    inTurns: true,
    wanted: ({ bulk_upload_id }) => isThere(worker.database, 'bulk_upload', bulk_upload_id),
  });
}

const ZERO = { bytes_read: 0, rows_read: 0, rows_added: 0, rows_duplicate: 0, rows_rejected: 0, rows_national: 0 };

/**
 * Adds the records of a file, and ends the upload, in one transaction. If the worker dies, nothing has changed, and the
 * next attempt counts from zero.
 */
async function readUpload(worker: Worker, kind: BulkKind, upload: Upload, signal: AbortSignal): Promise<void> {
  const { database, clock, config } = worker;
  await save(database, upload, { state: 'running', ...ZERO, columns: null });
  const rejects = await openRejectFile(config, upload.error_path);
  const tell = throttled(async (counts: typeof ZERO) => {
    await save(database, upload, counts);
  });
  try {
    const added = await database.transaction().execute(async (db) => {
      const chose = (columns: readonly FileColumn[]) => save(database, upload, { columns: JSON.stringify(columns) });
      const found = (read_as: ReadAs) => save(database, upload, { read_as: JSON.stringify(read_as) });
      const counts = await readRows(db, kind, upload, { config, signal, rejects, tell, chose, found });
      await rejects.close();
      const finished_at = clock.now().toISOString();
      const nothing = (counts.rows_added + counts.rows_duplicate === 0 && kind.nothing) || null;
      const state = nothing ? 'failed' : 'done';
      const ended = { ...counts, bytes_read: upload.bytes_total, state, error_code: nothing, finished_at };
      if (!(await save(db, upload, ended)) || counts.rows_added === 0) return 0;
      await kind.end?.(db);
      const { user_id, corporation_id, file_name } = upload;
      await audit(
        { db, clock, caller: { user_id, corporation_id } },
        {
          name: kind.name,
          description: 'uploaded',
          subject_type: kind.name,
          subject_id: null,
          after: { file_name, ...counts },
        },
      );
      return counts.rows_added;
    });
    if (kind.bulk) await analyzeAfter(database, added, kind.bulk);
  } finally {
    await rejects.abandon();
  }
}

interface Reading {
  config: Worker['config'];
  signal: AbortSignal;
  rejects: RejectFile;
  tell: (counts: typeof ZERO) => Promise<void>;
  /** Receives the columns as they were read. */
  chose: (columns: readonly FileColumn[]) => Promise<unknown>;
  /** Receives the format in which the file is read. */
  found: (readAs: ReadAs) => Promise<unknown>;
}

async function readRows(db: Kysely<Database>, kind: BulkKind, upload: Upload, reading: Reading): Promise<typeof ZERO> {
  const counts = { ...ZERO };
  const reader = await kind.begin(db, upload, counts);
  const say = await voiceOf(db, upload.user_id);
  let header: ReadonlyMap<string, number> | null = null;
  await using file = await localFile(reading.config, upload.file_path);
  const source: TableSource = {
    tenant: upload.corporation_id,
    reading: upload.reading as FileReading,
    onReadAs: reading.found,
  };
  for await (const batch of withHead(readTable(file.path, source))) {
    reading.signal.throwIfAborted();
    let { rows } = batch;
    if (!header) {
      const head = kind.columns.includes('number')
        ? await foundHeader(kind, rows, await readNumberRules(db), reading.chose)
        : { header: readHeader(kind, rows[0]!.cells), records: rows.slice(1) };
      header = head.header;
      rows = head.records;
    }
    const refused: RejectRow[] = [];
    const refuse = (line: number, { field, value, fault }: RowFault) =>
      refused.push([line, field, value.slice(0, MAX_SHOWN), say(fault)]);
    const parsed: { line: number; row: unknown; key: string }[] = [];
    for (const tableRow of rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))) {
      const { line } = tableRow;
      counts.rows_read++;
      const row = readRow(reader, header, kind.key, tableRow);
      if (isFault(row)) refuse(line, row);
      else parsed.push({ line, row, key: tableRow.cells[header.get(kind.key) ?? -1] ?? '' });
    }
    const faults = await reader.refuse?.(
      db,
      parsed.map(({ row }) => row),
    );
    const good = parsed.filter(({ line, row }) => {
      const fault = faults?.get(reader.keyOf(row));
      if (fault) refuse(line, fault);
      return !fault;
    });
    counts.rows_rejected += refused.length;
    const added = new Set(
      await reader.add(
        db,
        good.map(({ row }) => row),
      ),
    );
    for (const { line, row, key } of good) {
      // If two rows have one key, the first is the one that was added.
      if (added.delete(reader.keyOf(row))) counts.rows_added++;
      else if (kind.duplicate) {
        counts.rows_duplicate++;
        refuse(line, { field: kind.key, value: key.trim() || reader.keyOf(row), fault: kind.duplicate });
      }
    }
    await reading.rejects.add(refused.sort((a, b) => a[0] - b[0]));
    counts.bytes_read = batch.bytes_read;
    await reading.tell(counts);
  }
  if (!header) throw new BusinessError('file_headers_invalid');
  return counts;
}

const isFault = (row: unknown): row is RowFault => typeof row === 'object' && row !== null && 'fault' in row;

function readRow(
  reader: Awaited<ReturnType<BulkKind['begin']>>,
  header: ReadonlyMap<string, number>,
  key: string,
  { cells, exact, hidden }: TableRow,
): unknown {
  const place = (column: string) => header.get(column) ?? -1;
  if (hidden) return { field: key, value: cells[place(key)] ?? '', fault: 'validation.hidden_row' };
  return reader.parse(
    (column) => cells[place(column)] ?? '',
    (column) => exact?.[place(column)] ?? cells[place(column)] ?? '',
  );
}

/** Finds the place of each column of a file of numbers, by its name or its cells. */
async function foundHeader(kind: BulkKind, rows: readonly TableRow[], rules: NumberRules, chose: Reading['chose']) {
  const { columns, fault, records, placeOf } = readHead(rows, kind.columns, rules);
  await chose(columns);
  if (fault) throw new BusinessError(fault);
  return { header: new Map(kind.columns.map((name) => [name, placeOf(name)])), records };
}

/** Finds the place of each column; the columns come in any order and case. Throws `file_headers_invalid`. */
function readHeader(kind: BulkKind, cells: readonly string[]): ReadonlyMap<string, number> {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  while (names.at(-1) === '') names.pop();
  const header = new Map(names.map((name, place) => [name, place]));
  if (
    header.size < names.length ||
    names.some((name) => !kind.columns.includes(name)) ||
    kind.required.some((name) => !header.has(name))
  )
    throw new BusinessError('file_headers_invalid');
  return header;
}

/** Stores the progress of an upload and notifies the person who started it; false if it has ended meanwhile. */
async function save(db: Kysely<Database>, { id }: Upload, next: Updateable<Database['bulk_upload']>): Promise<boolean> {
  const row = await db
    .updateTable('bulk_upload')
    .set(next)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (row) await emit(db, `private-App.Models.User.${row.user_id}`, 'bulk.progress', bulkUploadOnWire(row));
  return row !== undefined;
}

import type { FileReading } from '@heliograph/contract/kernel/file-reading';
import type { NumberRules } from '@heliograph/contract/kernel/number-rules';
import type { Kysely } from 'kysely';
import { audit } from '../access/audit.ts';
import { analyzeAfter } from '../database/analyze.ts';
import type { Database } from '../database/db.ts';
import { BusinessError } from '../errors.ts';
import { localFile } from '../files/files.ts';
import type { WorkerContext } from '../jobs/worker-context.ts';
import { readNumberRules } from '../operator/number-rules.ts';
import { voiceOf } from '../person/voice.ts';
import { readTable, type TableRow, type TableSource } from '../table/read-table.ts';
import { readHead, withHead } from '../table/table-head.ts';
import { type BulkKind, bulkUploadJob, bulkUploadTask, type RefusedRow, type RowFault } from './bulk-upload.ts';
import { MAX_SHOWN, openRejectFile, type RejectFile, type RejectRow } from './reject-file.ts';
import { runTask, type TaskRun, type TaskWorker, workTasks } from './run-task.ts';

/** Runs the jobs that read uploaded files of the given kinds. */
export function bulkUploadJobs(worker: WorkerContext, kinds: readonly BulkKind[]): Promise<void> {
  return workTasks(worker, bulkUploadTask, bulkUploadJob, (id, signal) =>
    runTask(worker, bulkUploadTask, id, signal, async (run) => {
      const kind = kinds.find(({ name }) => name === run.task.kind);
      if (kind) await readUpload(worker, kind, run);
    }),
  );
}

const ZERO = {
  bytes_read: 0,
  rows_read: 0,
  rows_added: 0,
  rows_changed: 0,
  rows_duplicate: 0,
  rows_rejected: 0,
  rows_national: 0,
};

/**
 * Adds the records of a file, and ends the upload, in one transaction. If the worker dies, nothing has changed, and the
 * next attempt counts from zero.
 */
async function readUpload({ database, clock, config }: TaskWorker, kind: BulkKind, run: TaskRun): Promise<void> {
  const { task } = run;
  await run.save({ state: 'running', ...ZERO, columns: null });
  const rejects = await openRejectFile(config, task.error_path!);
  try {
    const added = await database.transaction().execute(async (db) => {
      const counts = await readRows(db, kind, { config, rejects, run });
      await rejects.close();
      const error_code = (changedBy(counts) + counts.rows_duplicate === 0 && kind.nothing) || null;
      await run.end(error_code ? 'failed' : 'done', { ...counts, bytes_read: task.bytes_total, error_code }, db);
      if (changedBy(counts) === 0) return 0;
      await kind.end?.(db);
      const { user_id, corporation_id, file_name } = task;
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
      return changedBy(counts);
    });
    if (kind.bulk) await analyzeAfter(database, added, kind.bulk);
  } finally {
    await rejects.abandon();
  }
}

interface Reading {
  config: TaskWorker['config'];
  rejects: RejectFile;
  run: TaskRun;
}

async function readRows(db: Kysely<Database>, kind: BulkKind, { config, rejects, run }: Reading): Promise<typeof ZERO> {
  const upload = run.task;
  const counts = { ...ZERO };
  const reader = await kind.begin(db, upload, counts);
  const say = await voiceOf(db, upload.user_id);
  let header: ReadonlyMap<string, number> | null = null;
  await using file = await localFile(config, upload.file_path!);
  const source: TableSource = {
    tenant: upload.corporation_id,
    reading: upload.reading as FileReading,
    onReadAs: (read_as) => run.save({ read_as: JSON.stringify(read_as) }),
  };
  for await (const batch of withHead(readTable(file.path, source))) {
    run.signal.throwIfAborted();
    let { rows } = batch;
    if (!header) {
      const head = kind.columns.includes('number')
        ? await foundHeader(kind, rows, await readNumberRules(db), run)
        : { header: await namedHeader(kind, reader, rows[0]!.cells, run), records: rows.slice(1) };
      header = head.header;
      rows = head.records;
    }
    const refused: RejectRow[] = [];
    const refuse = (line: number, { field, value, fault, params }: RowFault) =>
      refused.push([line, field, value.slice(0, MAX_SHOWN), say(fault, params)]);
    const kept: RefusedRow[] = [];
    const parsed: { line: number; row: unknown; key: string }[] = [];
    for (const tableRow of rows.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))) {
      const { line } = tableRow;
      counts.rows_read++;
      const row = readRow(reader, header, kind.key, tableRow);
      if (isFault(row)) {
        refuse(line, row);
        if (!tableRow.hidden) kept.push({ line, cells: tableRow.cells, exact: tableRow.exact ?? {} });
      } else parsed.push({ line, row, key: tableRow.cells[header.get(kind.key) ?? -1] ?? '' });
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
    if (kept.length > 0) await reader.keepRefused?.(db, kept);
    const added = new Set(
      await reader.add(
        db,
        good.map(({ row }) => row),
      ),
    );
    for (const { line, row, key } of good) {
      // If two rows have one key, the first is the one that was added.
      const own = reader.keyOf(row);
      if (added.delete(own)) counts[reader.isChange?.(own) ? 'rows_changed' : 'rows_added']++;
      else if (kind.duplicate) {
        counts.rows_duplicate++;
        refuse(line, { field: kind.key, value: key.trim() || own, fault: kind.duplicate });
      }
    }
    await rejects.add(refused.sort((a, b) => a[0] - b[0]));
    counts.bytes_read = batch.bytes_read;
    await run.report({ ...counts });
  }
  if (!header) throw new BusinessError('file_headers_invalid');
  if (changedBy(counts) > 0) await reader.finish?.();
  return counts;
}

const changedBy = ({ rows_added, rows_changed }: typeof ZERO) => rows_added + rows_changed;

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
async function foundHeader(kind: BulkKind, rows: readonly TableRow[], rules: NumberRules, run: TaskRun) {
  const { columns, fault, records, placeOf } = readHead(rows, kind.columns, rules);
  await run.save({ columns: JSON.stringify(columns) });
  if (fault) throw new BusinessError(fault);
  return { header: new Map(kind.columns.map((name) => [name, placeOf(name)])), records };
}

/** Finds the place of each column by the headings, as the reader knows them, else by their exact names. */
async function namedHeader(
  kind: BulkKind,
  reader: Awaited<ReturnType<BulkKind['begin']>>,
  cells: readonly string[],
  run: TaskRun,
): Promise<ReadonlyMap<string, number>> {
  if (!reader.columnsOf) return readHeader(kind, cells);
  const { columns, fault } = await reader.columnsOf(cells);
  await run.save({ columns: JSON.stringify(columns) });
  if (fault) throw new BusinessError(fault);
  return new Map(columns.flatMap(({ field }, place) => (field === null ? [] : [[field, place] as const])));
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

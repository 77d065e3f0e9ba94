import type { FileReading } from '@heliograph/contract/kernel/file-reading';
import { MERGE_FIELDS, type MergeField } from '@heliograph/contract/kernel/merge-fields';
import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import type { Selectable, Updateable } from 'kysely';
import type pg from 'pg';
import { analyzeAfter } from '#platform/database/analyze';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { localFile, removeFile } from '#platform/files/files';
import { failureParams, lastingFailure, NoLongerWanted } from '#platform/jobs/failure';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { readNumberRules } from '#platform/operator/number-rules';
import { type Voice, voiceOf } from '#platform/person/voice';
import { emit } from '#platform/realtime/realtime';
import { readTable, type TableRow, type TableSource } from '#platform/table/read-table';
import { readHead, type TableHead, withHead } from '#platform/table/table-head';
import { throttled } from '#platform/tasks/progress';
import { MAX_SHOWN, openRejectFile, type RejectFile, type RejectRow } from '#platform/tasks/reject-file';
import { importOnWire } from './import-row.ts';
import { addIncoming, type Duplicate, openIncoming } from './incoming-numbers.ts';
import { FAULT_TEXT } from './list-numbers.ts';

/** Positions of the number and the fields in a row. */
interface TableColumns {
  number: number;
  fields: readonly { field: MergeField; column: number }[];
}

type Import = Selectable<Database['import']>;
type Worker = Pick<WorkerContext, 'pool' | 'database' | 'config' | 'clock' | 'log'>;

/** Maximum characters of a name and of a parameter in a list. */
const MAX_VALUE = { name: 100, param: 300 };

/**
 * Reads an uploaded file into its list. The rows are staged first, then added in one transaction that also ends the
 * import. If a worker dies, the list is unchanged and the next attempt counts from zero.
 */
export async function importNumbers(worker: Worker, importId: number, signal: AbortSignal): Promise<void> {
  const { database } = worker;
  const row = await database.selectFrom('import').selectAll().where('id', '=', importId).executeTakeFirst();
  // The import was deleted with its list.
  if (!row) return;
  try {
    // A finished import was ended by another worker, or by this one before the session broke. Its file may still exist.
    if (row.finished_at === null) await readIntoList(worker, row, signal);
  } catch (error) {
    const code = lastingFailure(error, signal);
    if (!code && !(signal.reason instanceof NoLongerWanted)) throw error;
    if (code === 'internal_error') worker.log.error({ err: error, import_id: importId }, 'import failed');
    await saveProgress(worker, importId, {
      state: 'failed',
      error_code: code ?? null,
      error_params: failureParams(error),
      rows_added: 0,
      rows_duplicate: 0,
      finished_at: worker.clock.now().toISOString(),
    });
  }
  await removeFile(worker.config, row.file_path);
}

async function readIntoList(worker: Worker, row: Import, signal: AbortSignal): Promise<void> {
  const rejects = await openRejectFile(worker.config, row.error_path!);
  const say = await voiceOf(worker.database, row.user_id);
  let client: pg.PoolClient | undefined;
  let clean = false;
  try {
    client = await worker.pool.connect();
    const counted = await stage(worker, row, client, { rejects, say }, signal);
    if (counted.accepted === 0) {
      await rejects.close();
      throw new BusinessError('file_without_valid_numbers');
    }
    const ended = await addIncoming(client, row, counted.accepted, {
      signal,
      finished_at: worker.clock.now().toISOString(),
      onProgress: throttled((rows_added) => saveProgress(worker, row.id, { rows_added })),
      onDuplicates: (duplicates) => rejects.add(duplicates.map((each) => duplicateRow(each, say))),
      beforeEnd: () => rejects.close(),
    });
    clean = true;
    if (!ended) return;
    await analyzeAfter(client, counted.accepted, 'number_list_number');
    await announce(worker, row.id);
  } finally {
    // A session that failed is closed, which drops its staged rows.
    client?.release(!clean);
    await rejects.abandon();
  }
}

/** Copies the file's good rows to the staging table, and its bad ones to the file of refused rows. */
async function stage(
  worker: Worker,
  row: Import,
  client: pg.PoolClient,
  { rejects, say }: { rejects: RejectFile; say: Voice },
  signal: AbortSignal,
) {
  const configured = await readNumberRules(worker.database);
  const rules = row.read_national ? configured : { ...configured, national: null };
  const incoming = await openIncoming(client);
  const progress = throttled((next: Updateable<Database['import']>) => saveProgress(worker, row.id, next));
  await saveProgress(worker, row.id, {
    state: 'running',
    bytes_read: 0,
    rows_read: 0,
    rows_added: 0,
    rows_duplicate: 0,
    rows_rejected: 0,
    rows_national: 0,
    columns: null,
  });
  const counted = { bytes_read: 0, rows_read: 0, rows_rejected: 0, rows_national: 0 };
  let columns: TableColumns | null = null;
  let accepted = 0;
  const { corporation_id: tenant } = await worker.database
    .selectFrom('number_list')
    .select('corporation_id')
    .where('id', '=', row.number_list_id)
    .executeTakeFirstOrThrow();
  await using file = await localFile(worker.config, row.file_path);
  const source: TableSource = {
    tenant,
    reading: row.reading as FileReading,
    onReadAs: (read_as) => saveProgress(worker, row.id, { read_as: JSON.stringify(read_as) }),
  };
  for await (const batch of withHead(readTable(file.path, source))) {
    signal.throwIfAborted();
    let { rows } = batch;
    if (!columns) {
      const head = readHead(rows, LIST_FIELDS, rules);
      await saveProgress(worker, row.id, { columns: JSON.stringify(head.columns) });
      if (head.fault) throw new BusinessError(head.fault);
      columns = columnsOf(head);
      rows = head.records;
    }
    const refused: RejectRow[] = [];
    for (const tableRow of rows) {
      const value = tableRow.cells[columns.number] ?? '';
      const refuse = (field: string, shown: string, reason: string) =>
        refused.push([tableRow.line, field, shown.trim().slice(0, MAX_SHOWN), reason]);
      const { msisdn, national, fault } = checkNumber(value, rules);
      if (tableRow.hidden) refuse('number', value, say('validation.hidden_row'));
      else if (fault) refuse('number', value, say(`validation.${FAULT_TEXT[fault]}`));
      else {
        const params = paramsOf(tableRow, columns);
        if ('tooLong' in params) {
          const { field, value: long } = params.tooLong;
          refuse(field, long, say('validation.too_long', { count: longest(field) }));
          continue;
        }
        incoming.add({ line: tableRow.line, msisdn, given: value === msisdn ? null : value.trim() }, params.values);
        accepted++;
        if (national) counted.rows_national++;
      }
    }
    await incoming.drain();
    await rejects.add(refused);
    counted.bytes_read = batch.bytes_read;
    counted.rows_read += rows.length;
    counted.rows_rejected += refused.length;
    await progress(counted);
  }
  if (!columns) throw new BusinessError('file_headers_invalid');
  await incoming.close();
  await saveProgress(worker, row.id, { ...counted, bytes_read: row.bytes_total });
  return { ...counted, accepted };
}

const LIST_FIELDS = ['number', ...MERGE_FIELDS];

function columnsOf({ placeOf }: TableHead): TableColumns {
  const fields = MERGE_FIELDS.map((field) => ({ field, column: placeOf(field) }));
  return { number: placeOf('number'), fields: fields.filter(({ column }) => column >= 0) };
}

const longest = (field: MergeField) => (field === 'name' ? MAX_VALUE.name : MAX_VALUE.param);

/** Returns a row of the report for a number that the list, or an earlier line of the file, already has. */
function duplicateRow({ line, number, given, first }: Duplicate, say: Voice): RejectRow {
  const reason = first === null ? say('validation.number_in_list') : say('validation.number_repeated', { line: first });
  return [line, 'number', (given ?? number).slice(0, MAX_SHOWN), reason];
}

type RowValues = { values: (string | null)[] } | { tooLong: { field: MergeField; value: string } };

/** Returns the name and parameters of a row in the order of their columns, or the first value that is too long. */
function paramsOf({ cells }: TableRow, { fields }: TableColumns): RowValues {
  const values: (string | null)[] = new Array(MERGE_FIELDS.length).fill(null);
  for (const { field, column } of fields) {
    const value = cells[column]?.trim();
    if (!value) continue;
    if (value.length > longest(field)) return { tooLong: { field, value } };
    values[MERGE_FIELDS.indexOf(field)] = value;
  }
  return { values };
}

/** Writes the progress of an import and notifies the person who started it, unless it has ended meanwhile. */
async function saveProgress({ database }: Worker, id: number, next: Updateable<Database['import']>): Promise<void> {
  await database.transaction().execute(async (db) => {
    const row = await db
      .updateTable('import')
      .set(next)
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (row) await emit(db, `private-App.Models.User.${row.user_id}`, 'import.progress', importOnWire(row));
  });
}

/** Notifies the person that their import ended. */
async function announce({ database }: Worker, id: number): Promise<void> {
  const row = await database.selectFrom('import').selectAll().where('id', '=', id).executeTakeFirst();
  if (row) await emit(database, `private-App.Models.User.${row.user_id}`, 'import.progress', importOnWire(row));
}

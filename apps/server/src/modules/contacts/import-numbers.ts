import type { FileReading } from '@heliograph/contract/kernel/file-reading';
import { MERGE_FIELDS, type MergeField } from '@heliograph/contract/kernel/merge-fields';
import { checkNumber } from '@heliograph/contract/kernel/number-rules';
import type pg from 'pg';
import { analyzeAfter } from '#platform/database/analyze';
import { BusinessError } from '#platform/errors';
import { localFile } from '#platform/files/files';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { readNumberRules } from '#platform/operator/number-rules';
import { type Voice, voiceOf } from '#platform/person/voice';
import { readTable, type TableRow, type TableSource } from '#platform/table/read-table';
import { readHead, type TableHead, withHead } from '#platform/table/table-head';
import { throttled } from '#platform/tasks/progress';
import { MAX_SHOWN, openRejectFile, type RejectFile, type RejectRow } from '#platform/tasks/reject-file';
import { runTask, type TaskRun, type TaskWorker } from '#platform/tasks/run-task';
import { findTask, tellTask } from '#platform/tasks/task';
import { importTask } from './import-calls.ts';
import { addIncoming, type Duplicate, openIncoming } from './incoming-numbers.ts';
import { FAULT_TEXT } from './number-lists.ts';

/** Positions of the number and the fields in a row. */
interface TableColumns {
  number: number;
  fields: readonly { field: MergeField; column: number }[];
}

type Worker = TaskWorker & Pick<WorkerContext, 'pool'>;

/** Maximum characters of a name and of a parameter in a list. */
const MAX_VALUE = { name: 100, param: 300 };

/**
 * Reads an uploaded file into its list. The rows are staged first, then added in one transaction that also ends the
 * import. If a worker dies, the list is unchanged and the next attempt counts from zero.
 */
export const importNumbers = (worker: Worker, importId: number, signal: AbortSignal): Promise<void> =>
  runTask(worker, importTask, importId, signal, (run) => readIntoList(worker, run));

async function readIntoList(worker: Worker, run: TaskRun): Promise<void> {
  const { task, signal } = run;
  const rejects = await openRejectFile(worker.config, task.error_path!);
  const say = await voiceOf(worker.database, task.user_id);
  let client: pg.PoolClient | undefined;
  let clean = false;
  try {
    client = await worker.pool.connect();
    const counted = await stage(worker, run, client, { rejects, say });
    if (counted.accepted === 0) {
      await rejects.close();
      throw new BusinessError('file_without_valid_numbers');
    }
    const target = { id: task.id, number_list_id: task.number_list_id! };
    const ended = await addIncoming(client, target, counted.accepted, {
      signal,
      finished_at: worker.clock.now().toISOString(),
      onProgress: throttled((rows_added) => run.save({ rows_added })),
      onDuplicates: (duplicates) => rejects.add(duplicates.map((each) => duplicateRow(each, say))),
      beforeEnd: () => rejects.close(),
    });
    clean = true;
    if (!ended) return;
    await analyzeAfter(client, counted.accepted, 'number_list_number');
    await tellTask(worker.database, importTask, (await findTask(worker.database, importTask, task.id))!);
  } finally {
    // A session that failed is closed, which drops its staged rows.
    client?.release(!clean);
    await rejects.abandon();
  }
}

/** Copies the file's good rows to the staging table, and its bad ones to the file of refused rows. */
async function stage(
  worker: Worker,
  { task, signal, save, report }: TaskRun,
  client: pg.PoolClient,
  { rejects, say }: { rejects: RejectFile; say: Voice },
) {
  const configured = await readNumberRules(worker.database);
  const rules = task.read_national ? configured : { ...configured, national: null };
  const incoming = await openIncoming(client);
  await save({
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
  await using file = await localFile(worker.config, task.file_path!);
  const source: TableSource = {
    tenant: task.corporation_id,
    reading: task.reading as FileReading,
    onReadAs: (read_as) => save({ read_as: JSON.stringify(read_as) }),
  };
  for await (const batch of withHead(readTable(file.path, source))) {
    signal.throwIfAborted();
    let { rows } = batch;
    if (!columns) {
      const head = readHead(rows, LIST_FIELDS, rules);
      await save({ columns: JSON.stringify(head.columns) });
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
    await report({ ...counted });
  }
  if (!columns) throw new BusinessError('file_headers_invalid');
  await incoming.close();
  await save({ ...counted, bytes_read: task.bytes_total });
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

import type { FileReading } from '@heliograph/contract/kernel/file-reading';
import { MERGE_FIELDS, type MergeField } from '@heliograph/contract/kernel/merge-fields';
import { checkNumber, type NumberFault, type NumberRules } from '@heliograph/contract/kernel/number-rules';
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
import { type Duplicate, IncomingNumbers } from './incoming-numbers.ts';
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
 * Reads an uploaded file into its list. The rows are sorted first, then added in one transaction that also ends the
 * import. If a worker dies, the list is unchanged and the next attempt counts from zero.
 */
export const importNumbers = (worker: Worker, importId: number, signal: AbortSignal): Promise<void> =>
  runTask(worker, importTask, importId, signal, (run) => readIntoList(worker, run));

async function readIntoList(worker: Worker, run: TaskRun): Promise<void> {
  const { task, signal } = run;
  const rejects = await openRejectFile(worker.config, task.error_path!);
  const say = await voiceOf(worker.database, task.user_id);
  await using opened = new AsyncDisposableStack();
  let client: pg.PoolClient | undefined;
  let clean = false;
  try {
    const incoming = await readRows(worker, run, { rejects, say, opened });
    if (incoming.count === 0) {
      await rejects.close();
      throw new BusinessError('file_without_valid_numbers');
    }
    client = await worker.pool.connect();
    const ended = await incoming.addToList(client, {
      id: task.id,
      signal,
      finished_at: worker.clock.now().toISOString(),
      onProgress: throttled((rows_added) => run.save({ rows_added })),
      onDuplicates: (duplicates) => rejects.add(duplicates.map((each) => duplicateRow(each, say))),
      beforeEnd: () => rejects.close(),
    });
    clean = true;
    if (!ended) return;
    await analyzeAfter(client, incoming.count, 'number_list_number');
    await tellTask(worker.database, importTask, (await findTask(worker.database, importTask, task.id))!);
  } finally {
    // A session that failed is closed, which ends its transaction.
    client?.release(!clean);
    await rejects.abandon();
  }
}

interface Reading {
  rejects: RejectFile;
  say: Voice;
  /** Owner of the rows that were read. */
  opened: AsyncDisposableStack;
}

/** Reads the file's good rows, and writes its bad ones to the file of refused rows. */
async function readRows(
  worker: Worker,
  { task, signal, save, report }: TaskRun,
  { rejects, say, opened }: Reading,
): Promise<IncomingNumbers> {
  const configured = await readNumberRules(worker.database);
  const rules = task.read_national ? configured : { ...configured, national: null };
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
  let incoming: IncomingNumbers | null = null;
  await using file = await localFile(worker.config, task.file_path!);
  const source: TableSource = {
    tenant: task.corporation_id,
    reading: task.reading as FileReading,
    onReadAs: (read_as) => save({ read_as: JSON.stringify(read_as) }),
  };
  for await (const batch of withHead(readTable(file.path, source))) {
    signal.throwIfAborted();
    let { rows } = batch;
    if (!columns || !incoming) {
      const head = readHead(rows, LIST_FIELDS, rules);
      await save({ columns: JSON.stringify(head.columns) });
      if (head.fault) throw new BusinessError(head.fault);
      columns = columnsOf(head);
      const fields = columns.fields.map(({ field }) => field);
      incoming = opened.use(new IncomingNumbers(worker.config, task.number_list_id!, fields));
      rows = head.records;
    }
    const refused: RejectRow[] = [];
    for (const row of rows) {
      const taken = addRow(incoming, row, columns, rules);
      if (typeof taken !== 'string')
        refused.push([
          row.line,
          taken.field,
          taken.value.trim().slice(0, MAX_SHOWN),
          say(`validation.${taken.fault}`, { count: longest(taken.field) }),
        ]);
      else if (taken === 'national') counted.rows_national++;
    }
    await incoming.drain();
    await rejects.add(refused);
    counted.bytes_read = batch.bytes_read;
    counted.rows_read += rows.length;
    counted.rows_rejected += refused.length;
    await report({ ...counted });
  }
  if (!incoming) throw new BusinessError('file_headers_invalid');
  await save({ ...counted, bytes_read: task.bytes_total });
  return incoming;
}

const LIST_FIELDS = ['number', ...MERGE_FIELDS];

function columnsOf({ placeOf }: TableHead): TableColumns {
  const fields = MERGE_FIELDS.map((field) => ({ field, column: placeOf(field) }));
  return { number: placeOf('number'), fields: fields.filter(({ column }) => column >= 0) };
}

const longest = (field: string) => (field === 'name' ? MAX_VALUE.name : MAX_VALUE.param);

/** Returns a row of the report for a number that the list, or an earlier line of the file, already has. */
function duplicateRow({ line, given, first }: Duplicate, say: Voice): RejectRow {
  const reason = first === null ? say('validation.number_in_list') : say('validation.number_repeated', { line: first });
  return [line, 'number', given.slice(0, MAX_SHOWN), reason];
}

/** Reason why a row is not added. */
interface Refusal {
  field: string;
  value: string;
  fault: (typeof FAULT_TEXT)[NumberFault] | 'hidden_row' | 'too_long';
}

/** Adds the number of a row with its values, or returns why it cannot be added. */
function addRow(
  incoming: IncomingNumbers,
  { line, cells, hidden }: TableRow,
  { number, fields }: TableColumns,
  rules: NumberRules,
): 'international' | 'national' | Refusal {
  const value = cells[number] ?? '';
  if (hidden) return { field: 'number', value, fault: 'hidden_row' };
  const { msisdn, national, fault } = checkNumber(value, rules);
  if (fault) return { field: 'number', value, fault: FAULT_TEXT[fault] };
  const values: (string | null)[] = [];
  for (const { field, column } of fields) {
    const text = cells[column]?.trim() || null;
    if (text !== null && text.length > longest(field)) return { field, value: text, fault: 'too_long' };
    values.push(text);
  }
  incoming.add({ line, msisdn, given: value === msisdn ? null : value.trim() }, values);
  return national ? 'national' : 'international';
}

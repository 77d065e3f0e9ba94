import type { FileReading, ReadAs } from '@heliograph/contract/kernel/file-reading';
import { BusinessError } from '../errors.ts';
import { detectFormat } from './file-format.ts';
import { headerRow, LOOKED_AT } from './headings.ts';
import { readCsv } from './read-csv.ts';
import { openWorkbook } from './workbook-reader.ts';
import { type Tenant, WorkbookTurns } from './workbook-turns.ts';

export interface TableRow {
  /** The line of the file on which the row starts, from 1; of a workbook, the row. */
  line: number;
  /** Shown text of each cell. */
  cells: string[];
  /** Exact value, by column, of each cell that shows it otherwise: an ISO date, a plain decimal, true or false. */
  exact?: Record<number, string>;
  /** Set if the sheet hides the row. */
  hidden?: true;
}

/** Rows in the order of the file, with how far into it they reach. */
export interface TableBatch {
  rows: TableRow[];
  bytes_read: number;
}

export interface TableSource {
  /** Owner of the file: the tenants take turns. */
  tenant: Tenant;
  /** Chosen reading of the file; parts that are left out are detected. */
  reading: FileReading;
  /** Called with the format of the file, before its rows are read. */
  onReadAs?: (readAs: ReadAs) => Promise<unknown>;
}

/** The first rows of a file, and how it is read. */
export interface TablePreview {
  /** Rows that are not hidden, the headings first. */
  rows: TableRow[];
  /** Rows above the headings, limited to the rows that are searched. */
  above: TableRow[];
  read_as: ReadAs;
  /** Number of hidden rows among the first ones. */
  hidden: number;
  /** Damage that refuses the file, unless another reading is chosen. */
  fault: BusinessError | null;
}

/**
 * Places of previews: they are short and a person waits for them. Jobs read long, and have as many places as a worker
 * runs jobs.
 */
const previews = new WorkbookTurns(1, 16);
const jobs = new WorkbookTurns(2, Number.POSITIVE_INFINITY);

/**
 * Reads a CSV or XLSX file as a stream of batches, its headings first; memory is bounded for any file. Throws
 * `file_type_unknown` for other files, and `file_unreadable` and similar errors for damaged ones. Throws
 * `sheet_missing` and `header_row_missing` if the file lacks the chosen sheet or row.
 */
export async function* readTable(path: string, source: TableSource): AsyncGenerator<TableBatch> {
  const format = await detectFormat(path, source.reading);
  if (format.type === 'csv' && format.fault) throw format.fault;
  const read_as = readAsOf(format);
  const chosen = source.reading.header_row;
  let head: TableBatch | null = { rows: [], bytes_read: 0 };
  for await (const part of partsOf(path, format, source, jobs)) {
    if (!('rows' in part)) Object.assign(read_as, part);
    else if (!head) yield part;
    else {
      head = { rows: head.rows.concat(part.rows), bytes_read: part.bytes_read };
      if (head.rows.length < LOOKED_AT || head.rows.at(-1)!.line < (chosen ?? 0)) continue;
      yield await fromHeadings(head, chosen, read_as, source);
      head = null;
    }
  }
  if (head && head.rows.length > 0) yield await fromHeadings(head, chosen, read_as, source);
}

/** Reads the first rows of a file that are not hidden, for a preview. A `cut` file is the beginning of one. */
export async function firstRows(
  path: string,
  count: number,
  source: TableSource & { cut?: boolean },
): Promise<TablePreview> {
  const format = await detectFormat(path, source.reading, source.cut);
  const read_as = readAsOf(format);
  const chosen = source.reading.header_row;
  let rows: TableRow[] = [];
  let fault = format.type === 'csv' ? format.fault : null;
  try {
    for await (const part of partsOf(path, format, source, previews)) {
      if (!('rows' in part)) {
        Object.assign(read_as, part);
        continue;
      }
      rows = rows.concat(part.rows);
      // Headings may come below titles, and the shown rows below them.
      if (visible(rows).length >= LOOKED_AT + count && rows.at(-1)!.line >= (chosen ?? 0) + LOOKED_AT) break;
    }
  } catch (error) {
    // An open quote is no fault if it is only open because the file was cut.
    if (!(error instanceof BusinessError) || rows.length === 0) throw error;
    if (!source.cut) fault ??= error;
  }
  read_as.header_row = chosen ?? headerRow(rows);
  const [above, below] = [rows.filter(isAbove(read_as)), rows.filter((row) => !isAbove(read_as)(row))];
  if (below.length === 0 && rows.length > 0) fault ??= headerMissing(read_as);
  const shown = visible(below).slice(0, count);
  const hidden = below.filter((row) => row.hidden && row.line <= (shown.at(-1)?.line ?? 0)).length;
  return { rows: shown, above: visible(above).slice(-LOOKED_AT), read_as, hidden, fault };
}

const headerMissing = ({ header_row }: ReadAs) =>
  new BusinessError('header_row_missing', { params: { row: header_row } });

const visible = (rows: readonly TableRow[]) => rows.filter(({ hidden }) => !hidden);
const isAbove =
  ({ header_row }: ReadAs) =>
  ({ line }: TableRow) =>
    line < header_row;

const readAsOf = (format: Awaited<ReturnType<typeof detectFormat>>): ReadAs => ({
  encoding: format.type === 'csv' ? format.encoding : null,
  separator: format.type === 'csv' ? format.separator : null,
  sheet: null,
  sheets: [],
  header_row: 1,
});

const partsOf = (
  path: string,
  format: Awaited<ReturnType<typeof detectFormat>>,
  { tenant, reading }: TableSource,
  turns: WorkbookTurns,
) => (format.type === 'csv' ? readCsv(path, format) : openWorkbook(path, { sheet: reading.sheet, tenant, turns }));

/** Answers a first batch without the rows above its headings. */
async function fromHeadings(
  { rows, bytes_read }: TableBatch,
  chosen: number | undefined,
  read_as: ReadAs,
  { onReadAs }: TableSource,
): Promise<TableBatch> {
  read_as.header_row = chosen ?? headerRow(rows);
  await onReadAs?.(read_as);
  const kept = rows.filter((row) => !isAbove(read_as)(row));
  if (kept.length === 0) throw headerMissing(read_as);
  return { rows: kept, bytes_read };
}

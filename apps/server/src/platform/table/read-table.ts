import { detectFormat } from './file-format.ts';
import { readCsv } from './read-csv.ts';
import { openWorkbook } from './workbook-reader.ts';
import { type Tenant, WorkbookTurns } from './workbook-turns.ts';

export interface TableRow {
  /** The line of the file on which the row starts, from 1; of a workbook, the row. */
  line: number;
  /** What each cell shows. */
  cells: string[];
  /** By column, the exact value of a cell that shows it otherwise: an ISO date, a plain decimal, true or false. */
  exact?: Record<number, string>;
  /** Set where the sheet hides the row. */
  hidden?: true;
}

/** Rows in the order of the file, with how far into it they reach. */
export interface TableBatch {
  rows: TableRow[];
  bytes_read: number;
}

/** How a file is to be read; what is left out is found out. */
export interface TableReading {
  /** Name of the sheet of a workbook. */
  sheet?: string | undefined;
}

export interface TableSource {
  /** Owner of the file: the tenants take turns. */
  tenant: Tenant;
  reading?: TableReading | null | undefined;
}

/** The first rows of a file, and what it was read as. */
export interface TablePreview {
  rows: TableRow[];
  /** Names of the sheets that can be chosen; of a workbook alone. */
  sheets: string[];
  sheet: string | null;
  /** Hidden rows that stand among the first ones. */
  hidden: number;
}

/** Previews are short and somebody waits for them; jobs read long, and as many as a worker has hands. */
const previews = new WorkbookTurns(1, 16);
const jobs = new WorkbookTurns(2, Number.POSITIVE_INFINITY);

/**
 * Reads a CSV or XLSX file as a stream of batches: memory is bounded whatever the file holds.
 * Throws `file_type_unknown` for other files and `file_unreadable` where one is damaged.
 */
export async function* readTable(path: string, { tenant, reading }: TableSource): AsyncGenerator<TableBatch> {
  const format = await detectFormat(path);
  if (format.type === 'csv') return yield* readCsv(path, format.encoding);
  for await (const part of openWorkbook(path, { sheet: reading?.sheet, tenant, turns: jobs }))
    if ('rows' in part) yield part;
}

/** The first rows of a file that are not hidden, for a preview. */
export async function firstRows(path: string, count: number, { tenant, reading }: TableSource): Promise<TablePreview> {
  const found: TablePreview = { rows: [], sheets: [], sheet: null, hidden: 0 };
  const format = await detectFormat(path);
  const parts =
    format.type === 'csv'
      ? readCsv(path, format.encoding)
      : openWorkbook(path, { sheet: reading?.sheet, tenant, turns: previews });
  for await (const part of parts) {
    if (!('rows' in part)) {
      Object.assign(found, part);
      continue;
    }
    for (const row of part.rows) {
      if (row.hidden) found.hidden++;
      else if (found.rows.push(row) >= count) return found;
    }
  }
  return found;
}

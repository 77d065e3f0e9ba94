import { stat } from 'node:fs/promises';
import { detectFormat } from './file-format.ts';
import { readCsv } from './read-csv.ts';
import { readXlsx } from './read-xlsx.ts';

export interface TableRow {
  /** The line of the file on which the row starts, from 1; of a workbook, the row. */
  line: number;
  cells: string[];
}

/** Rows in the order of the file, with how far into it they reach. */
export interface TableBatch {
  rows: TableRow[];
  bytes_read: number;
}

/**
 * Reads a CSV or XLSX file as a stream of batches: memory is bounded whatever the file holds.
 * Throws `file_type_unknown` for other files and `file_unreadable` where one is damaged.
 */
export async function* readTable(path: string): AsyncGenerator<TableBatch> {
  const format = await detectFormat(path);
  yield* format.type === 'xlsx' ? readXlsx(path, (await stat(path)).size) : readCsv(path, format.encoding);
}

/** The first rows of a file, for a preview. */
export async function firstRows(path: string, count: number): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  for await (const batch of readTable(path)) {
    rows.push(...batch.rows.slice(0, count - rows.length));
    if (rows.length >= count) break;
  }
  return rows;
}

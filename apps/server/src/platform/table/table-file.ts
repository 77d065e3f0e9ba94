import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { finished } from 'node:stream/promises';
import { spreadsheetCell } from '@heliograph/contract/kernel/csv';
import type { PrintedFormat } from '@heliograph/contract/kernel/file-format';
import { stringify } from 'csv-stringify/sync';
import { type Cells, StyledCell } from './cells.ts';
import { PdfTable, type PrintedTable } from './write-pdf.ts';
import { XlsxWriter } from './write-xlsx.ts';

export type { Cells } from './cells.ts';

/** A file that is written row by row, its heading first. */
export interface TableFile {
  write(rows: readonly Cells[]): Promise<void>;
  end(): Promise<void>;
  /** Closes the file unfinished. */
  abandon(): Promise<void>;
}

/**
 * Starts a file that only its owner may read; nothing in it runs as a formula. A workbook's sheet has the name `sheet`;
 * a PDF looks as `printed` says. Throws a RangeError for a PDF without it.
 */
export async function createTable(
  format: PrintedFormat,
  path: string,
  { sheet, printed }: { sheet?: string; printed?: PrintedTable | undefined } = {},
): Promise<TableFile> {
  if (format === 'csv') return createCsv(path);
  if (format === 'xlsx') return createXlsx(path, sheet);
  if (!printed) throw new RangeError('this list is not printed');
  return createPdf(path, printed);
}

async function createPdf(path: string, printed: PrintedTable): Promise<TableFile> {
  const out = createWriteStream(path, { mode: 0o600 });
  const written = finished(out);
  // A failure is thrown by the end; until then it must not end the process.
  written.catch(() => undefined);
  const pdf = await PdfTable.create(out, printed);
  let headed = false;
  return {
    async write(rows) {
      for (const cells of rows) {
        if (headed) pdf.row(cells);
        else pdf.heading(cells);
        headed = true;
      }
    },
    async end() {
      pdf.end();
      await written;
    },
    abandon: async () => void out.destroy(),
  };
}

async function createCsv(path: string): Promise<TableFile> {
  const file = await open(path, 'w', 0o600);
  // The mark before the first line tells spreadsheets that the file is UTF-8.
  let bom = true;
  return {
    async write(rows) {
      const lines = rows.map((cells) =>
        cells.map((cell) => (cell instanceof StyledCell ? cell.text : spreadsheetCell(cell))),
      );
      await file.write(stringify(lines, { bom, cast: { boolean: String } }));
      bom = false;
    },
    end: () => file.close(),
    abandon: () => file.close(),
  };
}

/** Starts a file of lines that only its owner may read: each row is one cell, which is a line as it is. */
export async function createLines(path: string): Promise<TableFile> {
  const file = await open(path, 'w', 0o600);
  return {
    write: async (rows) => void (await file.write(rows.map(([line]) => `${String(line)}\n`).join(''))),
    end: () => file.close(),
    abandon: () => file.close(),
  };
}

async function createXlsx(path: string, sheet: string | undefined): Promise<TableFile> {
  const book = new XlsxWriter(path, { sheet });
  return {
    write: (rows) => book.rows(rows),
    end: () => book.end(),
    abandon: async () => book.destroy(),
  };
}

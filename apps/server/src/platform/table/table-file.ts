import { open } from 'node:fs/promises';
import { spreadsheetCell } from '@heliograph/contract/kernel/csv';
import type { FileFormat } from '@heliograph/contract/kernel/file-format';
import { stringify } from 'csv-stringify/sync';
import { type Cells, StyledCell } from './cells.ts';
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
 * Starts a file that only its owner may read; nothing in it runs as a formula. A workbook's sheet has the name `sheet`.
 */
export const createTable = (format: FileFormat, path: string, sheet?: string): Promise<TableFile> =>
  format === 'csv' ? createCsv(path) : createXlsx(path, sheet);

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

async function createXlsx(path: string, sheet: string | undefined): Promise<TableFile> {
  const book = new XlsxWriter(path, { sheet });
  return {
    write: (rows) => book.rows(rows),
    end: () => book.end(),
    abandon: async () => book.destroy(),
  };
}

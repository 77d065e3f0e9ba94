import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '@heliograph/installation/start-error';
import { CsvError, parse } from 'csv-parse/sync';
import type { Moved, Place } from './moved.ts';

/** Row of a CSV: its cells by the names of their columns. */
export interface TableRow extends Place {
  cells: Readonly<Record<string, string>>;
}

/** A CSV file. */
export interface Table {
  name: string;
  file: string;
  columns: readonly string[];
  rows: readonly TableRow[];
}

/** Reads the CSV files of a folder, in UTF-8 with a first line of names; names are read in lower case. */
export function readTables(folder: string): Table[] {
  let names: string[];
  try {
    names = readdirSync(folder).filter((name) => /\.csv$/i.test(name));
  } catch (error) {
    throw new StartError(`The folder ${folder} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  if (names.length === 0) throw new StartError(`The folder ${folder} has no file that ends in .csv.`);
  return names.sort().map((name) => readTable(join(folder, name), name.replace(/\.csv$/i, '').toLowerCase()));
}

function readTable(file: string, name: string): Table {
  const text = readFileSync(file, 'utf8');
  const first = text.split('\n', 1)[0] ?? '';
  const count = (separator: string) => first.split(separator).length;
  const delimiter = [',', ';', '\t'].sort((a, b) => count(b) - count(a))[0]!;
  let columns: string[] = [];
  try {
    const records = parse(text, {
      bom: true,
      delimiter,
      info: true,
      skip_empty_lines: true,
      trim: true,
      columns: (header: string[]) => {
        columns = header.map((each) => each.trim().toLowerCase());
        return columns;
      },
    }) as unknown as { info: { lines: number }; record: Record<string, string> }[];
    return {
      name,
      file,
      columns,
      rows: records.map(({ info, record }) => ({ file, line: info.lines, cells: record })),
    };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw new StartError(`${file}: this is not a CSV: ${error.message}`);
  }
}

/** Returns the text of a cell; empty if the column is absent. */
export const cellOf = ({ cells }: TableRow, column: string): string => cells[column] ?? '';

/** Notes the columns of a table that nothing reads. */
export function noteColumns(moved: Moved, table: Table, known: readonly string[]): void {
  const rest = table.columns.filter((column) => !known.includes(column));
  if (rest.length > 0)
    moved.note('refused', { file: table.file, line: 1 }, `Columns that are not taken over: ${rest.join(', ')}.`);
}

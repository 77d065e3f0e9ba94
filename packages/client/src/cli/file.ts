import { statSync } from 'node:fs';
import { BusinessError } from '../../../../apps/server/src/platform/errors.ts';
import { readTable, type TableRow } from '../../../../apps/server/src/platform/table/read-table.ts';
import { readHead, withHead } from '../../../../apps/server/src/platform/table/table-head.ts';
import en from '../../../contract/messages/en/kernel.json' with { type: 'json' };
import { ENCODINGS, type FileReading, SEPARATORS } from '../../../contract/src/kernel/file-reading.ts';
import { HeliographError } from '../errors.ts';
import { UsageError } from './command.ts';

/** A row of a file of recipients, with its line number and the share of the file already read, from 0 to 1. */
export interface FileRow {
  line: number;
  values: Readonly<Record<string, string>>;
  /** True if the sheet hides the row. */
  hidden: boolean;
  read: number;
}

/** Choices for reading a file; those left out are detected. */
export interface Choices {
  column?: string | undefined;
  encoding?: string | undefined;
  separator?: string | undefined;
  sheet?: string | undefined;
  header_row?: string | undefined;
}

/** Fields of a recipient, by the names that the console uses. */
const FIELDS = ['number', 'content', 'client_ref', 'name', ...Array.from({ length: 9 }, (_, at) => `param${at + 1}`)];
/** Names of the API, with those of the console. */
const API_NAMES: Readonly<Record<string, string>> = { to: 'number', text: 'content' };
/** Widest rules for a number; the platform applies its own. */
const RULES = { min: 7, max: 15, start: '', start_with_any_msisdn: true };

/**
 * Reads the rows of a CSV or XLSX file as the console does; values have the names of the API. Calls `say` with the
 * column of the numbers and the unused columns. Throws if no column, or more than one, may hold the numbers.
 */
export async function* readRecipients(
  path: string,
  choices: Choices,
  say: (text: string) => void,
): AsyncGenerator<FileRow> {
  const { size } = statSync(path);
  let places: ReadonlyMap<string, number> | undefined;
  try {
    for await (const batch of withHead(readTable(path, { tenant: null, reading: readingOf(choices) }))) {
      let { rows } = batch;
      if (!places) ({ places, rows } = findPlaces(path, rows, choices.column, say));
      for (const { line, cells, hidden } of rows) {
        if (cells.every((cell) => cell.trim() === '')) continue;
        const values = Object.fromEntries([...places].map(([name, at]) => [name, cells[at]?.trim() ?? '']));
        yield { line, values, hidden: hidden === true, read: Math.min(1, batch.bytes_read / size) };
      }
    }
  } catch (error) {
    if (error instanceof BusinessError) throw new HeliographError(`${path}: ${sentenceOf(error)}`);
    throw error;
  }
  if (!places) throw new HeliographError(`${path} is empty.`);
}

/** Returns the English sentence of an error, with its values filled in. */
function sentenceOf({ code, params }: BusinessError): string {
  const text = (en.errors as Readonly<Record<string, string>>)[code] ?? code;
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(params[name] ?? ''));
}

function readingOf({ encoding, separator, sheet, header_row }: Choices): FileReading {
  const among = <Name extends string>(option: string, given: string | undefined, names: readonly Name[]) => {
    const name = names.find((each) => each === given?.toLowerCase());
    if (given !== undefined && !name) throw new UsageError(`--${option} must be one of ${names.join(', ')}.`);
    return name;
  };
  if (header_row !== undefined && !/^[1-9]\d{0,2}$/.test(header_row))
    throw new UsageError('--header-row must be the number of a row.');
  const reading: Record<string, string | number | undefined> = {
    encoding: among('encoding', encoding, ENCODINGS),
    separator: among('separator', separator, SEPARATORS),
    sheet,
    header_row: header_row === undefined ? undefined : Number(header_row),
  };
  return Object.fromEntries(Object.entries(reading).filter(([, value]) => value !== undefined));
}

/** Returns the column of each value, by the API's names, and the rows without the header. */
function findPlaces(path: string, rows: TableRow[], column: string | undefined, say: (text: string) => void) {
  const first = rows.find(({ hidden }) => !hidden);
  const given = first?.cells ?? [];
  if (first) first.cells = column === undefined ? apiNames(given) : withNumbersAt(path, given, column);
  const { fault, columns, headless, records, placeOf } = readHead(rows, FIELDS, RULES);
  const nameAt = (at: number) => JSON.stringify((!headless && given[at]?.trim()) || columns[at]!.name);
  const namesOf = (wanted: string | null) => columns.flatMap(({ field }, at) => (field === wanted ? [nameAt(at)] : []));
  if (fault === 'file_columns_ambiguous')
    throw new UsageError(
      `${path}: several columns may contain the numbers: ${namesOf('number').join(', ')}. Choose one with --column.`,
    );
  if (fault)
    throw new UsageError(
      `${path} has no column of phone numbers. Name it "to" in the first line, or choose one with --column.`,
    );
  const unused = namesOf(null);
  say(`Numbers: column ${namesOf('number').join()}.${unused.length > 0 ? ` Not used: ${unused.join(', ')}.` : ''}`);
  const names = { number: 'to', content: 'text' } as Readonly<Record<string, string>>;
  const places = FIELDS.filter((field) => placeOf(field) >= 0).map((field): [string, number] => [
    names[field] ?? field,
    placeOf(field),
  ]);
  return { places: new Map(places), rows: records };
}

const apiNames = (cells: readonly string[]) => cells.map((cell) => API_NAMES[cell.trim().toLowerCase()] ?? cell);

/** Returns the header with the chosen column as the only column of numbers. */
function withNumbersAt(path: string, cells: readonly string[], column: string): string[] {
  const same = (cell: string) => cell.trim().toLowerCase() === column.trim().toLowerCase();
  const found = cells.filter(same).length;
  if (found !== 1)
    throw new UsageError(
      `${path} has ${found === 0 ? 'no' : 'more than one'} column ${JSON.stringify(column)}. Its first line has the columns ${cells.map((cell) => JSON.stringify(cell.trim())).join(', ')}.`,
    );
  return apiNames(cells).map((name, at) => (same(cells[at]!) ? 'number' : name === 'number' ? '' : name));
}

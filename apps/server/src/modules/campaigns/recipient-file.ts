import { createHash } from 'node:crypto';
import { COLUMN_FIELDS, type ColumnField, MAX_COLUMNS } from '@heliograph/contract/campaigns/recipient-file';
import { MERGE_FIELDS, type MergeField } from '@heliograph/contract/kernel/merge-fields';
import { checkNumber, type NumberRules } from '@heliograph/contract/kernel/number-rules';
import type { TableRow } from '#platform/table/read-table';

/** By position what a column of a file holds. */
export type ColumnMapping = readonly (ColumnField | null)[];

/** What the first rows of a file tell of it. */
export interface FileHead {
  /** The header's names in lower case, or made ones where the first row is a recipient already. */
  columns: string[];
  /** The first recipients, as they stand. */
  preview: string[][];
  mapping: ColumnMapping;
  /** Files with the same header have the same key. */
  header_key: string;
}

/** How other programs call a column. */
const SYNONYMS: ReadonlyMap<string, ColumnField> = new Map(
  Object.entries({
    number:
      'msisdn,phone,phone number,phone_number,telephone,mobile,mobile number,mobile_number,cellphone,recipient,to',
    content: 'message,text,sms,body',
    name: 'full name,full_name,first name,first_name,firstname,customer',
  } satisfies Partial<Record<ColumnField, string>>).flatMap(([field, names]) =>
    names.split(',').map((name): [string, ColumnField] => [name, field as ColumnField]),
  ),
);
const FIELDS: ReadonlySet<string> = new Set(COLUMN_FIELDS);
const MAX_NAME = 100;

/** Reads the head of a file of recipients; null where no column holds phone numbers. */
export function readHead(rows: readonly TableRow[], rules: NumberRules, previewed: number): FileHead | null {
  const [first] = rows;
  if (!first) return null;
  const numbers = (cell: string | undefined) => mayBeNumber(cell, rules);
  // A recipient's row has a number in it; a row of names has none, but perhaps a year.
  const headless =
    first.cells.filter((cell) => cell.trim() !== '').length === 1
      ? numbers(first.cells[0])
      : first.cells.some((cell) => checkNumber(cell, rules).msisdn !== undefined);
  const rest = headless ? rows : rows.slice(1);
  const width = Math.min(MAX_COLUMNS, Math.max(...rows.map(({ cells }) => lastFilled(cells) + 1)));
  const columns = headless
    ? width === 1
      ? ['number']
      : Array.from({ length: width }, (_, at) => String(at + 1))
    : namesOf(first.cells, width);
  const known = columns.map((name) => (FIELDS.has(name) ? (name as ColumnField) : (SYNONYMS.get(name) ?? null)));
  const mapping = known.map((field, at) => (known.indexOf(field) === at ? field : null));
  if (!mapping.includes('number')) {
    const found = columns.findIndex(
      (_, at) => mapping[at] === null && rest.length > 0 && rest.every(({ cells }) => numbers(cells[at])),
    );
    if (found < 0) return null;
    mapping[found] = 'number';
  }
  const key = headless ? `${width} columns` : columns.join('\u001f');
  return {
    columns,
    preview: rest.slice(0, previewed).map(({ cells }) => cells.slice(0, width)),
    mapping,
    header_key: createHash('sha256').update(key).digest('hex'),
  };
}

export const namesOf = (cells: readonly string[], width: number): string[] =>
  Array.from({ length: width }, (_, at) => (cells[at] ?? '').trim().toLowerCase().slice(0, MAX_NAME));

/** What the names of columns say they hold. */
export const namesOfFields = (columns: readonly string[]): ColumnMapping =>
  columns.map((name) => (FIELDS.has(name) ? (name as ColumnField) : null));

function lastFilled(cells: readonly string[]): number {
  let last = cells.length - 1;
  while (last > 0 && cells[last]!.trim() === '') last--;
  return last;
}

/** Digits of the shortest number that a person writes down; what has fewer is a size or a year. */
const LEAST_DIGITS = 6;

/** Whether a cell looks like a phone number, be it one that the rules refuse. */
function mayBeNumber(cell: string | undefined, rules: NumberRules): boolean {
  const { fault } = checkNumber(cell ?? '', rules);
  return fault !== 'not_a_number' && fault !== 'empty' && cell!.replace(/\D/g, '').length >= LEAST_DIGITS;
}

/** Where in a row the number, the text and the values stand. */
export interface Places {
  number: number;
  /** -1 for none. */
  content: number;
  fields: readonly { field: MergeField; column: number }[];
}

/** Places by a mapping; of the values those alone that a text asks for, and the name. */
export function placesOf(mapping: ColumnMapping, wanted: readonly MergeField[]): Places {
  const used = new Set<string>(['name', ...wanted]);
  return {
    number: mapping.indexOf('number'),
    content: mapping.indexOf('content'),
    fields: MERGE_FIELDS.filter((field) => used.has(field) && mapping.includes(field)).map((field) => ({
      field,
      column: mapping.indexOf(field),
    })),
  };
}

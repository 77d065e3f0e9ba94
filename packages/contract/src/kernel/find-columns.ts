import { means } from './column-names.ts';
import { checkNumber, type NumberRules } from './number-rules.ts';

/** A column of a file and the field that it was read as; null for an ignored one. */
export interface FileColumn {
  name: string;
  field: string | null;
}

/** Fields of the columns of a file. */
export interface FoundColumns {
  /** Set if no column, or more than one, may hold the numbers; then all that may hold them have the field. */
  fault?: 'file_headers_invalid' | 'file_columns_ambiguous';
  /** True if the first row is a record, not a header. */
  headless: boolean;
  columns: FileColumn[];
}

/** Number of rows of a file that are checked. */
export const HEAD_ROWS = 25;
/** Maximum columns of a file that are checked. */
export const MAX_COLUMNS = 64;
const MAX_NAME = 100;
/** Minimum digits of a phone number that a person writes; a shorter number is a size or a year. */
const LEAST_DIGITS = 6;

/**
 * Finds the column of phone numbers and those of other fields in the first rows of a file. Exact names come first, then
 * other names for the same field; the numbers are then also found by the content of most cells. Two columns that match
 * equally well are a fault for the numbers, and are ignored for other fields.
 */
export function findColumns(
  rows: readonly (readonly string[])[],
  fields: readonly string[],
  rules: NumberRules,
): FoundColumns {
  const [first = []] = rows;
  const width = Math.min(MAX_COLUMNS, Math.max(0, ...rows.map(widthOf)));
  const places = Array.from({ length: width }, (_, at) => at);
  const names = places.map((at) => (first[at] ?? '').trim().slice(0, MAX_NAME));
  const headless = isRecord(first, rows, names, fields, rules);
  const rest = headless ? rows.slice() : rows.slice(1);
  const found: (string | null)[] = places.map(() => null);
  for (const field of headless ? [] : fields) {
    if (field === 'number') continue;
    const [place, more] = byName(field, names);
    if (place !== undefined && more === undefined) found[place] = field;
  }
  const numbers = numbersAmong(headless ? [] : names, found, rest, rules);
  for (const place of numbers) found[place] = 'number';
  const columns = places.map((at) => ({
    name: (headless ? width === 1 && 'number' : names[at]) || String(at + 1),
    field: found[at]!,
  }));
  if (numbers.length === 1) return { headless, columns };
  return { fault: numbers.length === 0 ? 'file_headers_invalid' : 'file_columns_ambiguous', headless, columns };
}

/** Returns whether the first row is a record: it has a phone number, or a possible one if no name is known. */
function isRecord(
  first: readonly string[],
  rows: readonly (readonly string[])[],
  names: readonly string[],
  fields: readonly string[],
  rules: NumberRules,
): boolean {
  if (first.some((cell) => isNumber(cell, rules))) return true;
  if (fields.some((field) => names.some((name) => means(name, field)))) return false;
  const [place, more] = byCells([...names.keys()], rows, rules);
  return place !== undefined && more === undefined && mayBeNumber(first[place] ?? '', rules);
}

/** Returns the columns with the field's exact name, else those with other names for it. */
function byName(field: string, names: readonly string[]): number[] {
  const places = [...names.keys()];
  const exact = places.filter((at) => names[at]!.toLowerCase() === field);
  return exact.length > 0 ? exact : places.filter((at) => means(names[at]!, field));
}

/**
 * Returns the columns that may hold the numbers and match equally well. `names` is empty without a header. If the names
 * do not decide, the cells of the columns without a field do.
 */
function numbersAmong(
  names: readonly string[],
  found: readonly (string | null)[],
  rest: readonly (readonly string[])[],
  rules: NumberRules,
): number[] {
  const named = byName('number', names);
  const [exact] = named;
  if (named.length === 1 && names[exact!]!.toLowerCase() === 'number') return named;
  // A name such as "numero" can also stand for the number of the row.
  const free = [...found.keys()].filter((at) => found[at] === null);
  const fitting = byCells(named.length > 0 ? named : free, rest, rules);
  if (fitting.length > 0) return fitting;
  const shown = (at: number) => rest.some((cells) => mayBeNumber(cells[at] ?? '', rules));
  if (named.length === 0 || named.some(shown)) return named;
  const others = byCells(free, rest, rules);
  return others.length > 0 ? others : named;
}

/** Returns the columns in which at least half of the cells are numbers by the rules, else look like one. */
function byCells(places: readonly number[], rows: readonly (readonly string[])[], rules: NumberRules): number[] {
  const filled = (at: number) => rows.filter((cells) => (cells[at] ?? '').trim() !== '').length;
  const most = (fits: typeof isNumber, outOf: (at: number) => number) =>
    places.filter(
      (at) => rows.filter((cells) => fits(cells[at] ?? '', rules)).length * 2 >= outOf(at) && filled(at) > 0,
    );
  for (const outOf of [() => rows.length, filled])
    for (const fits of [isNumber, mayBeNumber]) {
      const columns = most(fits, outOf);
      if (columns.length > 0) return columns;
    }
  return [];
}

const isNumber = (cell: string, rules: NumberRules) => checkNumber(cell, rules).msisdn !== undefined;

/** Returns whether a cell looks like a phone number, even if the rules refuse it. */
function mayBeNumber(cell: string, rules: NumberRules): boolean {
  const { fault } = checkNumber(cell, rules);
  return fault !== 'not_a_number' && fault !== 'empty' && cell.replace(/\D/g, '').length >= LEAST_DIGITS;
}

function widthOf(cells: readonly string[]): number {
  let width = cells.length;
  while (width > 0 && cells[width - 1]!.trim() === '') width--;
  return width;
}

import { means } from './column-names.ts';
import { checkNumber, type NumberRules } from './number-rules.ts';

/** A column of a file and the field that it was read as; null for one that was passed over. */
export interface FileColumn {
  name: string;
  field: string | null;
}

/** What the columns of a file hold. */
export interface FoundColumns {
  /** `fault` is set where no column, or more than one, may hold the numbers; all that may then have the field. */
  fault?: 'file_headers_invalid' | 'file_columns_ambiguous';
  /** The first row is a record and names nothing. */
  headless: boolean;
  columns: FileColumn[];
}

/** Rows of a file that are looked at. */
export const HEAD_ROWS = 25;
/** Most columns of a file that are looked at. */
export const MAX_COLUMNS = 64;
const MAX_NAME = 100;
/** Digits of the shortest number that a person writes down; what has fewer is a size or a year. */
const LEAST_DIGITS = 6;

/**
 * Finds the column of phone numbers and those of other fields by the first rows of a file: by their exact names, then by
 * other names for the same, then, for the numbers, by what most of the cells hold. Two columns that fit equally well are
 * a fault for the numbers, and are passed over for other fields.
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

/** Whether the first row is a record: it has a phone number, or what may be one where no name is known. */
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

/** Columns by the field's exact name, else by other names for it. */
function byName(field: string, names: readonly string[]): number[] {
  const places = [...names.keys()];
  const exact = places.filter((at) => names[at]!.toLowerCase() === field);
  return exact.length > 0 ? exact : places.filter((at) => means(names[at]!, field));
}

/** Columns that may hold the numbers, each as well as the others; of no header, or of columns without a field. */
function numbersAmong(
  names: readonly string[],
  found: readonly (string | null)[],
  rest: readonly (readonly string[])[],
  rules: NumberRules,
): number[] {
  const named = byName('number', names);
  const [exact] = named;
  if (named.length === 1 && names[exact!]!.toLowerCase() === 'number') return named;
  // A name such as "numero" may as well be that of a row's own number.
  const free = [...found.keys()].filter((at) => found[at] === null);
  const fitting = byCells(named.length > 0 ? named : free, rest, rules);
  if (fitting.length > 0) return fitting;
  const shown = (at: number) => rest.some((cells) => mayBeNumber(cells[at] ?? '', rules));
  if (named.length === 0 || named.some(shown)) return named;
  const others = byCells(free, rest, rules);
  return others.length > 0 ? others : named;
}

/** Columns in which at least half of the cells are numbers by the rules, else look like one. */
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

/** Whether a cell looks like a phone number, be it one that the rules refuse. */
function mayBeNumber(cell: string, rules: NumberRules): boolean {
  const { fault } = checkNumber(cell, rules);
  return fault !== 'not_a_number' && fault !== 'empty' && cell.replace(/\D/g, '').length >= LEAST_DIGITS;
}

function widthOf(cells: readonly string[]): number {
  let width = cells.length;
  while (width > 0 && cells[width - 1]!.trim() === '') width--;
  return width;
}

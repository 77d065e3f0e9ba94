import { type RawBuilder, sql } from 'kysely';
import { type AttrExp, type Filter, parse } from 'scim2-parse-filter';
import { isObject, type Json } from './scim-attributes.ts';
import { ScimError } from './scim-error.ts';

/** Maximum characters of a filter: its reading and its statement grow with it. */
const MOST_CHARACTERS = 1_000;

/** Way of comparing an attribute: texts without case, ids and names of the directory exactly. */
export type Column =
  | { as: 'text' | 'exact' | 'boolean' | 'time'; of: RawBuilder<unknown> }
  | { as: 'any'; has(value: string): RawBuilder<boolean>; some: RawBuilder<boolean> };
export type Columns = Readonly<Record<string, Column>>;

const wrong = (detail: string) => new ScimError(400, detail, 'invalidFilter');

/** Reads a filter of RFC 7644, section 3.4.2.2. Throws `invalidFilter`. */
export function readFilter(text: string): Filter {
  if (text.length > MOST_CHARACTERS) throw wrong(`The filter is longer than ${MOST_CHARACTERS} characters.`);
  try {
    return parse(text);
  } catch (error) {
    throw wrong(`The filter cannot be read: ${(error as Error).message}`);
  }
}

/** Makes the condition of a filter. Values are parameters of the statement; attributes that are not listed are refused. */
export function conditionOf(filter: Filter, columns: Columns, within = ''): RawBuilder<boolean> {
  switch (filter.op) {
    case 'and':
    case 'or': {
      const parts = filter.filters.map((each) => conditionOf(each, columns, within));
      return sql`(${sql.join(parts, filter.op === 'and' ? sql` AND ` : sql` OR `)})`;
    }
    case 'not':
      // An unknown value does not fit the inner filter, so it fits its negation.
      return sql`(${conditionOf(filter.filter, columns, within)}) IS NOT TRUE`;
    case '[]':
      return conditionOf(filter.valFilter, columns, `${within}${filter.attrPath}.`);
    default:
      return comparison(filter, columns, `${within}${filter.attrPath}`);
  }
}

function comparison(filter: AttrExp, columns: Columns, path: string): RawBuilder<boolean> {
  const column = columns[path.replace(/^urn:ietf:params:scim:schemas:core:2\.0:\w+:/i, '').toLowerCase()];
  if (!column) throw wrong(`The attribute ${path} cannot be filtered by.`);
  if (column.as === 'any') {
    if (filter.op === 'pr') return column.some;
    if (filter.op === 'eq' && typeof filter.compValue === 'string') return column.has(filter.compValue);
    throw wrong(`The attribute ${path} is compared by eq with a text, or by pr.`);
  }
  const { of } = column;
  if (filter.op === 'pr') return sql`${of} IS NOT NULL`;
  const { op, compValue: value } = filter;
  if (value === null && op === 'eq') return sql`${of} IS NULL`;
  if (value === null && op === 'ne') return sql`${of} IS NOT NULL`;
  if (column.as === 'boolean') {
    if (typeof value !== 'boolean' || (op !== 'eq' && op !== 'ne'))
      throw wrong(`The attribute ${path} is compared by eq or ne with true or false.`);
    return op === 'eq' ? sql`${of} = ${value}` : sql`${of} <> ${value}`;
  }
  if (typeof value !== 'string') throw wrong(`The attribute ${path} is compared with a text in quotes.`);
  if (column.as === 'time') {
    const at = new Date(value);
    if (Number.isNaN(at.getTime()))
      throw wrong(`The attribute ${path} is compared with a time such as 2026-01-31T08:00:00Z.`);
    return ordered(op, of, sql`${at.toISOString()}::timestamptz`, path);
  }
  const fold = (text: RawBuilder<unknown>) => (column.as === 'text' ? sql`lower(${text})` : text);
  const [left, right] = [fold(of), fold(sql`${value}::text`)];
  if (op === 'co') return sql`strpos(${left}, ${right}) > 0`;
  if (op === 'sw') return sql`starts_with(${left}, ${right})`;
  if (op === 'ew') return sql`right(${left}, length(${right})) = ${right}`;
  return ordered(op, left, right, path);
}

const ORDER = { eq: sql`=`, ne: sql`IS DISTINCT FROM`, gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` } as const;

function ordered(op: string, left: RawBuilder<unknown>, right: RawBuilder<unknown>, path: string): RawBuilder<boolean> {
  const sign = ORDER[op as keyof typeof ORDER];
  if (!sign) throw wrong(`The attribute ${path} is not compared by ${op}.`);
  return sql`${left} ${sign} ${right}`;
}

/** Tells if a value of a list fits a filter such as `type eq "work"`. Only its own parts are looked at. */
export function fits(filter: Filter, entry: unknown): boolean {
  if ('filters' in filter)
    return filter.op === 'and'
      ? filter.filters.every((each) => fits(each, entry))
      : filter.filters.some((each) => fits(each, entry));
  if (filter.op === 'not') return !fits(filter.filter, entry);
  if (filter.op === '[]') throw wrong('A filter of values has no filter within.');
  return agrees(filter, isObject(entry) ? partOf(entry, filter.attrPath) : undefined);
}

function agrees(filter: AttrExp, value: unknown): boolean {
  if (filter.op === 'pr') return value !== undefined;
  const [left, right] = [value, filter.compValue].map((each) => (typeof each === 'string' ? each.toLowerCase() : each));
  if (filter.op === 'eq') return left === right;
  if (filter.op === 'ne') return left !== right;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  if (filter.op === 'co') return left.includes(right);
  if (filter.op === 'sw') return left.startsWith(right);
  if (filter.op === 'ew') return left.endsWith(right);
  throw wrong(`Values of a list are not compared by ${filter.op}.`);
}

const partOf = (entry: Json, name: string): unknown =>
  Object.entries(entry).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];

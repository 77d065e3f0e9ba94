import { isColumnName, plainName } from '@heliograph/contract/kernel/column-names';
import type { TableRow } from './read-table.ts';

/** Maximum rows at the beginning of a file in which its headings are searched. */
export const LOOKED_AT = 20;

/** Names of columns in uploaded files of records. */
const OWN = new Set(
  'zone,prefix,charge,starts_on,ends_on,enabled,sender_id,locale,group,key,text,channel,mcc,mnc,mccmnc,price,rate,currency'
    .split(',')
    .map(plainName),
);

/** Whether a cell is a known name of a column. */
export const isHeading = (cell: string): boolean => isColumnName(cell) || OWN.has(plainName(cell.slice(0, 40)));

const NUMBER = /^[+(']?[\d\s().+-]{6,24}$/;
const DATE = /^(\d{4}[-./]\d\d?[-./]\d\d?|\d\d?[-./]\d\d?[-./]\d{4})$/;

/** Whether a cell may be a phone number, which no heading is. */
const isNumber = (cell: string): boolean => {
  const text = cell.trim();
  return NUMBER.test(text) && !DATE.test(text) && text.replace(/\D/g, '').length >= 6;
};

const known = ({ cells }: TableRow) => cells.filter(isHeading).length;
const filled = ({ cells }: TableRow) => cells.filter((cell) => cell.trim() !== '').length;
const holdsNumber = ({ cells }: TableRow) => cells.some(isNumber);

/** Whether the first rows of a sheet have known headings or phone numbers; a cover sheet has neither. */
export const holdsTable = (rows: readonly TableRow[]): boolean =>
  rows.some((row) => known(row) > 0 || holdsNumber(row));

/**
 * Finds the row with the headings among the first rows of a file, because titles and notes may come above it. It is the
 * first row with a known name, else the first that fills as many cells as the table has columns. Neither a row with a
 * phone number in it nor any row below holds headings.
 */
export function headerRow(rows: readonly TableRow[]): number {
  const first = rows.findIndex(({ hidden }) => !hidden);
  if (first < 0) return rows[0]?.line ?? 1;
  const seen = rows.filter(({ hidden }) => !hidden).slice(0, LOOKED_AT);
  const begun = seen.findIndex(holdsNumber);
  const above = begun < 0 ? seen : seen.slice(0, begun);
  if (above.length === 0) return seen[0]!.line;
  const named = above.find((row) => known(row) > 0);
  // A title of one word may by chance be the name of a column.
  const better = named && filled(named) === 1 ? above.find((row) => known(row) > 1) : undefined;
  if (named) return (better ?? named).line;
  const width = Math.max(...seen.map(filled));
  const jump = above.findIndex((row) => filled(row) >= Math.max(2, width * 0.6));
  // A heading row is followed by rows as wide as itself.
  const follows = jump >= 0 && seen.slice(jump + 1).some((row) => filled(row) >= 2);
  return (follows ? above[jump]! : seen[0]!).line;
}

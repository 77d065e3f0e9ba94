import { MERGE_FIELDS, type MergeField } from '@heliograph/contract/kernel/merge-fields';

/** Which cell of a row holds what. */
export interface TableColumns {
  number: number;
  fields: readonly { field: MergeField; column: number }[];
}

const KNOWN: ReadonlySet<string> = new Set(['number', ...MERGE_FIELDS]);

/**
 * Reads a header of `number`, `name` and `param1`…`param9` in any order and case. Null where a column is unknown or
 * named twice, or `number` is missing; nameless columns at the end, which spreadsheets leave behind, are passed over.
 */
export function parseHeader(cells: readonly string[]): TableColumns | null {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  while (names.at(-1) === '') names.pop();
  if (names.some((name) => !KNOWN.has(name)) || new Set(names).size < names.length) return null;
  const number = names.indexOf('number');
  if (number < 0) return null;
  const fields = MERGE_FIELDS.map((field) => ({ field, column: names.indexOf(field) }));
  return { number, fields: fields.filter(({ column }) => column >= 0) };
}

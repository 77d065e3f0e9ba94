import { createHash } from 'node:crypto';
import { COLUMN_FIELDS, type ColumnField } from '@heliograph/contract/campaigns/recipient-file';
import { findColumns } from '@heliograph/contract/kernel/find-columns';
import { MERGE_FIELDS, type MergeField } from '@heliograph/contract/kernel/merge-fields';
import type { NumberRules } from '@heliograph/contract/kernel/number-rules';
import type { TableRow } from '#platform/table/read-table';

/** Field that each column of a file holds, by position. */
export type ColumnMapping = readonly (ColumnField | null)[];

/** Description of a file, made from its first rows. */
export interface FileHead {
  /** Header names in lower case, or generated names if the first row is already a recipient. */
  columns: string[];
  /** First recipients, as they are in the file. */
  preview: string[][];
  mapping: ColumnMapping;
  /** Equal for files with the same header. */
  header_key: string;
}

const FIELDS: ReadonlySet<string> = new Set(COLUMN_FIELDS);
const MAX_NAME = 100;

/**
 * Reads the head of a file of recipients. Returns null if no column holds phone numbers. If several columns could, the
 * mapping names none and the user chooses.
 */
export function readHead(rows: readonly TableRow[], rules: NumberRules, previewed: number): FileHead | null {
  const cells = rows.map((row) => row.cells);
  const { columns: found, headless, fault } = findColumns(cells, COLUMN_FIELDS, rules);
  if (fault === 'file_headers_invalid') return null;
  const width = found.length;
  const columns = headless ? found.map(({ name }) => name) : namesOf(cells[0]!, width);
  const key = headless ? `${width} columns` : columns.join('\u001f');
  return {
    columns,
    preview: cells.slice(headless ? 0 : 1, previewed + (headless ? 0 : 1)).map((row) => row.slice(0, width)),
    mapping: found.map(({ field }) => (fault && field === 'number' ? null : (field as ColumnField | null))),
    header_key: createHash('sha256').update(key).digest('hex'),
  };
}

export const namesOf = (cells: readonly string[], width: number): string[] =>
  Array.from({ length: width }, (_, at) => (cells[at] ?? '').trim().toLowerCase().slice(0, MAX_NAME));

/** Maps columns by their names. */
export const namesOfFields = (columns: readonly string[]): ColumnMapping =>
  columns.map((name) => (FIELDS.has(name) ? (name as ColumnField) : null));

/** Positions of the number, the text and the values in a row. */
export interface Places {
  number: number;
  /** Position of the text; -1 for none. */
  content: number;
  fields: readonly { field: MergeField; column: number }[];
}

/** Returns the positions by a mapping. Of the values, only the name and those that a text needs are included. */
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

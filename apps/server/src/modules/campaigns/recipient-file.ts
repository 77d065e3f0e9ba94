import { createHash } from 'node:crypto';
import { COLUMN_FIELDS, type ColumnField } from '@heliograph/contract/campaigns/recipient-file';
import { findColumns } from '@heliograph/contract/kernel/find-columns';
import { MERGE_FIELDS, type MergeField } from '@heliograph/contract/kernel/merge-fields';
import type { NumberRules } from '@heliograph/contract/kernel/number-rules';
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

const FIELDS: ReadonlySet<string> = new Set(COLUMN_FIELDS);
const MAX_NAME = 100;

/**
 * Reads the head of a file of recipients; null where no column holds phone numbers. Where several may, the mapping has
 * none of them: the person chooses.
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

/** What the names of columns say they hold. */
export const namesOfFields = (columns: readonly string[]): ColumnMapping =>
  columns.map((name) => (FIELDS.has(name) ? (name as ColumnField) : null));

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

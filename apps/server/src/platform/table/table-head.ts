import { type FoundColumns, findColumns, HEAD_ROWS } from '@heliograph/contract/kernel/find-columns';
import type { NumberRules } from '@heliograph/contract/kernel/number-rules';
import type { TableBatch, TableRow } from './read-table.ts';

/** Regroups batches: the first one has enough rows to find the columns by, if the file has as many. */
export async function* withHead(batches: AsyncIterable<TableBatch>): AsyncGenerator<TableBatch> {
  let head: TableBatch | null = { rows: [], bytes_read: 0 };
  for await (const batch of batches) {
    if (!head) {
      yield batch;
      continue;
    }
    head = { rows: [...head.rows, ...batch.rows], bytes_read: batch.bytes_read };
    if (head.rows.length < HEAD_ROWS) continue;
    yield head;
    head = null;
  }
  if (head && head.rows.length > 0) yield head;
}

/** Columns of a file by what they hold, and its records: the rows without the one that names the columns. */
export interface TableHead extends FoundColumns {
  records: TableRow[];
  /** Place of a field; -1 if no column holds it. */
  placeOf: (field: string) => number;
}

/** Finds the columns by the first rows that the sheet does not hide. */
export function readHead(rows: readonly TableRow[], fields: readonly string[], rules: NumberRules): TableHead {
  const shown = rows.filter(({ hidden }) => !hidden).slice(0, HEAD_ROWS);
  const found = findColumns(
    shown.map(({ cells }) => cells),
    fields,
    rules,
  );
  return {
    ...found,
    records: rows.filter((row) => found.headless || row !== shown[0]),
    placeOf: (field) => found.columns.findIndex((column) => column.field === field),
  };
}

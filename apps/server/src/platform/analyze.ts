import { type Queryable, rowsOf } from './queryable.ts';

/**
 * A table that jobs load in bulk. Autovacuum visits it once a minute at best. Until then plans are made from what the
 * table was before, and a join that fits ten rows takes hours with 30,000.
 */
export type BulkTable =
  | 'card_upload_row'
  | 'rate'
  | 'rate_history'
  | 'number_list_number'
  | 'blacklist_number'
  | 'opt_out';

/** Fewer new rows leave the plans as they are. */
const WORTH_IT = 1_000;

/** Renews the statistics of tables; call it outside a transaction, so that nobody waits for its locks. */
export async function analyze(db: Queryable, ...tables: BulkTable[]): Promise<void> {
  await rowsOf(db, `ANALYZE ${tables.join(', ')}`);
}

/** Renews the statistics of a table after `rows` rows were added to it or removed from it. */
export async function analyzeAfter(db: Queryable, rows: number, table: BulkTable): Promise<void> {
  if (rows >= WORTH_IT) await analyze(db, table);
}

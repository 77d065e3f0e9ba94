import { type Queryable, rowsOf } from './queryable.ts';

/**
 * Tables that jobs load in bulk. Autovacuum visits a table once a minute at best. Until then queries are planned by its
 * old contents, and a join that is right for ten rows takes hours with 30,000.
 */
export type BulkTable =
  | 'card_upload_row'
  | 'rate'
  | 'rate_history'
  | 'number_list_number'
  | 'blacklist_number'
  | 'opt_out'
  | 'carrier_rate'
  | 'contact';

/** Minimum number of new rows for new statistics; fewer do not change the plans. */
const WORTH_IT = 1_000;

/** Renews the statistics of tables; call it outside a transaction, so that nobody waits for its locks. */
export async function analyze(db: Queryable, ...tables: BulkTable[]): Promise<void> {
  await rowsOf(db, `ANALYZE ${tables.join(', ')}`);
}

/** Renews the statistics of a table after `rows` rows were added to it or removed from it. */
export async function analyzeAfter(db: Queryable, rows: number, table: BulkTable): Promise<void> {
  if (rows >= WORTH_IT) await analyze(db, table);
}

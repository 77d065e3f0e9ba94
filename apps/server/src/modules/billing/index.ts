export { pay, postTransfers, release, reserve, type Settlement, type Transfer } from './ledger.ts';
export { type PriceOf, priceLookup } from './price.ts';
export { type Difference, reconcile } from './reconcile.ts';
export type { Db, Sql } from './sql.ts';

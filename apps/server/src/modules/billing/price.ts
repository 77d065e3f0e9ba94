import { BusinessError } from '#platform/errors';
import { type Db, rowsOf } from './sql.ts';

/** The price of one part to a number, in thousandths of the account's currency. */
export type PriceOf = (msisdn: string) => number;

/** The prices of an account's plan, read once and then answered from memory. Throws `billing_account_missing`. */
export async function priceLookup(db: Db, billing_account_id: number): Promise<PriceOf> {
  const [plan] = await rowsOf<{ default_charge: number }>(
    db,
    `SELECT p.default_charge FROM billing_account b JOIN price_plan p ON p.id = b.price_plan_id WHERE b.id = $1`,
    [billing_account_id],
  );
  if (!plan) throw new BusinessError('billing_account_missing');
  const { default_charge } = plan;
  return () => default_charge;
}

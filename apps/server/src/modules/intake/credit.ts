import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import { type Facts, lockAccounts } from './read-facts.ts';
import type { Entry } from './write-units.ts';

/** Returns the prices of an entry that is not a test. */
export const pricesOf = ({ prices }: Facts) => {
  if (prices instanceof BusinessError) throw prices;
  return prices;
};

/**
 * Finds the entries that the customer's or the reseller's credit does not cover. Messages are checked in their order,
 * so those that can be paid are sent. The accounts stay locked until the transaction ends.
 */
export async function beyondCredit(
  db: Kysely<Database>,
  entries: readonly Entry[],
): Promise<Map<Entry, BusinessError>> {
  const paying = entries.filter(({ program }) => !program.is_test);
  const ids = new Set<number>();
  for (const { program, judged } of paying) {
    ids.add(program.billing_account_id);
    const { reseller } = pricesOf(judged.facts).pricing;
    if (reseller) ids.add(reseller.billing_account_id);
  }
  const accounts = await lockAccounts(db, [...ids]);
  const refused = new Map<Entry, BusinessError>();
  for (const entry of paying) {
    const { parts, unit_price, reseller_unit_price, facts } = entry.judged;
    const own = accounts.get(entry.program.billing_account_id);
    const { reseller } = pricesOf(facts).pricing;
    const theirs = reseller ? accounts.get(reseller.billing_account_id) : undefined;
    const theirCost = parts * (reseller_unit_price ?? 0);
    if (!own) refused.set(entry, new BusinessError('billing_account_missing'));
    else if (!own.usable) refused.set(entry, new BusinessError('billing_account_suspended'));
    else if (parts * unit_price > own.available) refused.set(entry, new BusinessError('insufficient_credit'));
    else if (reseller && !(theirs?.usable && theirCost <= theirs.available))
      refused.set(entry, new BusinessError('reseller_account_unavailable'));
    else {
      own.available -= parts * unit_price;
      if (theirs) theirs.available -= theirCost;
    }
  }
  return refused;
}

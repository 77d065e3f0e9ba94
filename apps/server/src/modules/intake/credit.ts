import type { Kysely } from 'kysely';
import { type Counted, OpenLimits } from '#modules/policy';
import type { Database } from '#platform/database/db';
import type { Queryable } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import type { OperatorRules } from './operator-rules.ts';
import { type Facts, type Funds, lockAccounts } from './read-facts.ts';
import type { Entry } from './write-units.ts';

/** Returns the prices of an entry that is not a test. */
export const pricesOf = ({ prices }: Facts) => {
  if (prices instanceof BusinessError) throw prices;
  return prices;
};

/** Returns an entry as sending limits count it. */
const countedOf = ({ program, judged }: Entry): Counted => ({
  corporation_id: program.corporation_id,
  user_id: program.user_id,
  api_key_id: program.api_key_id,
  sender_id_id: judged.sender_id_id,
  class: judged.submission.class,
  msisdn: judged.msisdn,
  messages: 1,
  cost: judged.parts * judged.unit_price,
});

/**
 * Opens the sending limits of the corporations that have some; null if none of them has. Test messages do not count.
 */
export async function openLimits(
  db: Kysely<Database>,
  entries: readonly Entry[],
  { limited }: OperatorRules,
  now: Date,
): Promise<OpenLimits | null> {
  const counted = entries.filter(({ program }) => limited.has(program.corporation_id) && !program.is_test);
  return counted.length === 0 ? null : OpenLimits.of(db, counted.map(countedOf), now);
}

/** Returns the accounts that pay for entries: the customers' and their resellers'. */
export function payersOf(entries: readonly Entry[]): Set<number> {
  const ids = new Set<number>();
  for (const { program, judged } of entries) {
    if (program.is_test) continue;
    ids.add(program.billing_account_id);
    const { reseller } = pricesOf(judged.facts).pricing;
    if (reseller) ids.add(reseller.billing_account_id);
  }
  return ids;
}

/**
 * Finds the entries that a sending limit refuses, or that the customer's or the reseller's credit does not cover.
 * Messages are checked in their order, so those that can be paid are sent. The accounts stay locked until the transaction ends.
 */
export async function beyondCredit(
  db: Queryable,
  entries: readonly Entry[],
  limits: OpenLimits | null,
): Promise<Map<Entry, BusinessError>> {
  return takeFunds(entries, await lockAccounts(db, payersOf(entries)), limits);
}

/** Tells if a message waits until overdue amounts are paid. One-time codes and transactional ones are held last. */
const isHeld = ({ hold }: Funds, { judged }: Entry) =>
  hold === 'all' || (hold === 'bulk' && judged.submission.class === 'bulk');

/** Takes the cost of entries from funds, in their order, and returns those that are refused. */
export function takeFunds(
  entries: readonly Entry[],
  accounts: ReadonlyMap<number, Funds>,
  limits: OpenLimits | null,
): Map<Entry, BusinessError> {
  const paying = entries.filter(({ program }) => !program.is_test);
  const refused = new Map<Entry, BusinessError>();
  for (const entry of paying) {
    const { parts, unit_price, reseller_unit_price, facts } = entry.judged;
    const own = accounts.get(entry.program.billing_account_id);
    const { reseller } = pricesOf(facts).pricing;
    const theirs = reseller ? accounts.get(reseller.billing_account_id) : undefined;
    const theirCost = parts * (reseller_unit_price ?? 0);
    if (!own) refused.set(entry, new BusinessError('billing_account_missing'));
    else if (!own.usable) refused.set(entry, new BusinessError('billing_account_suspended'));
    else if (isHeld(own, entry)) refused.set(entry, new BusinessError('billing_account_held'));
    else if (parts * unit_price > own.available) refused.set(entry, new BusinessError('insufficient_credit'));
    else if (reseller && !(theirs?.usable && !isHeld(theirs, entry) && theirCost <= theirs.available))
      refused.set(entry, new BusinessError('reseller_account_unavailable'));
    else {
      const above = limits?.take(countedOf(entry));
      if (above) {
        refused.set(entry, above);
        continue;
      }
      own.available -= parts * unit_price;
      if (theirs) theirs.available -= theirCost;
    }
  }
  return refused;
}

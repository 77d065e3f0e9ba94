import { discounted } from '@heliograph/contract/billing/promotion';
import { PrefixTree } from '#platform/structures/prefix-tree';
import { type Db, rowsOf } from './sql.ts';

/** Promotion as prices use it. */
export interface Promotion {
  id: number;
  name: string;
  /** Hundredths of a percent off, or null. */
  percent: number | null;
  /** Thousandths for a part, or null. */
  price: number | null;
  ends_on: string;
  fits(msisdn: string): boolean;
}

/** Maximum promotions in memory. They never change, so they are dropped only to make room. */
const MOST = 1_000;
const known = new Map<number, Promotion>();

const TERMS = 'SELECT id, name, percent, price, prefixes, ends_on::text FROM promotion_terms($1)';

/** Returns promotions by their ids, from memory where they are known. */
export async function promotionsOf(db: Db, ids: readonly number[] | undefined): Promise<Promotion[]> {
  if (!ids || ids.length === 0) return [];
  const missing = ids.filter((id) => !known.has(id));
  if (missing.length > 0) {
    type Terms = Omit<Promotion, 'fits'> & { prefixes: string[] };
    for (const { prefixes, ...terms } of await rowsOf<Terms>(db, TERMS, [missing])) {
      const tree =
        prefixes.length > 0
          ? new PrefixTree(
              prefixes,
              prefixes.map(() => 0),
            )
          : null;
      known.set(terms.id, { ...terms, fits: (msisdn) => tree === null || tree.find(msisdn) !== undefined });
    }
  }
  const found = ids.map((id) => known.get(id)!);
  for (const oldest of known.keys()) {
    if (known.size <= MOST) break;
    known.delete(oldest);
  }
  return found;
}

/**
 * Returns the price of a part to a number with the promotion that gives it: of those that fit, the one with the lowest
 * price, and of equal ones the first. Null if none makes it cheaper.
 */
export function promoted(
  promotions: readonly Promotion[],
  msisdn: string,
  charge: number,
): { promotion: Promotion; charge: number } | null {
  let best: { promotion: Promotion; charge: number } | null = null;
  for (const promotion of promotions) {
    if (!promotion.fits(msisdn)) continue;
    const price = discounted(promotion, charge);
    if (price < (best?.charge ?? charge)) best = { promotion, charge: price };
  }
  return best;
}

import { PrefixTree } from '#platform/structures/prefix-tree';
import type { CardPricing, PriceOf } from './price.ts';
import { type Db, rowsOf } from './sql.ts';

/** Maximum prefixes kept in memory over all cards: some 60 bytes each. */
const MOST_PREFIXES = 1_000_000;

// A version of a card never changes, so cached cards are always correct. They are dropped only to make room.
const cards = new Map<string, { priceOf: PriceOf; size: number }>();
let prefixes = 0;

const CARD = `
SELECT p.default_charge, r.prefixes, r.charges
FROM card_plan($1, $2) p CROSS JOIN card_rates($1, $2, $3, $4) r`;

/** Returns the prices of a card at a version, for a zone and a day. */
export async function cardOf(db: Db, { price_plan_id, version, rate_zone_id, on }: CardPricing): Promise<PriceOf> {
  const key = `${price_plan_id}/${version}/${rate_zone_id ?? ''}/${on}`;
  const known = cards.get(key);
  if (known) {
    cards.delete(key);
    cards.set(key, known);
    return known.priceOf;
  }
  const [card] = await rowsOf<{ default_charge: number; prefixes: string[]; charges: number[] }>(db, CARD, [
    price_plan_id,
    version,
    rate_zone_id,
    on,
  ]);
  if (!card) throw new Error(`no card of plan ${price_plan_id} at version ${version}`);
  const tree = new PrefixTree(card.prefixes, card.charges);
  const { default_charge } = card;
  const priceOf: PriceOf = (msisdn) => tree.find(msisdn) ?? default_charge;
  keep(key, { priceOf, size: tree.size + 1 });
  return priceOf;
}

function keep(key: string, card: { priceOf: PriceOf; size: number }): void {
  prefixes += card.size - (cards.get(key)?.size ?? 0);
  cards.set(key, card);
  for (const [oldest, { size }] of cards) {
    if (prefixes <= MOST_PREFIXES || oldest === key) break;
    cards.delete(oldest);
    prefixes -= size;
  }
}

import { ZONE_NAMES } from '@heliograph/contract/billing/rate-zone';
import { systemClock } from '#platform/clock';
import { BusinessError } from '#platform/errors';
import { dateIn } from '#platform/records/period';
import { cardOf } from './card-cache.ts';
import { promoted, promotionsOf } from './promoted-prices.ts';
import { type Db, rowsOf } from './sql.ts';

/** Returns the price of one part to a number (digits only), in thousandths of the account's currency. */
export type PriceOf = (msisdn: string) => number;

/** Source of prices. With it the same prices are found again, even if the plan changes. */
export interface CardPricing {
  price_plan_id: number;
  /** Version of the plan's card. */
  version: number;
  /** Null if the zone was disabled, so that the default charge applied to every number. */
  rate_zone_id: number | null;
  rate_zone_name: string;
  /** Day of the rates, in the account's time zone. */
  on: string;
  /** Promotions that applied; missing without any. */
  promotion_ids?: number[];
}

/** Source of prices for an account and, if its corporation has one, for the reseller that pays for its traffic. */
export interface Pricing extends CardPricing {
  reseller: (CardPricing & { billing_account_id: number; corporation_id: number; charge_on_delivery: boolean }) | null;
}

/** Prices for an account's traffic, read once and then served from memory. */
export interface Prices {
  pricing: Pricing;
  priceOf: PriceOf;
  /** Price of a part for the reseller; null without a reseller. */
  resellerPriceOf: PriceOf | null;
}

interface Payer {
  billing_account_id: number | null;
  corporation_id: number;
  is_reseller: boolean;
  timezone: string;
  charge_on_delivery: boolean;
  price_plan_id: number;
  version: number;
  plan_enabled: boolean;
  starts_on: string | null;
  expires_on: string | null;
  promotion_ids: number[] | null;
  rate_zone_id: number;
  rate_zone_name: string;
  zone_enabled: boolean;
}

const PAYERS = `
SELECT a.*, z.id AS rate_zone_id, z.name AS rate_zone_name, z.enabled AS zone_enabled,
  promotions_at(a.price_plan_id, a.corporation_id, $4) AS promotion_ids
FROM paying_accounts($1) a CROSS JOIN rate_zone z
WHERE CASE WHEN $3::bigint IS NULL THEN z.built_in AND z.name = $2 ELSE z.id = $3 END`;

const PLAN = `
SELECT p.version, z.id AS zone_id, z.enabled FROM price_plan p JOIN rate_zone z ON z.built_in AND z.name = $2 WHERE p.id = $1`;

const PAYERS_OF_MANY = `
SELECT a.*, z.id AS rate_zone_id, z.name AS rate_zone_name, z.enabled AS zone_enabled,
  promotions_at(a.price_plan_id, a.corporation_id, $3) AS promotion_ids
FROM paying_accounts_of($1) a CROSS JOIN rate_zone z WHERE z.built_in AND z.name = $2`;

/**
 * Returns the prices of an account's plan and of its reseller's, as they are at `at`, or with `recorded` as they were
 * then. The version of the card is read in the caller's transaction, so no price is older than the last committed
 * change. Throws `billing_account_missing`, `price_plan_not_in_force`, `reseller_account_unavailable`.
 */
export async function priceLookup(
  db: Db,
  billing_account_id: number,
  options: { zone?: keyof typeof ZONE_NAMES; at?: Date; recorded?: Pricing | null } = {},
): Promise<Prices> {
  const pricing =
    options.recorded ??
    (await pricingNow(db, billing_account_id, ZONE_NAMES[options.zone ?? 'web'], options.at ?? systemClock.now()));
  return {
    pricing,
    priceOf: await promotedCard(db, pricing),
    resellerPriceOf: pricing.reseller && (await promotedCard(db, pricing.reseller)),
  };
}

/** Returns the prices of a card with its promotions. */
async function promotedCard(db: Db, pricing: CardPricing): Promise<PriceOf> {
  const priceOf = await cardOf(db, pricing);
  const promotions = await promotionsOf(db, pricing.promotion_ids);
  if (promotions.length === 0) return priceOf;
  return (msisdn) => {
    const charge = priceOf(msisdn);
    return promoted(promotions, msisdn, charge)?.charge ?? charge;
  };
}

/** Returns the prices of several accounts. An account without prices now gets its error instead. */
export async function priceLookups(
  db: Db,
  billing_account_ids: readonly number[],
  options: { zone: keyof typeof ZONE_NAMES; at: Date },
): Promise<Map<number, Prices | BusinessError>> {
  const values = [[...billing_account_ids], ZONE_NAMES[options.zone], options.at.toISOString()];
  const rows = await rowsOf<Payer & { asked: number }>(db, PAYERS_OF_MANY, values);
  const byAccount = Map.groupBy(rows, ({ asked }) => asked);
  const found = new Map<number, Prices | BusinessError>();
  for (const id of billing_account_ids) {
    try {
      const recorded = pricingFrom(byAccount.get(id) ?? [], options.at);
      found.set(id, await priceLookup(db, id, { recorded }));
    } catch (error) {
      if (!(error instanceof BusinessError)) throw error;
      found.set(id, error);
    }
  }
  return found;
}

/** Returns the prices of a plan in a zone as they are at `at`, in the day of UTC; null if the plan is gone. */
export async function planPrices(
  db: Db,
  price_plan_id: number,
  zone: keyof typeof ZONE_NAMES,
  at: Date,
): Promise<PriceOf | null> {
  const [row] = await rowsOf<{ version: number; zone_id: number; enabled: boolean }>(db, PLAN, [
    price_plan_id,
    ZONE_NAMES[zone],
  ]);
  if (!row) return null;
  const { version, zone_id, enabled } = row;
  const rate_zone_id = enabled ? zone_id : null;
  return cardOf(db, { price_plan_id, version, rate_zone_id, rate_zone_name: ZONE_NAMES[zone], on: dateIn('UTC', at) });
}

async function pricingNow(db: Db, billing_account_id: number, zone: string, at: Date): Promise<Pricing> {
  return pricingFrom(await rowsOf<Payer>(db, PAYERS, [billing_account_id, zone, null, at.toISOString()]), at);
}

function pricingFrom(payers: readonly Payer[], at: Date): Pricing {
  const card = ownCard(payers, at);
  const reseller = payers.find((payer) => payer.is_reseller);
  if (!reseller) return { ...card, reseller: null };
  const theirs = reseller.billing_account_id !== null && cardPricing(reseller, at);
  if (!theirs) throw new BusinessError('reseller_account_unavailable');
  return {
    ...card,
    reseller: {
      ...theirs,
      billing_account_id: reseller.billing_account_id!,
      corporation_id: reseller.corporation_id,
      charge_on_delivery: reseller.charge_on_delivery,
    },
  };
}

/**
 * Returns the source of an account's prices at `at` in a zone, by default the console's. Throws
 * `billing_account_missing` and `price_plan_not_in_force`.
 */
export async function pricingOf(
  db: Db,
  billing_account_id: number,
  { rate_zone_id, at }: { rate_zone_id: number | undefined; at: Date },
): Promise<CardPricing> {
  return ownCard(
    await rowsOf<Payer>(db, PAYERS, [billing_account_id, ZONE_NAMES.web, rate_zone_id ?? null, at.toISOString()]),
    at,
  );
}

function ownCard(payers: readonly Payer[], at: Date): CardPricing {
  const own = payers.find((payer) => !payer.is_reseller);
  if (!own) throw new BusinessError('billing_account_missing');
  const card = cardPricing(own, at);
  if (!card) throw new BusinessError('price_plan_not_in_force');
  return card;
}

/**
 * Returns the source of an account's prices on the day of its own calendar, or null if its plan is not in force then.
 */
function cardPricing(payer: Payer, at: Date): CardPricing | null {
  const on = dateIn(payer.timezone, at);
  const { plan_enabled, starts_on, expires_on } = payer;
  if (!plan_enabled || (starts_on !== null && on < starts_on) || (expires_on !== null && on > expires_on)) return null;
  return {
    price_plan_id: payer.price_plan_id,
    version: payer.version,
    rate_zone_id: payer.zone_enabled ? payer.rate_zone_id : null,
    rate_zone_name: payer.rate_zone_name,
    on,
    ...(payer.promotion_ids && { promotion_ids: payer.promotion_ids }),
  };
}

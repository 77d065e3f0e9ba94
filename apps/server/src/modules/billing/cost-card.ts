import { type Margin, priceByRule } from '@heliograph/contract/billing/margin-rule';
import { BusinessError } from '#platform/errors';
import { type Db, rowsOf } from './sql.ts';

/** Cost of a part by zone, prefix and days, in thousandths of the seller's currency. */
export interface CostRate {
  rate_zone_id: number;
  prefix: string;
  cost: number;
  starts_on: string;
  ends_on: string | null;
}

/** Everything that a seller pays for parts. */
export interface CostCard {
  name: string;
  /** Identity of the cost: the same key means the same card. */
  key: string;
  /** Plan and version of the cost; null for costs of a carrier. */
  source_plan_id: number | null;
  source_version: number | null;
  /** Cost of a number without a rate; null if it is not known. */
  default_cost: number | null;
  rates: CostRate[];
}

/** Plan whose card follows a cost. */
export interface FollowingPlan {
  id: number;
  corporation_id: number | null;
}

// A reseller's traffic is paid from its first enabled account, as in paying_accounts().
const BOUGHT = `
SELECT p.id, p.name, p.version, p.default_charge, c.currency
FROM billing_account b JOIN price_plan p ON p.id = b.price_plan_id JOIN corporation c ON c.id = b.corporation_id
WHERE b.id = (SELECT min(a.id) FROM billing_account a WHERE a.corporation_id = $1 AND a.enabled)`;

const OTHER_CURRENCY = `
SELECT FROM billing_account b JOIN corporation c ON c.id = b.corporation_id
WHERE b.price_plan_id = $1 AND c.currency <> $2 LIMIT 1`;

const COSTS = `
SELECT rate_zone_id, prefix, charge AS cost, starts_on, ends_on FROM rate
WHERE price_plan_id = $1 AND enabled AND (ends_on IS NULL OR ends_on >= current_date - 1)
ORDER BY rate_zone_id, prefix, starts_on`;

interface Bought {
  id: number;
  name: string;
  version: number;
  default_charge: number;
  currency: string;
}

/** Returns the plan that a reseller buys on, without its rates; null if it has no account. */
export async function boughtPlan(db: Db, reseller: number): Promise<Bought | null> {
  const [bought] = await rowsOf<Bought>(db, BOUGHT, [reseller]);
  return bought ?? null;
}

/** Tells if an account of a plan is in another currency than the cost of the plan. */
export const hasOtherCurrency = async (db: Db, planId: number, currency: string): Promise<boolean> =>
  (await rowsOf(db, OTHER_CURRENCY, [planId, currency])).length > 0;

/** Returns the identity of a plan as a cost. */
export const keyOfPlan = ({ id, version }: Pick<Bought, 'id' | 'version'>): string => `plan ${id} version ${version}`;

/**
 * Returns what a reseller pays for parts. Throws `margin_no_cost` if it buys on no plan, or on this one, and
 * `margin_currency` if accounts of the plan are in another currency than the cost.
 */
export async function costOfReseller(db: Db, plan: FollowingPlan): Promise<CostCard> {
  const bought = plan.corporation_id === null ? null : await boughtPlan(db, plan.corporation_id);
  if (!bought || bought.id === plan.id) throw new BusinessError('margin_no_cost');
  if (await hasOtherCurrency(db, plan.id, bought.currency))
    throw new BusinessError('margin_currency', { params: { currency: bought.currency } });
  return {
    name: bought.name,
    key: keyOfPlan(bought),
    source_plan_id: bought.id,
    source_version: bought.version,
    default_cost: bought.default_charge,
    rates: await rowsOf<CostRate>(db, COSTS, [bought.id]),
  };
}

/** Present rate of a plan. */
interface PresentRate {
  rate_zone_id: number;
  prefix: string;
  charge: number;
  starts_on: string;
}

const PRESENT = 'SELECT rate_zone_id, prefix, charge, starts_on FROM rate WHERE price_plan_id = $1 AND enabled';
const PLAN = 'SELECT default_charge, version FROM price_plan WHERE id = $1';
/** Lock of a card, as in apply-card.ts. */
const LOCK = 'SELECT FROM price_plan WHERE id = $1 FOR NO KEY UPDATE';

/** Rate of a new card beside the present one. */
export interface PricedRate extends CostRate {
  price: number;
  present: number | null;
}

/** Card that a rule makes from a cost, compared with the present card of the plan. */
export interface PricedCard {
  cost: CostCard;
  rates: PricedRate[];
  default_price: number;
  default_present: number;
  /** Number of present rates that end. */
  ended: number;
}

const keyOf = ({ rate_zone_id, prefix, starts_on }: Pick<CostRate, 'rate_zone_id' | 'prefix' | 'starts_on'>) =>
  `${rate_zone_id} ${prefix} ${starts_on}`;

/** Calculates the card of a plan by a rule. A default charge without a known cost stays as it is. */
export async function priceCard(db: Db, planId: number, margin: Margin, cost: CostCard): Promise<PricedCard> {
  const [plan] = await rowsOf<{ default_charge: number }>(db, PLAN, [planId]);
  if (!plan) throw new BusinessError('not_found');
  const before = await rowsOf<PresentRate>(db, PRESENT, [planId]);
  const present = new Map(before.map((rate) => [keyOf(rate), rate.charge]));
  const rates = cost.rates.map((rate) => ({
    ...rate,
    price: priceByRule(margin, rate.cost),
    present: present.get(keyOf(rate)) ?? null,
  }));
  const kept = rates.filter((rate) => rate.present !== null).length;
  return {
    cost,
    rates,
    default_price: cost.default_cost === null ? plan.default_charge : priceByRule(margin, cost.default_cost),
    default_present: plan.default_charge,
    ended: before.length - kept,
  };
}

/** Counts the prices of a card that are above and below the present ones, with the default charge. */
export function changesOf({ rates, default_price, default_present }: PricedCard): { dearer: number; cheaper: number } {
  const pairs = [...rates, { price: default_price, present: default_present }];
  return {
    dearer: pairs.filter(({ price, present }) => present !== null && price > present).length,
    cheaper: pairs.filter(({ price, present }) => present !== null && price < present).length,
  };
}

const GIVEN = `
WITH given AS (SELECT * FROM unnest($2::bigint[], $3::text[], $4::bigint[], $5::date[], $6::date[])
  AS g (rate_zone_id, prefix, charge, starts_on, ends_on))`;
const REMOVE = `${GIVEN}
DELETE FROM rate r WHERE r.price_plan_id = $1 AND NOT EXISTS (SELECT FROM given g WHERE g.rate_zone_id = r.rate_zone_id
  AND g.prefix = r.prefix AND g.starts_on = r.starts_on)`;
const PUT = `${GIVEN}
INSERT INTO rate AS r (price_plan_id, rate_zone_id, prefix, charge, enabled, starts_on, ends_on)
SELECT $1, g.rate_zone_id, g.prefix, g.charge, true, g.starts_on, g.ends_on FROM given g
ON CONFLICT (price_plan_id, rate_zone_id, prefix, starts_on) DO UPDATE SET
  charge = EXCLUDED.charge, enabled = true, ends_on = EXCLUDED.ends_on
WHERE (r.charge, r.enabled, r.ends_on) IS DISTINCT FROM (EXCLUDED.charge, true, EXCLUDED.ends_on)`;
const SET_DEFAULT = 'UPDATE price_plan SET default_charge = $2 WHERE id = $1 AND default_charge <> $2';

/** Waits for other changes of a plan's card and keeps them out until the transaction ends. */
export const lockCard = (db: Db, planId: number): Promise<unknown> => rowsOf(db, LOCK, [planId]);

/** Puts a card into force and returns the version of the plan. The caller holds the lock of the card. */
export async function writeCard(db: Db, planId: number, { rates, default_price }: PricedCard): Promise<number> {
  const values = [
    planId,
    rates.map(({ rate_zone_id }) => rate_zone_id),
    rates.map(({ prefix }) => prefix),
    rates.map(({ price }) => price),
    rates.map(({ starts_on }) => starts_on),
    rates.map(({ ends_on }) => ends_on),
  ];
  await rowsOf(db, REMOVE, values);
  await rowsOf(db, PUT, values);
  await rowsOf(db, SET_DEFAULT, [planId, default_price]);
  const [plan] = await rowsOf<{ version: number }>(db, PLAN, [planId]);
  return plan!.version;
}

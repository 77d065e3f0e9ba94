import type { QueryOf } from '@heliograph/contract/kernel/operation';
import type { losingDestinations } from '@heliograph/contract/margins/loss';
import { sql } from 'kysely';
import { type PriceOf, planPrices } from '#modules/billing';
import {
  type Route,
  type RouteLink,
  type Routing,
  readLinkCosts,
  readRouting,
  type Traffic,
} from '#modules/carrier-routes';
import { readNetworks } from '#modules/networks';
import { type Context, requirePlatform } from '#platform/context';
import { rowsOf } from '#platform/database/queryable';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { readNumberRules } from '#platform/operator/number-rules';
import { linksTaken, type Margin, MarginGuard } from './guard.ts';
import { skippedBy } from './list-losses.ts';
import { namesOf, sumsOnWire } from './margin-of-quote.ts';

/** Maximum prefixes that are compared, and price plans of a route. */
const MOST_PREFIXES = 100_000;
const MOST_PLANS = 50;
/** Digits of the numbers that stand for a prefix. */
const DIGITS = 12;

/** Prefixes at which a network, a price or a cost changes. */
const PREFIXES = `
  SELECT DISTINCT prefix FROM (
    SELECT unnest(prefixes) AS prefix FROM network_prefix WHERE to_version IS NULL
    UNION ALL SELECT prefix FROM rate WHERE price_plan_id = ANY ($1::bigint[]) AND enabled
    UNION ALL SELECT r.prefix FROM carrier_rate r JOIN carrier_card_row c ON c.id = r.carrier_card_id
      WHERE c.state = 'in_force' AND r.prefix IS NOT NULL
  ) p ORDER BY prefix LIMIT ${MOST_PREFIXES}`;

interface Plan {
  id: number;
  name: string;
  currency: string;
}
interface Losing extends Margin {
  plan: Plan;
  prefix: string;
  prefixes: number;
  route: Route | null;
}

/** Lists the destinations of a price plan or carrier route that bring a loss by the prices and costs of now. */
export const listLosingDestinations: Handler<typeof losingDestinations> = async (ctx, { query }) => {
  requirePlatform(ctx.caller);
  const skipped = skippedBy(query.cursor);
  const { losing, compared, unknown } = await compare(ctx, query);
  const page = losing.slice(skipped, skipped + query.limit);
  const named = await namesOf(ctx.db, page);
  const data = page.map((each, place) => ({
    id: skipped + place + 1,
    price_plan_name: each.plan.name,
    ...named(each),
    prefix: each.prefix,
    prefixes: each.prefixes,
    route_name: each.route?.name ?? null,
    currency: each.currency,
    ...sumsOnWire(each),
  }));
  const has_more = losing.length > skipped + data.length;
  return { data, compared, unknown, next_cursor: has_more ? String(skipped + data.length) : null, has_more };
};

async function compare(ctx: Context, query: QueryOf<typeof losingDestinations>) {
  const read = <Row>(text: string, values: readonly unknown[]) => rowsOf<Row>(ctx.db, text, values);
  const networks = await readNetworks(read);
  const guard = new MarginGuard('warn', await readLinkCosts(read, networks), networks);
  const routing = await readRouting(read, null);
  const wanted = routeOf(routing, query);
  const plans = await plansOf(ctx, query, wanted);
  const traffic: Traffic = {
    corporation_id: wanted?.corporation_id ?? null,
    reseller_id: wanted?.reseller_id ?? null,
    sender_id: wanted?.sender_id ?? null,
    class: wanted?.class ?? query.class,
  };
  const find = routing.table.finder(traffic);
  const prefixes = await allowedPrefixes(ctx, plans);
  const taken = new Map<Route | null, readonly RouteLink[]>();
  const worst = new Map<string, Losing>();
  let [compared, unknown] = [0, 0];
  for (const { priceOf, ...plan } of await pricesOf(ctx, plans, query))
    for (const [place, prefix] of prefixes.entries()) {
      // A prefix above others, such as that of a country, stands for no number of its own.
      if (prefixes[place + 1]?.startsWith(prefix) && !networks.networkOf(prefix)) continue;
      const msisdn = prefix.padEnd(DIGITS, '0');
      const route = find(msisdn);
      if (wanted && route?.id !== wanted.id) continue;
      compared++;
      // The platform's own name has no registration to ask for: every link of the route is a way.
      const of = { corporation_id: 0, sender_id: traffic.sender_id ?? 'name', class: traffic.class };
      const message = { ...of, msisdn, price: priceOf(msisdn), currency: plan.currency };
      const margin = guard.marginOver(linksTaken(routing, route, message, taken), message);
      if (!margin) unknown++;
      else if (margin.cost > margin.price) keepWorst(worst, { ...margin, plan, prefix, prefixes: 1, route });
    }
  const shareOf = ({ price, cost }: Margin) => (price === 0 ? Number.POSITIVE_INFINITY : cost / price);
  const losing = [...worst.values()].sort((a, b) => shareOf(b) - shareOf(a) || (a.prefix < b.prefix ? -1 : 1));
  return { losing, compared, unknown };
}

function keepWorst(worst: Map<string, Losing>, found: Losing): void {
  const place = found.network_id === 0 ? found.prefix : found.network_id;
  const key = `${found.plan.id} ${place} ${found.route?.id ?? 0}`;
  const known = worst.get(key);
  const prefixes = (known?.prefixes ?? 0) + 1;
  const isWorse = !known || found.price - found.cost < known.price - known.cost;
  worst.set(key, { ...(isWorse ? found : known), prefixes });
}

function routeOf({ table }: Routing, query: QueryOf<typeof losingDestinations>): Route | null {
  const { carrier_route_id } = query;
  if (carrier_route_id === undefined) return null;
  const route = table.byId(carrier_route_id);
  if (!route) throw new BusinessError('not_found');
  return route;
}

/** Plans of which the platform gets the price: its own ones that accounts have; those of a route's customer if it names one. */
async function plansOf(
  { db }: Context,
  query: QueryOf<typeof losingDestinations>,
  route: Route | null,
): Promise<Plan[]> {
  const owner = route?.reseller_id ?? route?.corporation_id ?? null;
  const { rows } = await sql<Plan>`
    SELECT p.id, p.name, p.currency FROM price_plan_shown p
    WHERE p.corporation_id IS NULL AND ${
      query.price_plan_id === undefined
        ? sql`p.enabled AND EXISTS (SELECT FROM billing_account b JOIN corporation c ON c.id = b.corporation_id
            WHERE b.price_plan_id = p.id AND b.enabled AND (${owner}::bigint IS NULL OR c.id = ${owner}::bigint
              OR c.id = (SELECT reseller_id FROM corporation WHERE id = ${owner}::bigint)))`
        : sql`p.id = ${query.price_plan_id}`
    } ORDER BY p.name LIMIT ${MOST_PLANS}`.execute(db);
  return rows;
}

async function allowedPrefixes({ db }: Context, plans: readonly Plan[]): Promise<string[]> {
  const rules = await readNumberRules(db);
  const rows = await rowsOf<{ prefix: string }>(db, PREFIXES, [plans.map(({ id }) => id)]);
  const { start, start_with_any_msisdn } = rules;
  return rows
    .map(({ prefix }) => prefix)
    .filter((prefix) => start_with_any_msisdn || prefix.startsWith(start) || start.startsWith(prefix));
}

async function pricesOf({ db, clock }: Context, plans: readonly Plan[], { zone }: QueryOf<typeof losingDestinations>) {
  const priced: (Plan & { priceOf: PriceOf })[] = [];
  for (const plan of plans) {
    const priceOf = await planPrices(db, plan.id, zone, clock.now());
    if (priceOf) priced.push({ ...plan, priceOf });
  }
  return priced;
}

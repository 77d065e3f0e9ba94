import { carrierCard } from '@heliograph/contract/carrier-costs/carrier-card';
import type { simulateCarrierRoute } from '@heliograph/contract/carrier-routes/carrier-route';
import { fromMillionths } from '@heliograph/contract/kernel/money';
import { senderKind } from '@heliograph/contract/senders/sender-id';
import { QUALITY_VERSION, type QualityTable, qualityOfVersion } from '#modules/carrier-quality';
import { readNetworks } from '#modules/networks';
import { requirePlatform } from '#platform/context';
import { rowsOf } from '#platform/database/queryable';
import type { MessageClass } from '#platform/database/schema';
import type { Handler } from '#platform/http/http';
import { type LinkCosts, readLinkCosts } from './costs-of-links.ts';
import { routeOf } from './ranked-routes.ts';
import { pickLink, type Read, type Routing, readRouting } from './read-routing.ts';
import { type Route, RouteTable } from './route-table.ts';

/** Maximum messages that are looked at. */
const SAMPLE = 20_000;

// Ids of chunks begin with their day, so the search reads only the week.
const WEEK = `k.id >= ((extract(epoch FROM now())::bigint / 86400 - 8) << 28) AND k.created_at >= now() - interval '7 days'
  AND NOT EXISTS (SELECT FROM link l WHERE l.id = k.link_id AND l.for_tests)`;
const COUNT = `SELECT coalesce(sum(k.size), 0)::float8 AS messages FROM chunk k WHERE ${WEEK}`;
// Every message at a multiple of the step, in the order of the week. `clock` is its time of the platform's day.
const READ_SAMPLE = `
  WITH zone AS MATERIALIZED (SELECT platform_now() - (clock_timestamp() AT TIME ZONE 'UTC') AS ahead), k AS (
    SELECT k.*, sum(k.size) OVER (ORDER BY k.id) AS upto FROM chunk k WHERE ${WEEK}
  )
  SELECT k.link_id, k.class, k.corporation_id, k.sender_id, k.carrier_route_id, m.msisdn, m.parts,
    to_char((k.created_at AT TIME ZONE 'UTC') + zone.ahead, 'HH24:MI') AS clock,
    CASE WHEN c.is_reseller THEN c.id ELSE c.reseller_id END AS reseller_id
  FROM zone, k JOIN corporation c ON c.id = k.corporation_id
  CROSS JOIN LATERAL generate_series(((k.upto - k.size) / $1::bigint + 1) * $1::bigint, k.upto, $1::bigint) p
  JOIN message m ON m.id = (k.id << 10) + p - (k.upto - k.size) - 1`;

interface Sampled {
  link_id: number;
  class: MessageClass;
  corporation_id: number;
  reseller_id: number | null;
  sender_id: string;
  carrier_route_id: number | null;
  msisdn: string;
  parts: number;
  clock: string;
}

/** Sums of what carriers take, in millionths by currency. */
class Spent {
  readonly byCurrency = new Map<string, number>();
  unpriced = 0;
  readonly #costs: LinkCosts;

  constructor(costs: LinkCosts) {
    this.#costs = costs;
  }

  add(link_id: number, network_id: number, { msisdn, sender_id, parts, ...message }: Sampled): void {
    const asked = { link_id, network_id, msisdn, class: message.class, sender_kind: senderKind(sender_id) };
    const unit = this.#costs.unit(asked);
    if (unit) this.byCurrency.set(unit.currency, (this.byCurrency.get(unit.currency) ?? 0) + unit.amount * parts);
    else this.unpriced++;
  }
}

/** Writes the sums of a sample as those of the week, in which each message stands for `step`. */
function costsOf(before: Spent, after: Spent, step: number) {
  const currencies = [...new Set([...before.byCurrency.keys(), ...after.byCurrency.keys()])].sort();
  const sum = (spent: Spent, currency: string) => fromMillionths((spent.byCurrency.get(currency) ?? 0) * step);
  return currencies.map((currency) => ({ currency, before: sum(before, currency), after: sum(after, currency) }));
}

/** Delivered share of messages that took links, as far as the quality of these is known. */
class Expected {
  #sum = 0;
  #known = 0;
  readonly #quality: QualityTable;

  constructor(quality: QualityTable) {
    this.#quality = quality;
  }

  add(linkId: number, networkId: number, { sender_id }: Sampled): void {
    const found = this.#quality.of(linkId, networkId, senderKind(sender_id));
    if (!found) return;
    this.#sum += found.rate;
    this.#known++;
  }

  get rate(): number | null {
    return this.#known === 0 ? null : this.#sum / this.#known / 10_000;
  }
}

/** Tells the effect that a route would have had on the messages of the last seven days. */
export const simulateRoute: Handler<typeof simulateCarrierRoute> = async ({ caller, db }, { body }) => {
  requirePlatform(caller);
  const read: Read = (text, values) => rowsOf(db, text, values);
  const present = await readRouting(read, null);
  const [version] = await read<{ version: string }>(`SELECT ${QUALITY_VERSION} AS version`, []);
  const quality = await qualityOfVersion(read, version!.version);
  const networks = await readNetworks(read);
  const costs = await readLinkCosts(read, networks);
  const draft = draftOf(body);
  const others = present.table.routes.filter(({ id }) => id !== draft.id);
  const routing: Routing = {
    ...present,
    table: new RouteTable('draft', [...others, draft], present.table.registrations, networks),
    links: new Map([...present.links].map(([id, link]) => [id, { ...link, state: 'up', enabled: true }])),
    ...{ limits: new Map(), quality, networks, costs },
  };
  const [whole] = await read<{ messages: number }>(COUNT, []);
  const step = Math.max(1, Math.ceil(whole!.messages / SAMPLE));
  const sample = await read<Sampled>(READ_SAMPLE, [step]);
  const before = new Map<number, number>();
  const after = new Map<number, number>();
  const [was, would] = [new Expected(quality), new Expected(quality)];
  const [paid, due] = [new Spent(costs), new Spent(costs)];
  let met = 0;
  for (const message of sample) {
    const route = routing.table.finder(message)(message.msisdn);
    if (route?.id !== draft.id && (body.id === null || message.carrier_route_id !== body.id)) continue;
    met++;
    const network = networks.networkOf(message.msisdn)?.id ?? 0;
    const link = nextOf({ ...routing, clock: message.clock }, route, message);
    before.set(message.link_id, (before.get(message.link_id) ?? 0) + 1);
    was.add(message.link_id, network, message);
    paid.add(message.link_id, network, message);
    if (link === null) continue;
    after.set(link, (after.get(link) ?? 0) + 1);
    would.add(link, network, message);
    due.add(link, network, message);
  }
  const named = [...present.links.values()].sort((one, other) => one.link_name.localeCompare(other.link_name));
  const links = named.flatMap(({ link_id, link_name }) => {
    const [had, has] = [(before.get(link_id) ?? 0) * step, (after.get(link_id) ?? 0) * step];
    return had + has === 0 ? [] : [{ link_id, link_name, before: had, after: has }];
  });
  const moved = links.reduce((sum, link) => sum + Math.max(0, link.before - link.after), 0);
  const messages = met * step;
  const rates = { rate_before: was.rate, rate_after: would.rate };
  const mayCost = caller.permissions.has(carrierCard.permissions.show);
  const unpriced = { before: paid.unpriced * step, after: due.unpriced * step };
  const money = { costs: mayCost ? costsOf(paid, due, step) : null, unpriced };
  return { data: { messages, moved, sampled: sample.length, links, ...rates, ...money } };
};

function draftOf({ id, route }: Parameters<typeof simulateRoute>[1]['body']): Route {
  const links = route.links.map(({ from_time = null, until_time = null, ...link }) => ({
    ...link,
    from_time,
    until_time,
  }));
  return { ...route, id: id ?? 0, name: '', links };
}

function nextOf(routing: Routing, route: Route | null, message: Sampled): number | null {
  return pickLink(routing, routeOf(routing, route, message), message.class, 1, message);
}

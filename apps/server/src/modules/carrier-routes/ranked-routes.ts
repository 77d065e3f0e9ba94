import { senderKind } from '@heliograph/contract/senders/sender-id';
import type { MessageClass } from '#platform/database/schema';
import { linksWithoutRoute } from './choose-links.ts';
import { avoidsDeclined, isOpen, type LinkFacts, rankLinks, trialOf } from './rank-links.ts';
import type { Routing } from './read-routing.ts';
import type { SentBy } from './registrations.ts';
import type { Route, RouteFinder, RouteLink, Traffic } from './route-table.ts';

const NO_NETWORK = 0;

/** Routing, as far as ranks need it. */
export type RankedBy = Pick<Routing, 'table' | 'links' | 'quality' | 'limits' | 'clock' | 'networks' | 'costs'>;

/** Message as routes see it. */
export interface Addressed {
  class: MessageClass;
  sender_id: string | null;
  msisdn: string;
  /** Network that a lookup said; without it, the prefix decides. */
  network?: number | null | undefined;
}

/** Returns whether a route's links have an order that depends on more than the route itself. */
export function isRanked({ limits }: Pick<Routing, 'limits'>, route: Route): boolean {
  if (route.strategy !== 'position' || route.avoid_declined) return true;
  return route.links.some(({ link_id, from_time }) => from_time !== null || (limits.get(link_id)?.owed ?? 0) > 0);
}

const USE_COST: ReadonlySet<Route['strategy']> = new Set(['least_cost', 'best_quality', 'cost_with_floor', 'by_class']);

const costsOf = ({ costs }: RankedBy, { links }: Route, message: Addressed & { network: number }): string => {
  const sender_kind = senderKind(message.sender_id ?? '');
  const asked = { msisdn: message.msisdn, network_id: message.network, class: message.class, sender_kind };
  return links.map(({ link_id }) => costs?.compared({ link_id, ...asked })).join();
};

/** Returns a function that tells the facts about a route's links for a message. */
export function factsFor(by: RankedBy, { class: messageClass, sender_id, msisdn, network }: Addressed) {
  const network_id = network ?? by.networks?.networkOf(msisdn)?.id ?? NO_NETWORK;
  const kind = senderKind(sender_id ?? '');
  return (link: RouteLink): LinkFacts => ({
    cost:
      by.costs?.compared({ link_id: link.link_id, msisdn, network_id, class: messageClass, sender_kind: kind }) ?? null,
    quality: by.quality.of(link.link_id, network_id, kind),
    open: isOpen(link, by.clock),
    owed: by.limits.get(link.link_id)?.owed ?? 0,
  });
}

/** Returns a route with its links in the order in which a message takes them. The same order is the same object. */
export function rankedRoute(by: RankedBy, route: Route, message: Addressed): Route {
  if (!isRanked(by, route)) return route;
  return by.table.ranked(route, rankLinks(route, message.class, factsFor(by, message)));
}

/**
 * Returns a route, or its absence, with the links that know a message's sender ID in the network of its number. Without
 * registrations that name networks it is the same object. A ported number without such a link keeps all: it is ended
 * before its bytes leave, and does not stop the messages beside it.
 */
export function registeredRoute(by: RankedBy, route: Route | null, message: Addressed & SentBy): Route | null {
  const { registrations } = by.table;
  if (!registrations.isLimited(message)) return route;
  const network = networkOf(by, message);
  const all = route ? route.links : linksWithoutRoute(by.links);
  const known = all.filter(({ link_id }) => registrations.allows(link_id, message, network));
  if (known.length === all.length || (known.length === 0 && message.network)) return route;
  return by.table.narrowed(route, known);
}

const networkOf = ({ networks }: Pick<RankedBy, 'networks'>, { msisdn, network }: Addressed): number =>
  network ?? networks?.networkOf(msisdn)?.id ?? NO_NETWORK;

/** Returns the route of a message, or its absence, with the links that may take it, in their order. */
export const routeOf = (by: RankedBy, route: Route | null, message: Addressed & SentBy): Route | null =>
  registeredRoute(by, route && rankedRoute(by, route, message), message);

/** Returns whether a route avoids a link for a message because its quality has declined. A trial is no reason. */
export function hasDeclined(by: RankedBy, route: Route, linkId: number, message: Addressed): boolean {
  const link = route.links.find(({ link_id }) => link_id === linkId);
  return link !== undefined && avoidsDeclined(route) && factsFor(by, message)(link).quality?.state === 'declined';
}

/**
 * Returns a finder of routes with their links in order. Orders are found once for each network, as long as cost does
 * not decide: a cost may differ by number. Of fifty messages one goes to a link on trial.
 */
export function rankedFinder(by: RankedBy & Pick<Routing, 'reseller_id'>, traffic: Traffic): RouteFinder {
  const find = by.table.finder({ ...traffic, reseller_id: by.reseller_id });
  const known = new Map<Route, Map<number | string, { usual: Route; trial: Route | null }>>();
  const ranked: RouteFinder = (msisdn, network) => {
    const route = find(msisdn, network);
    if (!route || !isRanked(by, route)) return route;
    let orders = known.get(route);
    if (!orders) {
      orders = new Map();
      known.set(route, orders);
    }
    const network_id = network ?? by.networks?.networkOf(msisdn)?.id ?? NO_NETWORK;
    const message = { ...traffic, msisdn, network: network_id };
    const key = by.costs && USE_COST.has(route.strategy) ? `${network_id} ${costsOf(by, route, message)}` : network_id;
    let order = orders.get(key);
    if (!order) {
      order = orderOf(by, route, message);
      orders.set(key, order);
    }
    return order.trial && by.table.isTrial(route.id) ? order.trial : order.usual;
  };
  if (!by.table.registrations.isLimited(traffic)) return ranked;
  return (msisdn, network) => registeredRoute(by, ranked(msisdn, network), { ...traffic, msisdn, network });
}

function orderOf(by: RankedBy, route: Route, message: Addressed): { usual: Route; trial: Route | null } {
  const facts = factsFor(by, message);
  const links = rankLinks(route, message.class, facts);
  const usual = by.table.ranked(route, links);
  const tried = trialOf(route, facts);
  // A sign-in code is no trial, unless nothing else goes this way.
  const first = links.find(({ position }) => position === 1);
  if (!tried || tried.link_id === first?.link_id || (message.class === 'otp' && route.class !== 'otp'))
    return { usual, trial: null };
  const rest = links
    .filter(({ link_id }) => link_id !== tried.link_id)
    .map((l) => ({ ...l, position: l.position + 1 }));
  return { usual, trial: by.table.ranked(route, [{ ...tried, position: 1 }, ...rest]) };
}

import type { NetworkTable } from '#modules/networks';
import type { MessageClass } from '#platform/database/schema';
import { FairTurns } from '#platform/structures/fair-turns';
import { PrefixTree } from '#platform/structures/prefix-tree';
import { NO_REGISTRATIONS, type Registrations } from './registrations.ts';

/** Link that a route may take. The lowest position goes first; links of one position share by weight. */
export interface RouteLink {
  link_id: number;
  position: number;
  weight: number;
  /** Hours of the platform's day in which it is used, as `HH:MM`; null for all day. */
  from_time?: string | null;
  until_time?: string | null;
}

/** Ways in which a route orders its links. `by_class`: quality for codes, cost for bulk, both for other messages. */
type Strategy = 'position' | 'least_cost' | 'best_quality' | 'cost_with_floor' | 'by_class';

/** Rule for some messages. A condition that is null, and an empty prefix, match every message. */
export interface Route {
  id: number;
  name: string;
  corporation_id: number | null;
  reseller_id: number | null;
  sender_id: string | null;
  class: MessageClass | null;
  /** Network of the number. */
  network_id: number | null;
  prefix: string;
  enabled: boolean;
  strategy: Strategy;
  /** Least percentage of delivered messages, for the strategies that have one. */
  quality_floor: number | null;
  /** True if messages take other links while the quality of one has declined. */
  avoid_declined: boolean;
  links: readonly RouteLink[];
  /** Route of which this one has only the links that know the sender ID in a network; null for messages without a route. */
  whole?: Route | null;
}

/** Properties that messages queued together share, as far as routes need them. */
export interface Traffic {
  corporation_id: number | null;
  /** Reseller that owns the corporation, or the corporation itself if it is one. */
  reseller_id: number | null;
  sender_id: string | null;
  class: MessageClass;
}

/**
 * Finds the route of a number, given as digits; null if none matches. `network` is the one that a lookup said; without
 * it, the prefix decides.
 */
export type RouteFinder = (msisdn: string, network?: number | null) => Route | null;

/**
 * Returns the precedence of a route as one number; the highest wins. A corporation's route comes before its reseller's,
 * and that before a general one. Then comes a route with a sender, then one with a class, then one with a network, then
 * the longest prefix.
 */
export const precedence = (route: Route): number =>
  (route.corporation_id !== null ? 8 : route.reseller_id !== null ? 4 : 0) * 100 +
  (route.sender_id !== null ? 2 : 0) * 100 +
  (route.class !== null ? 1 : 0) * 100 +
  (route.network_id !== null ? 50 : 0) +
  route.prefix.length;

/**
 * Returns the first condition of a route that messages do not meet, except for network and prefix. Returns undefined if they
 * meet all.
 */
export function mismatch(route: Route, traffic: Traffic): 'corporation' | 'reseller' | 'sender' | 'class' | undefined {
  if (route.corporation_id !== null && route.corporation_id !== traffic.corporation_id) return 'corporation';
  if (route.reseller_id !== null && route.reseller_id !== traffic.reseller_id) return 'reseller';
  if (route.sender_id !== null && route.sender_id !== traffic.sender_id) return 'sender';
  if (route.class !== null && route.class !== traffic.class) return 'class';
  return undefined;
}

/** Maximum finders that are kept for similar messages. Above it, all are made again. */
const KEPT_FINDERS = 1_000;
/** Maximum orders of links that are kept. Above it, all are made again. */
const KEPT_RANKS = 1_000;
/** One of so many messages goes to a link on trial. */
const TRIAL_EVERY = 50;
const NO_ROUTE = -1;
/** Absence of a route, if only some of the links without one are allowed. It is no record: its id is 0. */
const UNROUTED: Route = {
  id: 0,
  name: '',
  corporation_id: null,
  reseller_id: null,
  sender_id: null,
  class: null,
  network_id: null,
  prefix: '',
  enabled: true,
  strategy: 'position',
  quality_floor: null,
  avoid_declined: false,
  links: [],
};

/** Networks of numbers, as far as routes need them. */
type Networks = Pick<NetworkTable, 'networkOf'> & Partial<Pick<NetworkTable, 'byId'>>;

/** All routes at one moment, prepared for many lookups, and the turns of links with the same position. */
export class RouteTable {
  readonly version: string;
  /** Routes in order of precedence; the first wins. */
  readonly routes: readonly Route[];
  /** Sender IDs that carriers know; they have the same version. */
  readonly registrations: Registrations;
  /** Networks of numbers; null if no route asks for them. */
  readonly networks: Networks | null;
  /** True if a route goes by the quality of its links. */
  readonly byQuality: boolean;
  /** True if a route goes by the cost of its links. */
  readonly byCost: boolean;
  readonly #byId: ReadonlyMap<number, Route>;
  readonly #finders = new Map<string, RouteFinder>();
  readonly #turns = new Map<number, FairTurns<number>>();
  readonly #ranked = new Map<string, Route>();
  readonly #tried = new Map<number, number>();

  /** `networks` are needed if a route names one. */
  constructor(
    version: string,
    routes: readonly Route[],
    registrations = NO_REGISTRATIONS,
    networks: Networks | null = null,
  ) {
    this.version = version;
    this.networks = networks;
    this.byCost = routes.some(({ strategy }) => strategy !== 'position');
    this.byQuality = routes.some(({ strategy, avoid_declined }) => avoid_declined || strategy !== 'position');
    this.registrations = registrations;
    this.routes = [...routes].sort((a, b) => precedence(b) - precedence(a) || a.id - b.id);
    this.#byId = new Map(routes.map((route) => [route.id, route]));
  }

  byId(id: number): Route | undefined {
    return this.#byId.get(id);
  }

  /**
   * Returns the shares of a route's messages that links have had. A `routeId` of null means messages without a route.
   */
  turns(routeId: number | null): FairTurns<number> {
    const key = routeId ?? NO_ROUTE;
    const turns = this.#turns.get(key) ?? new FairTurns<number>();
    this.#turns.set(key, turns);
    return turns;
  }

  /** Returns a route with other positions of its links; the same positions give the same object. */
  ranked(route: Route, links: readonly RouteLink[]): Route {
    const key = `${route.id} ${links.map(({ link_id, position }) => `${link_id}:${position}`).join()}`;
    let made = this.#ranked.get(key);
    if (!made) {
      if (this.#ranked.size >= KEPT_RANKS) this.#ranked.clear();
      made = { ...route, links };
      this.#ranked.set(key, made);
    }
    return made;
  }

  /**
   * Returns a route, or its absence, with only some of its links: those that know a sender ID in a network. The same links
   * give the same object, so that messages of networks that differ in nothing else share chunks.
   */
  narrowed(whole: Route | null, links: readonly RouteLink[]): Route {
    const order = links.map(({ link_id, position }) => `${link_id}:${position}`).join();
    const key = `narrowed ${whole?.id ?? NO_ROUTE} ${order}`;
    let made = this.#ranked.get(key);
    if (!made) {
      if (this.#ranked.size >= KEPT_RANKS) this.#ranked.clear();
      made = { ...(whole ?? UNROUTED), links, whole };
      this.#ranked.set(key, made);
    }
    return made;
  }

  /** Counts a message of a route that has a link on trial. Returns true for the one in fifty that is a trial. */
  isTrial(routeId: number): boolean {
    const count = (this.#tried.get(routeId) ?? 0) + 1;
    this.#tried.set(routeId, count % TRIAL_EVERY);
    return count === TRIAL_EVERY;
  }

  /** Returns a finder of routes by number for some traffic. */
  finder(traffic: Traffic): RouteFinder {
    const key = [traffic.corporation_id, traffic.reseller_id, traffic.class, traffic.sender_id].join();
    const known = this.#finders.get(key);
    if (known) return known;
    if (this.#finders.size >= KEPT_FINDERS) this.#finders.clear();
    const fitting = this.routes.filter((route) => route.enabled && mismatch(route, traffic) === undefined);
    const made = networkFinder(fitting, this.networks);
    this.#finders.set(key, made);
    return made;
  }
}

const precedes = (a: Route, b: Route) =>
  precedence(a) > precedence(b) || (precedence(a) === precedence(b) && a.id < b.id);

/** Finds the best route of a number by its network and its longest prefix. */
function networkFinder(routes: readonly Route[], networks: Networks | null): RouteFinder {
  const named = new Set(routes.flatMap(({ network_id }) => network_id ?? []));
  const elsewhere = prefixFinder(routes.filter(({ network_id }) => network_id === null));
  if (named.size === 0 || !networks) return elsewhere;
  const within = new Map(
    [...named].map((id) => [id, prefixFinder(routes.filter((r) => r.network_id === null || r.network_id === id))]),
  );
  return (msisdn, network = networks.networkOf(msisdn)?.id) => (within.get(network ?? NO_ROUTE) ?? elsewhere)(msisdn);
}

/** Finds the best route of a number by its longest prefix, which also covers all shorter prefixes of it. */
function prefixFinder(routes: readonly Route[]): (msisdn: string) => Route | null {
  const found: { prefix: string; best: Route }[] = [];
  // In the order of their digits, prefixes follow those that they begin with. These are kept in `around`, the longest
  // last.
  const around: { prefix: string; best: Route }[] = [];
  for (const route of [...routes].sort((a, b) => (a.prefix < b.prefix ? -1 : 1))) {
    while (around.length > 0 && !route.prefix.startsWith(around.at(-1)!.prefix)) around.pop();
    const nearest = around.at(-1);
    const best = nearest && precedes(nearest.best, route) ? nearest.best : route;
    if (nearest?.prefix === route.prefix) nearest.best = best;
    else {
      const entry = { prefix: route.prefix, best };
      around.push(entry);
      found.push(entry);
    }
  }
  const tree = new PrefixTree(
    found.map(({ prefix }) => prefix),
    [...found.keys()],
  );
  return (msisdn) => found[tree.find(msisdn) ?? NO_ROUTE]?.best ?? null;
}

import { FairTurns } from '#platform/fair-turns';
import { PrefixTree } from '#platform/prefix-tree';
import type { MessageClass } from '#platform/schema';

/** A link that a route may take: the lowest position goes first, links of one position share by weight. */
export interface RouteLink {
  link_id: number;
  position: number;
  weight: number;
}

/** A rule for some messages. A condition that is null, and an empty prefix, is every message. */
export interface Route {
  id: number;
  name: string;
  corporation_id: number | null;
  reseller_id: number | null;
  sender_id: string | null;
  class: MessageClass | null;
  prefix: string;
  enabled: boolean;
  links: readonly RouteLink[];
}

/** What the messages that are queued together share, as far as routes ask for it. */
export interface Traffic {
  corporation_id: number | null;
  /** The reseller that owns the corporation, or the corporation itself where it is one. */
  reseller_id: number | null;
  sender_id: string | null;
  class: MessageClass;
}

/** Finds the route of a number, given as digits; null where none fits. */
type RouteFinder = (msisdn: string) => Route | null;

/**
 * The rule of precedence, one number each: a corporation's route before its reseller's, that before everybody's; then a
 * route that names the sender; then one that names the class; then the longest prefix. The higher wins.
 */
export const precedence = (route: Route): number =>
  (route.corporation_id !== null ? 8 : route.reseller_id !== null ? 4 : 0) * 100 +
  (route.sender_id !== null ? 2 : 0) * 100 +
  (route.class !== null ? 1 : 0) * 100 +
  route.prefix.length;

/** The first condition of a route that messages do not meet, apart from the number's; undefined where they meet all. */
export function mismatch(route: Route, traffic: Traffic): 'corporation' | 'reseller' | 'sender' | 'class' | undefined {
  if (route.corporation_id !== null && route.corporation_id !== traffic.corporation_id) return 'corporation';
  if (route.reseller_id !== null && route.reseller_id !== traffic.reseller_id) return 'reseller';
  if (route.sender_id !== null && route.sender_id !== traffic.sender_id) return 'sender';
  if (route.class !== null && route.class !== traffic.class) return 'class';
  return undefined;
}

/** Finders kept for the next messages alike; beyond so many they are made anew. */
const KEPT_FINDERS = 1_000;
const NO_ROUTE = -1;

/** All routes at one moment, made for looking up many numbers; and whose turn it is among links of one position. */
export class RouteTable {
  readonly version: string;
  /** In order of precedence, the first wins. */
  readonly routes: readonly Route[];
  readonly #byId: ReadonlyMap<number, Route>;
  readonly #finders = new Map<string, RouteFinder>();
  readonly #turns = new Map<number, FairTurns<number>>();

  constructor(version: string, routes: readonly Route[]) {
    this.version = version;
    this.routes = [...routes].sort((a, b) => precedence(b) - precedence(a) || a.id - b.id);
    this.#byId = new Map(routes.map((route) => [route.id, route]));
  }

  byId(id: number): Route | undefined {
    return this.#byId.get(id);
  }

  /** Who had how much of a route's messages; of those without a route where `routeId` is null. */
  turns(routeId: number | null): FairTurns<number> {
    const key = routeId ?? NO_ROUTE;
    const turns = this.#turns.get(key) ?? new FairTurns<number>();
    this.#turns.set(key, turns);
    return turns;
  }

  /** The routes of some traffic by number. */
  finder(traffic: Traffic): RouteFinder {
    const key = [traffic.corporation_id, traffic.reseller_id, traffic.class, traffic.sender_id].join();
    const known = this.#finders.get(key);
    if (known) return known;
    if (this.#finders.size >= KEPT_FINDERS) this.#finders.clear();
    const fitting = this.routes.filter((route) => route.enabled && mismatch(route, traffic) === undefined);
    const made = prefixFinder(fitting);
    this.#finders.set(key, made);
    return made;
  }
}

const precedes = (a: Route, b: Route) =>
  precedence(a) > precedence(b) || (precedence(a) === precedence(b) && a.id < b.id);

/** Finds the best route of a number by its longest prefix, which stands for all shorter ones that it begins with too. */
function prefixFinder(routes: readonly Route[]): RouteFinder {
  const found: { prefix: string; best: Route }[] = [];
  // In the order of their digits, prefixes follow those that they begin with: these stand in `around`, the longest last.
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

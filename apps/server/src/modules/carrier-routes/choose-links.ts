import type { MessageClass } from '#platform/database/schema';
import type { SentBy } from './registrations.ts';
import type { Route, RouteLink, RouteTable } from './route-table.ts';

/** Health of a link as routing sees it; the contract's `linkHealth`. */
export type LinkHealthState =
  | 'up'
  | 'connecting'
  | 'down'
  | 'throttled'
  | 'failing'
  | 'unattended'
  | 'draining'
  | 'disabled';

export interface LinkNow {
  link_id: number;
  link_name: string;
  enabled: boolean;
  state: LinkHealthState;
  /** RFC 3339; null if an operator decided the state. */
  since: string | null;
  /** Milliseconds since then. */
  for_ms: number;
}

/** Limits of a link today, in parts. */
export interface Limit {
  /** Room below the cap; null without a cap. */
  room: number | null;
  /** Parts that the commitment lacks. */
  owed: number;
}

/**
 * Time in milliseconds for which a link may be down before its messages go elsewhere. Most faults pass by themselves,
 * but a sign-in code cannot wait long. An operator's decision takes effect immediately.
 */
const PATIENCE_MS: Readonly<Record<MessageClass, number>> = { otp: 1_000, transactional: 3_000, bulk: 5_000 };

/** Tells if messages of a class go to, and stay with, a link in its current state. */
export function mayTake(link: LinkNow, messageClass: MessageClass): boolean {
  if (link.state === 'up') return true;
  return link.enabled && link.state !== 'unattended' && link.for_ms < PATIENCE_MS[messageClass];
}

interface Choice {
  /** Links that share the messages now; empty only if there is no link at all. */
  links: RouteLink[];
  /** True if none of them takes messages now, so that messages wait there. */
  waits: boolean;
}

/**
 * Returns the links that share a route's messages now: the first position with a link that takes them. If no link takes
 * them, returns those on which they wait, enabled ones first.
 */
export function chooseLinks(
  links: readonly RouteLink[],
  now: ReadonlyMap<number, LinkNow>,
  messageClass: MessageClass,
): Choice {
  const ready = firstPosition(links, now, (link) => mayTake(link, messageClass));
  if (ready.length > 0) return { links: ready, waits: false };
  const enabled = firstPosition(links, now, (link) => link.enabled);
  return { links: enabled.length > 0 ? enabled : firstPosition(links, now, () => true), waits: true };
}

/** Returns the links of the first position that has a fitting one: of each position only those that fit. */
function firstPosition(
  links: readonly RouteLink[],
  now: ReadonlyMap<number, LinkNow>,
  fits: (link: LinkNow) => boolean,
): RouteLink[] {
  let first = Number.POSITIVE_INFINITY;
  let found: RouteLink[] = [];
  for (const link of links) {
    const state = link.position <= first ? now.get(link.link_id) : undefined;
    if (!state || !fits(state)) continue;
    if (link.position < first) found = [];
    first = link.position;
    found.push(link);
  }
  return found;
}

/** Returns the links for messages without a route: the enabled ones, one after another in the order of their ids. */
export const linksWithoutRoute = (now: ReadonlyMap<number, LinkNow>): RouteLink[] =>
  [...now.values()]
    .filter(({ enabled }) => enabled)
    .map(({ link_id }) => link_id)
    .sort((a, b) => a - b)
    .map((link_id, index) => ({ link_id, position: index + 1, weight: 1 }));

/**
 * Returns the links that a route, or its absence, allows for the messages of a sender ID; with `by` null for those of
 * any. Links that ask for a registration take only registered sender IDs, and links whose cap is reached take nothing.
 */
export function linksOf(
  routing: {
    table: Pick<RouteTable, 'registrations'>;
    links: ReadonlyMap<number, LinkNow>;
    limits?: ReadonlyMap<number, Limit> | undefined;
  },
  route: Route | null,
  by: SentBy | null,
): readonly RouteLink[] {
  const { links, limits } = routing;
  const all = route ? route.links : linksWithoutRoute(links);
  const allowed = limits?.size ? all.filter(({ link_id }) => limits.get(link_id)?.room !== 0) : all;
  const { registrations } = routing.table;
  if (!by || !registrations.asked) return allowed;
  return allowed.filter(({ link_id }) => registrations.allows(link_id, by));
}

import type { LinkQuality } from '#modules/carrier-quality';
import type { MessageClass } from '#platform/database/schema';
import type { Route, RouteLink } from './route-table.ts';

/** Facts about a link that decide its rank for messages of one network and kind of sender. */
export interface LinkFacts {
  /** Cost of a part, in a unit that all links share; null if it is not known. */
  cost: number | null;
  /** Null for a link without traffic. */
  quality: (Pick<LinkQuality, 'rate' | 'state'> & Partial<Pick<LinkQuality, 'p95_ms'>>) | null;
  /** True within the hours of the link. */
  open: boolean;
  /** Parts that the commitment of today lacks. */
  owed: number;
}

/** Rate is compared in steps of two points, as smaller differences are chance. */
const RATE_STEP = 200;

/** Strategy of each class, where price and quality are chosen by class. */
const BY_CLASS = { otp: 'best_quality', transactional: 'cost_with_floor', bulk: 'least_cost' } as const;

/** Returns the strategy that a route has for a class. */
const strategyOf = ({ strategy }: Pick<Route, 'strategy'>, messageClass: MessageClass) =>
  strategy === 'by_class' ? BY_CLASS[messageClass] : strategy;

/** Returns whether a route goes by quality, and so avoids links that have declined. */
export const avoidsDeclined = (route: Pick<Route, 'strategy' | 'avoid_declined'>): boolean =>
  route.avoid_declined || (route.strategy !== 'position' && route.strategy !== 'least_cost');

/** Numbers by which links are ordered: the first that differs decides, and the lower one wins. */
function keyOf(route: Route, messageClass: MessageClass, { cost, quality, open, owed }: LinkFacts): number[] {
  const dear = cost ?? Number.POSITIVE_INFINITY;
  const poor = quality ? -Math.round(quality.rate / RATE_STEP) : 1;
  const aside = avoidsDeclined(route) && quality !== null && quality.state !== 'good';
  const first = [open ? 0 : 1, aside ? 1 : 0, owed > 0 ? 0 : 1];
  switch (strategyOf(route, messageClass)) {
    case 'position':
      return first;
    case 'least_cost':
      return [...first, dear];
    case 'best_quality':
      return [...first, poor, dear];
    case 'cost_with_floor':
      return quality && quality.rate >= (route.quality_floor ?? 0) * 100
        ? [...first, 0, dear, 0]
        : [...first, 1, poor, dear];
  }
}

/** Returns the reason of a link's place in the order of a route. */
export function reasonOf(route: Route, messageClass: MessageClass, { quality, open, owed }: LinkFacts) {
  if (!open) return 'hours' as const;
  if (avoidsDeclined(route) && quality !== null && quality.state !== 'good') return quality.state;
  if (owed > 0) return 'commitment' as const;
  const strategy = strategyOf(route, messageClass);
  if (strategy === 'position') return 'position' as const;
  if (strategy === 'best_quality') return 'quality' as const;
  if (strategy === 'least_cost') return 'cost' as const;
  return quality && quality.rate >= (route.quality_floor ?? 0) * 100 ? ('cost' as const) : ('quality' as const);
}

const compare = (a: readonly number[], b: readonly number[]): number => {
  for (const [place, value] of a.entries()) {
    const other = b[place]!;
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
};

/**
 * Returns the links of a route in the order in which messages take them, as positions from 1. Links that are equal, also
 * by their own position, share a position and divide messages by weight. A link outside its hours, and one that has
 * declined, comes after all others; a commitment that is not filled comes first.
 */
export function rankLinks(
  route: Route,
  messageClass: MessageClass,
  factsOf: (link: RouteLink) => LinkFacts,
): RouteLink[] {
  const keyed = route.links.map((link) => ({
    link,
    key: [...keyOf(route, messageClass, factsOf(link)), link.position],
  }));
  keyed.sort((a, b) => compare(a.key, b.key));
  let position = 0;
  return keyed.map(({ link, key }, place) => {
    if (place === 0 || compare(keyed[place - 1]!.key, key) !== 0) position++;
    return { ...link, position };
  });
}

/** Returns the link that a trial goes to: one on trial, or one without any traffic yet on a route that goes by quality. */
export function trialOf(route: Route, factsOf: (link: RouteLink) => LinkFacts): RouteLink | undefined {
  if (!avoidsDeclined(route)) return undefined;
  const byQuality = route.strategy !== 'position' && route.strategy !== 'least_cost';
  return route.links.find((link) => {
    const { quality, open } = factsOf(link);
    return open && (quality ? quality.state === 'trial' : byQuality);
  });
}

/** Returns whether a time of day, as `HH:MM`, is within the hours of a link, which may pass midnight. */
export function isOpen({ from_time, until_time }: Pick<RouteLink, 'from_time' | 'until_time'>, clock: string): boolean {
  if (!from_time || !until_time) return true;
  return from_time <= until_time ? clock >= from_time && clock < until_time : clock >= from_time || clock < until_time;
}

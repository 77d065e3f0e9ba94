import {
  carrierRoute,
  carrierRouteLinks,
  explainCarrierRoute,
  linkLimits,
  setLinkLimits,
  simulateCarrierRoute,
} from '@heliograph/contract/carrier-routes/carrier-route';
import { type App, mount, mountResource } from '#platform/http/http';
import type { Retention } from '#platform/jobs/retention';
import { carrierRoutes } from './carrier-routes.ts';
import { explainRoute, linksWithWaiting } from './explain-route.ts';
import { changeLinkLimits, showLinkLimits } from './link-limits.ts';
import { simulateRoute } from './simulate-route.ts';

export { chooseLinks, type LinkNow, linksOf, mayTake } from './choose-links.ts';
export { type LinkCosts, readLinkCosts } from './costs-of-links.ts';
export { avoidsDeclined } from './rank-links.ts';
export { hasDeclined, rankedFinder, registeredRoute, routeOf } from './ranked-routes.ts';
export { pickLink, type Routing, readRouting, refusalOf, unregisteredNumbers } from './read-routing.ts';
export type { Registrations, SentBy } from './registrations.ts';
export { setResellerLink } from './reseller-link.ts';
export type { Route, RouteFinder, RouteLink, Traffic } from './route-table.ts';
export { takeLimits } from './take-limits.ts';

/** Counts of days that are over are kept for a month. */
export const linkDayRetention: Retention = { table: 'link_day', days: 31, since: 'day', order: ['day'], rows: 1_000 };

/** Mounts carrier routes, their explanation and simulation, and the health and limits of links. */
export function mountCarrierRoutes(app: App): void {
  mountResource(app, carrierRoute, carrierRoutes);
  mount(app, explainCarrierRoute, explainRoute);
  mount(app, carrierRouteLinks, linksWithWaiting);
  mount(app, simulateCarrierRoute, simulateRoute);
  mount(app, linkLimits, showLinkLimits);
  mount(app, setLinkLimits, changeLinkLimits);
}
export { checkParameters, nameParameters, readKnownParameters } from './vendor-parameters.ts';

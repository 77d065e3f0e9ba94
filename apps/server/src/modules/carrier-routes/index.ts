import {
  carrierRoute,
  carrierRouteLinks,
  explainCarrierRoute,
} from '@heliograph/contract/carrier-routes/carrier-route';
import { type App, mount, mountResource } from '#platform/http/http';
import { carrierRoutes } from './carrier-routes.ts';
import { explainRoute, linksWithWaiting } from './explain-route.ts';

export { chooseLinks, type LinkNow, linksOf, mayTake } from './choose-links.ts';
export { pickLink, type Routing, readRouting, refusalOf, unregisteredNumbers } from './read-routing.ts';
export type { Registrations, SentBy } from './registrations.ts';
export { setResellerLink } from './reseller-link.ts';
export type { Route } from './route-table.ts';

/** Mounts carrier routes, their explanation and the health of links. */
export function mountCarrierRoutes(app: App): void {
  mountResource(app, carrierRoute, carrierRoutes);
  mount(app, explainCarrierRoute, explainRoute);
  mount(app, carrierRouteLinks, linksWithWaiting);
}

import { alias } from '@heliograph/contract/routing/alias';
import { carrierRoute, carrierRouteLinks, explainCarrierRoute } from '@heliograph/contract/routing/carrier-route';
import { type App, mount, mountResource } from '#platform/http';
import { aliases } from './alias.ts';
import { carrierRoutes } from './carrier-routes.ts';
import { explainRoute, linksWithWaiting } from './explain-route.ts';

export { chooseLinks, type LinkNow, linksOf, mayTake } from './choose-links.ts';
export { pickLink, type Routing, readRouting } from './read-routing.ts';
export { setResellerLink } from './reseller-link.ts';
export type { Route } from './route-table.ts';

/** Mounts the carrier routes, what explains them, the health of their links, and the aliases of replies' words. */
export function mountRouting(app: App): void {
  mountResource(app, carrierRoute, carrierRoutes);
  mount(app, explainCarrierRoute, explainRoute);
  mount(app, carrierRouteLinks, linksWithWaiting);
  mountResource(app, alias, aliases);
}

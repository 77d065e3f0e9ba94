import { alias } from '@heliograph/contract/routing/alias';
import { carrierRoute, carrierRouteLinks, explainCarrierRoute } from '@heliograph/contract/routing/carrier-route';
import { explainRouting, routing } from '@heliograph/contract/routing/routing';
import { type App, mount, mountResource } from '#platform/http/http';
import { aliases } from './alias.ts';
import { carrierRoutes } from './carrier-routes.ts';
import { explainRoute, linksWithWaiting } from './explain-route.ts';
import { explainText } from './explain-routing.ts';
import { routings } from './routing.ts';

export { chooseLinks, type LinkNow, linksOf, mayTake } from './choose-links.ts';
export { numberOf, takeText } from './inbound-rules.ts';
export { holderOf } from './number-holder.ts';
export { fold, optWordOf } from './opt-words.ts';
export { pickLink, type Routing, readRouting } from './read-routing.ts';
export { type Rule, readAliases, readRules } from './read-rules.ts';
export { setResellerLink } from './reseller-link.ts';
export type { Route } from './route-table.ts';
export { routingPasswordContext } from './routing.ts';

/**
 * Mounts carrier routes and inbound rules, their explanations, the health of links, and the aliases of words in
 * replies.
 */
export function mountRouting(app: App): void {
  mountResource(app, carrierRoute, carrierRoutes);
  mount(app, explainCarrierRoute, explainRoute);
  mount(app, carrierRouteLinks, linksWithWaiting);
  mountResource(app, alias, aliases);
  mount(app, explainRouting, explainText);
  mountResource(app, routing, routings);
}

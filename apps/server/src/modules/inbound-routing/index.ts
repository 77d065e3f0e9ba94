import { alias } from '@heliograph/contract/inbound-routing/alias';
import { explainRouting, routing } from '@heliograph/contract/inbound-routing/routing';
import { type App, mount, mountResource } from '#platform/http/http';
import { aliases } from './alias.ts';
import { explainText } from './explain-routing.ts';
import { routings } from './routing.ts';

export { type AliasOf, numberOf, takeText } from './inbound-rules.ts';
export { holderOf } from './number-holder.ts';
export { fold, optWordOf, wholeOf } from './opt-words.ts';
export { type Rule, readAliases, readRules } from './read-rules.ts';
export { routingPasswordContext } from './routing.ts';

/** Mounts the rules for inbound messages, their explanation, and the aliases of words in replies. */
export function mountInboundRouting(app: App): void {
  mountResource(app, alias, aliases);
  mount(app, explainRouting, explainText);
  mountResource(app, routing, routings);
}

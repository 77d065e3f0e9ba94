import {
  decideModeration,
  moderationQueue,
  moderationRule,
  tryModeration,
} from '@heliograph/contract/moderation/moderation';
import { webDomain, webLinks } from '@heliograph/contract/moderation/web-domain';
import { type App, mount, mountResource } from '#platform/http/http';
import { type Deciding, decide } from './decide.ts';
import { explainWith, moderationRules } from './moderation-rule.ts';
import { queuePage } from './queue.ts';
import { webDomains } from './web-domain.ts';
import { webLinkPage } from './web-links.ts';

export type { Deciding } from './decide.ts';
export { explainModeration } from './explain.ts';
export { explainLinks } from './explain-links.ts';
export { awaitsDecision, type HeldItem, HeldTexts, holdForDecision } from './held-items.ts';
export { type HoldingRule, type Moderation, readModeration } from './screening.ts';
export { LateFindings, WebFindings } from './web-findings.ts';
export { readWebRules, type WebCheck, type WebRefusal, type WebRules, webFault } from './web-rules.ts';

/** Mounts the rules about what texts may say, and the decisions about those that are held. */
export function mountModeration(app: App, deciding: Deciding): void {
  mountResource(app, webDomain, webDomains);
  mount(app, webLinks, (ctx, { query }) => webLinkPage(ctx, query));
  mount(app, tryModeration, explainWith(deciding.ownHosts));
  mountResource(app, moderationRule, moderationRules);
  mount(app, moderationQueue, (ctx, { query }) => queuePage(ctx, query));
  mount(app, decideModeration, decide(deciding));
}

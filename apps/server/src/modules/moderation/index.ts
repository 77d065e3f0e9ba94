import { webDomain, webLinks } from '@heliograph/contract/moderation/web-domain';
import { type App, mount, mountResource } from '#platform/http/http';
import { webDomains } from './web-domain.ts';
import { webLinkPage } from './web-links.ts';

export { LateFindings, WebFindings } from './web-findings.ts';
export { readWebRules, type WebCheck, type WebRefusal, type WebRules, webFault } from './web-rules.ts';

/** Mounts the rules about what texts may say. */
export function mountModeration(app: App): void {
  mountResource(app, webDomain, webDomains);
  mount(app, webLinks, (ctx, { query }) => webLinkPage(ctx, query));
}

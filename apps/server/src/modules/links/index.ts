import { testConnectivity } from '@heliograph/contract/links/connectivity-test';
import { disableLink, drainLink, enableLink, link, testBind } from '@heliograph/contract/links/link';
import { linkHistory, linkPulses } from '@heliograph/contract/links/link-history';
import { type App, mount, mountOutside, mountResource } from '#platform/http/http';
import { links } from './link.ts';
import { showLinkHistory, showLinkPulses } from './link-history.ts';
import { switchLink } from './switch-link.ts';
import { runConnectivityTest } from './test-connectivity.ts';
import { testLink } from './test-link.ts';

/** Mounts the links to carriers: the record, its history, its switches, the test of a bind, and the connectivity test. */
export function mountLinks(app: App): void {
  mountResource(app, link, links);
  mount(app, linkHistory, showLinkHistory);
  mount(app, linkPulses, showLinkPulses);
  mount(app, enableLink, switchLink('enable'));
  mount(app, disableLink, switchLink('disable'));
  mount(app, drainLink, switchLink('drain'));
  mountOutside(app, testBind, testLink);
  mountOutside(app, testConnectivity, runConnectivityTest);
}

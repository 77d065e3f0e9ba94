import { testConnectivity } from '@heliograph/contract/links/connectivity-test';
import { callbackAddresses, renewCallbackAddresses, tryMapping } from '@heliograph/contract/links/http-calls';
import { disableLink, drainLink, enableLink, link, testBind } from '@heliograph/contract/links/link';
import { linkHistory, linkPulses } from '@heliograph/contract/links/link-history';
import { tryRewriting } from '@heliograph/contract/links/try-rewriting';
import { type App, mount, mountOutside, mountResource } from '#platform/http/http';
import { carrierCallbacks, renewCallbacks, showCallbackAddresses } from './callbacks.ts';
import { links } from './link.ts';
import { showLinkHistory, showLinkPulses } from './link-history.ts';
import { switchLink } from './switch-link.ts';
import { runConnectivityTest } from './test-connectivity.ts';
import { testLink } from './test-link.ts';
import { runTryMapping } from './try-mapping.ts';
import { tryRules } from './try-rewriting.ts';

/** Mounts the links to carriers: the record, its history, its switches, the test of a bind, and the connectivity test. */
export function mountLinks(app: App): void {
  mountResource(app, link, links);
  mount(app, linkHistory, showLinkHistory);
  mount(app, linkPulses, showLinkPulses);
  mount(app, enableLink, switchLink('enable'));
  mount(app, disableLink, switchLink('disable'));
  mount(app, drainLink, switchLink('drain'));
  mount(app, callbackAddresses, showCallbackAddresses);
  mount(app, renewCallbackAddresses, renewCallbacks);
  mount(app, tryMapping, runTryMapping);
  carrierCallbacks(app);
  mount(app, tryRewriting, tryRules);
  mountOutside(app, testBind, testLink);
  mountOutside(app, testConnectivity, runConnectivityTest);
}

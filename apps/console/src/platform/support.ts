import { profile } from '@heliograph/contract/identity/session';
import { beginSupport } from '@heliograph/contract/identity/support';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { call, headersFor, parseProblem } from './call.ts';
import { CallError } from './problem.ts';
import { useSession } from './session.ts';
import { OWN_TAB } from './support-tab.ts';

/** Begins a support session for a person, and shows their console in this tab. Throws CallError. */
export async function seeConsoleOf(userId: number, reason: string): Promise<void> {
  const { access_token, expires_in } = await call(beginSupport, { params: { id: userId }, body: { reason } });
  const response = await fetch(profile.path, { headers: headersFor(access_token) });
  const body = await response.text();
  if (!response.ok) throw new CallError(parseProblem({ status: response.status, body }));
  const person = JSON.parse(body) as ReplyOf<typeof profile>;
  const { pageConfigurations } = useSession.getState();
  const isReseller = person.roles.includes('reseller');
  const state = { ...person, verify: true, isLoggedIn: true, pageConfigurations, isReseller };
  const own = { ...sessionStorage, path: location.pathname + location.search };
  sessionStorage.clear();
  Object.assign(sessionStorage, {
    session: JSON.stringify({ state, version: 1 }),
    token: access_token,
    expires_in,
    expires_at: Math.floor(Date.now() / 1000) + expires_in,
    [OWN_TAB]: JSON.stringify(own),
  });
  location.assign(`/${person.profile.landing_page.replace(/^\//, '')}`);
}

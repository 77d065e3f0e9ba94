import assert from 'node:assert/strict';
import type { Posted } from './saml-peer.ts';
import { Browser, type Reply, type signOnStage } from './stage.ts';

type Stage = Awaited<ReturnType<typeof signOnStage>>;

/** Posts a response as another site's page does, and answers what the redirect carries. */
export async function post(s: Stage, key: string, posted: Partial<Posted>): Promise<Record<string, string>> {
  const answer = await fetch(`${s.api.url}/api/v1/sso/${key}/acs`, {
    method: 'POST',
    redirect: 'manual',
    // A provider on a neighboring host: the browser sends our cookie, but the page does not know its value.
    headers: { cookie: 'XSRF-TOKEN=of-the-browser' },
    body: new URLSearchParams(posted as Record<string, string>),
  });
  assert.equal(answer.status, 303);
  const to = new URL(answer.headers.get('location')!);
  assert.equal(to.pathname, `/sso/${key}`);
  assert.equal(to.search, '', 'no server sees what the browser carries');
  return Object.fromEntries(new URLSearchParams(to.hash.slice(1)));
}

/** Brings a posted response back to our page in a browser. */
export async function bring(s: Stage, key: string, posted: Partial<Posted>, browser: Browser): Promise<Reply> {
  return browser.finish(key, await post(s, key, posted));
}

export const newBrowser = (s: Stage): Browser => new Browser(s.api);

import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { lastFirst } from '../apps/server/test/template-database.ts';
import { openFirefox, withoutFirefox } from './firefox.ts';
import { type House, openBrowser, type ProxySettings, signIn, startHouse } from './house.ts';
import { NAME, startNameProxy, startNginx, withoutNginx } from './nginx.ts';

// Tests of the address, the certificate and the proxy of docs/operate/install.md, as its visitors see them.

const ORIGIN = `https://${NAME}`;

/** Record that a page keeps of its websockets. */
interface Heard {
  addresses: string[];
  joined: string[];
}

/** Records the addresses of websockets and the channels that a page has joined; runs in the page. */
function noteSockets(): void {
  const heard: Heard = { addresses: [], joined: [] };
  const Usual = window.WebSocket;
  class Noted extends Usual {
    constructor(address: string | URL, protocols?: string | string[]) {
      super(address, protocols);
      heard.addresses.push(String(address));
      this.addEventListener('message', ({ data }) => {
        const { event, channel } = JSON.parse(String(data)) as { event: string; channel?: string };
        if (event === 'pusher_internal:subscription_succeeded' && channel) heard.joined.push(channel);
      });
    }
  }
  Object.assign(window, { WebSocket: Noted, heard });
}

const heardBy = (page: Page) => page.evaluate(() => (window as unknown as { heard: Heard }).heard);

/** Signs in through the proxy and waits for a notification that arrives without a reload. */
async function isTold(t: TestContext, house: House, browser: Browser): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, ignoreHTTPSErrors: true });
  t.after(() => context.close());
  await context.addInitScript(noteSockets);
  const page = await signIn(context, { url: ORIGIN }, 'corporate');
  assert.equal(await page.evaluate(() => isSecureContext), true);
  const { rows } = await house.database.query("SELECT id FROM user_account WHERE email = 'corporate@heliograph.test'");
  const channel = `private-App.Models.User.${rows[0].id}`;
  await page.waitForFunction((own) => (window as unknown as { heard: Heard }).heard.joined.includes(own), channel);
  const event = 'Illuminate\\Notifications\\Events\\BroadcastNotificationCreated';
  const data = { type: 'download.done', message: 'Told through the proxy.' };
  await house.database.query("SELECT pg_notify('heliograph_events', $1)", [JSON.stringify({ channel, event, data })]);
  await page.getByRole('alert').getByText('Told through the proxy.').waitFor();
  const { addresses } = await heardBy(page);
  for (const address of addresses) assert.ok(address.startsWith(`wss://${NAME}:443/app/`), address);
}

describe('behind nginx and TLS as docs/operate/install.md sets them up', { skip: withoutNginx }, () => {
  const scope = lastFirst({ after });
  let house: House;
  let proxy: ProxySettings;

  before(async () => {
    house = await startHouse(scope, { TRUST_PROXY: '1', PUBLIC_URL: ORIGIN, DEMO_IN_PUBLIC: 'true' });
    proxy = await startNameProxy(scope, await startNginx(scope, new URL(house.url).port));
  });

  it('the page comes with 200 over HTTP/2 and asks for TLS from then on', async (t) => {
    const context = await (await openBrowser(t, proxy)).newContext({ ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const answer = await page.goto(`${ORIGIN}/login`);
    assert.equal(answer?.status(), 200);
    assert.match(answer.headers()['strict-transport-security'] ?? '', /max-age=\d{6,}/);
    const protocol = () =>
      (performance.getEntriesByType('navigation')[0] as PerformanceNavigationTiming).nextHopProtocol;
    assert.equal(await page.evaluate(protocol), 'h2');
  });

  it('live events reach Chromium', async (t) => isTold(t, house, await openBrowser(t, proxy)));

  it('live events reach Firefox', { skip: withoutFirefox }, async (t) => isTold(t, house, await openFirefox(t, proxy)));
});

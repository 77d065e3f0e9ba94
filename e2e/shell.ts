import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BrowserContext, Page, WebSocketRoute } from 'playwright-core';
import { clientOf } from './api-client.ts';
import { DEMO_PASSWORD, hearing, signIn } from './house.ts';
import { browser, house } from './screens.ts';

const arrived = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path);
const go = (page: Page, path: string) => page.evaluate((to) => history.pushState(null, '', to), path);

async function freshContext(t: TestContext): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  t.after(() => context.close());
  return context;
}

/** Counts the files that a person has not downloaded yet. */
const unreadOf = async (who: string) => {
  const { rows } = await house.database.query(
    `SELECT count(*)::integer AS files FROM download d JOIN user_account u ON u.id = d.user_id
     WHERE u.email = $1 AND d.downloaded_at IS NULL`,
    [`${who}@heliograph.test`],
  );
  return rows[0].files as number;
};
const bellWith = (page: Page, count: number) =>
  page.getByRole('button', { name: count === 0 ? 'Notifications' : `Notifications: ${count}`, exact: true });

/** Requests a file outside the page; returns its id. */
async function askForFile(page: Page): Promise<number> {
  const client = clientOf(house, (await page.evaluate(() => localStorage.getItem('token'))) ?? '');
  const today = new Date().toISOString().slice(0, 10);
  const asked = await client('POST', '/api/v1/transactions/exports', { body: { from: today, to: today } });
  assert.equal(asked.status, 202, asked.text);
  const { id } = asked.body.data as { id: number };
  for (;;) {
    const { rows } = await house.database.query('SELECT state FROM download WHERE id = $1', [id]);
    if (rows[0].state === 'done') return id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Tests the guarantees of the shell around the screens. */
export function shellKeepsItsWord(): void {
  test('the page rejects styles without its nonce, which is new for each load', async (t) => {
    const context = await freshContext(t);
    const page = await signIn(context, house, 'corporate');
    const nonces = new Set<string>();
    for (let load = 0; load < 2; load++) {
      const answer = await page.goto(`${house.url}/dashboard`);
      const policy = answer?.headers()['content-security-policy'] ?? '';
      nonces.add(/style-src 'self' 'nonce-([\w-]{22})'/.exec(policy)?.[1] ?? '');
    }
    assert.ok(nonces.size === 2 && !nonces.has(''), [...nonces].join());
    // Styles that an injection could bring in: an element without the nonce, and an attribute in HTML.
    const drawn = await page.evaluate(() => {
      const rule = 'body { outline: 7px solid red }';
      document.head.append(Object.assign(document.createElement('style'), { textContent: rule }));
      const holder = document.createElement('div');
      holder.innerHTML = '<p style="outline: 7px solid red">';
      document.body.append(holder);
      return [document.body, holder.firstElementChild!].map((each) => getComputedStyle(each).outlineWidth);
    });
    assert.ok(!drawn.includes('7px'), drawn.join());
  });

  test('events during a lost live connection show after it is back, with a notice', async (t) => {
    const context = await freshContext(t);
    let cut = false;
    const open = new Set<WebSocketRoute>();
    await context.routeWebSocket(/\/app\/heliograph/, (route) => {
      if (cut) return void route.close({ code: 4200, reason: 'cut' });
      open.add(route);
      route.connectToServer();
    });
    // Figures that a timer refreshes would hide what the connection missed.
    await context.addInitScript(() => {
      const usual = window.setInterval.bind(window) as (work: TimerHandler, ms?: number) => number;
      Object.assign(window, { setInterval: (work: TimerHandler, ms = 0) => (ms < 30_000 ? usual(work, ms) : 0) });
    });
    const page = await signIn(context, house, 'corporate');
    await hearing(page);
    const before = await unreadOf('corporate');
    await bellWith(page, before).waitFor();
    cut = true;
    for (const route of open) await route.close({ code: 4200, reason: 'cut' });
    const paused = page.getByRole('status').getByText('Live updates are paused.', { exact: false });
    await paused.waitFor();
    await askForFile(page);
    assert.equal(await bellWith(page, before).count(), 1);
    cut = false;
    await bellWith(page, before + 1).waitFor();
    await paused.waitFor({ state: 'detached' });
  });

  test('an unavailable file says why in a dialog, and a failed call shows nothing', async (t) => {
    const context = await freshContext(t);
    const page = await signIn(context, house, 'corporate');
    await askForFile(page);
    const answer = { status: 200, contentType: 'application/json' };
    let refusal: object = { ...answer, body: JSON.stringify({ success: false, message: 'It is gone.', data: null }) };
    const asked = () => page.waitForResponse(/queue-download-unread-file/);
    await page.route('**/queue-download-unread-file/*', (route) => route.fulfill(refusal));
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const entry = page.getByRole('menuitem').first();
    await entry.click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('It is gone.').waitFor();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await dialog.waitFor({ state: 'detached' });
    refusal = { ...answer, status: 500, body: '{}' };
    if (!(await entry.isVisible())) await page.getByRole('button', { name: /^Notifications/ }).click();
    const failed = asked();
    await entry.click();
    await failed;
    await page.waitForTimeout(300);
    assert.equal(await dialog.count(), 0);
    // The notice that the file is ready may come this late.
    const notices = page.getByRole('alert').filter({ hasNotText: 'is ready to download' });
    assert.equal(await notices.count(), 0);
  });

  test('a screen chosen while offline opens when the connection is back', async (t) => {
    const context = await freshContext(t);
    const page = await signIn(context, house, 'corporate');
    await hearing(page);
    await context.setOffline(true);
    const bar = page.getByRole('status').getByText('You are offline.', { exact: false });
    await bar.waitFor();
    await go(page, '/number-lists');
    await page.waitForTimeout(3_000);
    await page.getByRole('navigation').first().waitFor();
    assert.equal(await page.getByRole('heading', { level: 1, name: 'Number lists' }).count(), 0);
    await bar.waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Number lists' }).waitFor();
    await bar.waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).pathname, '/number-lists');
  });

  test('palette and menus requested while offline open when the connection is back', async (t) => {
    const context = await freshContext(t);
    const page = await signIn(context, house, 'corporate');
    await hearing(page);
    await context.setOffline(true);
    const bar = page.getByRole('status').getByText('You are offline.', { exact: false });
    await bar.waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('button', { name: 'Account' }).click();
    await page.waitForTimeout(500);
    await page.getByRole('navigation').first().waitFor();
    await bar.waitFor();
    await context.setOffline(false);
    await page.getByRole('dialog').first().waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  });

  test('a screen that is in two groups of the menu is marked in one of them', async (t) => {
    const context = await freshContext(t);
    const page = await signIn(context, house, 'corporate');
    await go(page, '/message-templates');
    const marked = page.locator('nav [aria-current=page]');
    await marked.waitFor();
    assert.equal(await marked.count(), 1);
  });

  test('a session ended by somebody else leads to the sign-in with a notice', async (t) => {
    const context = await freshContext(t);
    const page = await signIn(context, house, 'department');
    await house.database.query(
      `UPDATE session s SET ended_at = now(), ended_because = 'administrator' FROM user_account u
       WHERE u.id = s.user_id AND u.email = 'department@heliograph.test'`,
    );
    await go(page, '/number-lists');
    await arrived(page, '/login');
    await page.getByRole('alert').first().waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem('token')), null);
    assert.equal(new URL(page.url()).search, '');
    await page.getByLabel('E-mail').fill('department@heliograph.test');
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await arrived(page, '/number-lists');
    // The sign-in has removed the stored place to return to.
    await page.evaluate(() => sessionStorage.getItem('return_place')).then((kept) => assert.equal(kept, null));
  });

  test('an expired password is renewed on a page without the email in its address', async (t) => {
    const context = await freshContext(t);
    const page = await context.newPage();
    const addresses: string[] = [];
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await page.route('**/api/v1/oauth/token', (route) =>
      route.fulfill({
        status: 422,
        contentType: 'application/json',
        body: JSON.stringify({ success: false, code: 'password_expired', message: 'It has expired.', data: null }),
      }),
    );
    await page.goto(`${house.url}/login`);
    await page.getByLabel('E-mail').fill('department@heliograph.test');
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await arrived(page, '/reset-expired-password');
    for (const address of addresses) assert.doesNotMatch(address, /department/);
  });

  test('a pasted text that is cut to the limit shows how much is missing', async (t) => {
    const context = await freshContext(t);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const page = await signIn(context, house, 'corporate');
    await go(page, '/send-sms');
    const field = page.getByPlaceholder('Write the message here');
    await field.click();
    await page.evaluate(() => navigator.clipboard.writeText('x'.repeat(1_600)));
    await page.keyboard.press('Control+v');
    await page.getByText('its last 70 characters were cut off', { exact: false }).waitFor();
    assert.equal((await field.inputValue()).length, 1_530);
  });

  test('keys open the palette, which finds screens, campaigns and numbers', async (t) => {
    const context = await freshContext(t);
    const page = await signIn(context, house, 'corporate');
    await page.getByRole('button', { name: /^Notifications/ }).waitFor();
    const { rows } = await house.database.query(
      `SELECT k.id, k.name FROM campaign k JOIN corporation c ON c.id = k.corporation_id WHERE c.name = 'Acme Retail'
       ORDER BY k.id LIMIT 1`,
    );
    const find = async (text: string, option: string | RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Find a screen, a campaign or a number').fill(text);
      await page.getByRole('button', { name: option }).first().click();
    };
    await find('depart', 'Departments');
    await arrived(page, '/departments');
    await find(rows[0].name, rows[0].name);
    await arrived(page, `/campaign-history/${rows[0].id}`);
    await find('639171234567', /639171234567/);
    await page.waitForURL(
      (url) => url.pathname === '/transactions' && url.searchParams.get('number') === '639171234567',
    );
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Find anything').waitFor();
  });

  test('preferences apply immediately and on every screen', async (t) => {
    const context = await freshContext(t);
    const page = await signIn(context, house, 'department');
    await go(page, '/profile');
    const choose = async (label: string, option: string | RegExp) => {
      await page.getByRole('combobox', { name: label }).click();
      const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
      await page.getByRole('option', { name: option }).first().click();
      assert.equal((await saved).status(), 200);
    };
    await choose('Rows on a page', '10');
    await choose('Dates', /Year-month-day/);
    await page.getByRole('combobox', { name: 'Times are shown in' }).fill('Pacific/Kiritimati');
    await choose('Times are shown in', 'Pacific/Kiritimati');
    const { rows } = await house.database.query(
      `SELECT to_char(k.created_at AT TIME ZONE 'Pacific/Kiritimati', 'YYYY-MM-DD') AS day FROM campaign k
       JOIN corporation c ON c.id = k.corporation_id WHERE c.name = 'Acme Retail' ORDER BY k.created_at DESC LIMIT 1`,
    );
    await go(page, '/campaigns');
    await page.locator('main tbody tr').getByText(rows[0].day, { exact: false }).first().waitFor();
    await page.locator('main').getByText('Rows per page').waitFor();
    await page.locator('main').getByRole('button', { name: '10', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitem', { name: '繁體中文' }).click();
    await go(page, '/transactions');
    await page.locator('main .mantine-DatePickerInput-input').first().click();
    await page
      .getByRole('button', { name: /[一二三四五六七八九十]月/ })
      .first()
      .waitFor();
  });
  test('desktop notifications need a click and show while the page is in the background', async (t) => {
    const context = await freshContext(t);
    await context.addInitScript(() => {
      const log = { asked: 0, shown: [] as string[] };
      class Recorded {
        static permission = 'default';
        static async requestPermission() {
          log.asked++;
          Recorded.permission = 'granted';
          return 'granted';
        }
        constructor(_title: string, { body }: { body: string }) {
          log.shown.push(body);
        }
      }
      Object.assign(window, { Notification: Recorded, notifications_log: log });
    });
    const log = () =>
      page.evaluate(() => (window as unknown as { notifications_log: { asked: number } }).notifications_log);
    const page = await signIn(context, house, 'reseller');
    await hearing(page);
    await go(page, '/profile');
    const wish = page.getByRole('switch', { name: 'Show notifications while this page is in the background' });
    await wish.waitFor({ state: 'attached' });
    assert.deepEqual(await log(), { asked: 0, shown: [] });
    await wish.click({ force: true });
    await page.waitForFunction(() => localStorage.getItem('desktop_notifications') === 'on');
    const tell = async (message: string) => {
      const { rows } = await house.database.query(
        "SELECT id FROM user_account WHERE email = 'reseller@heliograph.test'",
      );
      const event = 'Illuminate\\Notifications\\Events\\BroadcastNotificationCreated';
      const data = { type: 'download.done', message };
      const payload = { channel: `private-App.Models.User.${rows[0].id}`, event, data };
      await house.database.query("SELECT pg_notify('heliograph_events', $1)", [JSON.stringify(payload)]);
      await page.getByRole('alert').getByText(message).waitFor();
    };
    await tell('Seen on the page.');
    await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }));
    await tell('Seen beside it.');
    assert.deepEqual(await log(), { asked: 1, shown: ['Seen beside it.'] });
  });
}

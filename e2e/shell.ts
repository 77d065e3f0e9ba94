import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEMO_PASSWORD, hearing, signIn } from './house.ts';
import { house } from './own-house.ts';
import { arrived, freshContext, go } from './shell-page.ts';

/** Tests the guarantees of the shell around the screens. */
export function shellKeepsItsWord(): void {
  pageAndSessionAreGuarded();
  writingAndMovingAreEasy();
  preferencesApply();
}

function pageAndSessionAreGuarded(): void {
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

  test('a session ended by somebody else leads to the sign-in with a notice', async (t) => {
    const context = await freshContext(t);
    const page = await signIn(context, house, 'department');
    await go(page, '/number-lists');
    await page.getByRole('heading', { name: 'Number lists', level: 1 }).waitFor();
    await house.database.query(
      `UPDATE session s SET ended_at = now(), ended_because = 'administrator' FROM user_account u
       WHERE u.id = s.user_id AND u.email = 'department@heliograph.test'`,
    );
    // A background call may learn of it first, and has then forgotten the token.
    await page.evaluate(() => {
      if (localStorage.getItem('token') !== null) history.pushState(null, '', '/number-lists?search=a');
    });
    await arrived(page, '/login');
    await page.getByRole('alert').first().waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem('token')), null);
    assert.equal(new URL(page.url()).search, '');
    await page.getByLabel('Email').fill('department@heliograph.test');
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
    await page.getByLabel('Email').fill('department@heliograph.test');
    await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await arrived(page, '/reset-expired-password');
    for (const address of addresses) assert.doesNotMatch(address, /department/);
  });
}

function writingAndMovingAreEasy(): void {
  test('a screen that is in two groups of the menu is marked in one of them', async (t) => {
    const context = await freshContext(t);
    const page = await signIn(context, house, 'corporate');
    await go(page, '/message-templates');
    const marked = page.locator('nav [aria-current=page]');
    await marked.waitFor();
    assert.equal(await marked.count(), 1);
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
    await page.getByText('Its last 70 characters were removed', { exact: false }).waitFor();
    assert.equal((await field.inputValue()).length, 1_530);
  });

  test('keys open the palette, which finds screens, records, actions and numbers', async (t) => {
    const context = await freshContext(t);
    const page = await signIn(context, house, 'corporate');
    await page.getByRole('button', { name: /^Notifications/ }).waitFor();
    const { rows } = await house.database.query(
      `SELECT k.id, k.name FROM campaign k JOIN corporation c ON c.id = k.corporation_id WHERE c.name = 'Acme Retail'
       ORDER BY k.id LIMIT 1`,
    );
    const find = async (text: string, option: string | RegExp) => {
      await page.keyboard.press('Control+k');
      await page.getByPlaceholder('Search, or choose an action').fill(text);
      await page.getByRole('button', { name: option }).first().click();
    };
    await find('depart', 'Departments');
    await arrived(page, '/departments');
    // A synonym finds the form of a new template by keyboard, and the frame stays where it is.
    await page.keyboard.press('Control+k');
    const box = page.getByPlaceholder('Search, or choose an action');
    const place = await box.boundingBox();
    await box.fill('canned');
    await page.getByRole('button', { name: 'New message template' }).waitFor();
    assert.deepEqual(await box.boundingBox(), place);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('New message template').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await box.fill('qzxqzx');
    await page.getByRole('button', { name: 'Open the documentation' }).waitFor();
    await page.keyboard.press('Escape');
    await find(rows[0].name, rows[0].name);
    await arrived(page, `/campaign-history/${rows[0].id}`);
    await find('639171234567', /639171234567/);
    await page.waitForURL(
      (url) => url.pathname === '/transactions' && url.searchParams.get('number') === '639171234567',
    );
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Search everything').waitFor();
  });
}

function preferencesApply(): void {
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
    await choose('Rows per page', '10');
    await choose('Date format', /Year-month-day/);
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Pacific/Kiritimati');
    await choose('Time zone', 'Pacific/Kiritimati');
    const { rows } = await house.database.query(
      `SELECT to_char(k.created_at AT TIME ZONE 'Pacific/Kiritimati', 'YYYY-MM-DD') AS day FROM campaign k
       JOIN corporation c ON c.id = k.corporation_id WHERE c.name = 'Acme Retail' ORDER BY k.created_at DESC LIMIT 1`,
    );
    await go(page, '/campaigns');
    await page.locator('main tbody time').first().hover();
    await page.getByRole('tooltip').getByText(rows[0].day).first().waitFor();
    await page.locator('main').getByText('Rows per page').waitFor();
    await page.locator('main').getByRole('button', { name: '10', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Language' }).click();
    await page.getByRole('menuitem', { name: '繁體中文' }).click();
    await go(page, '/transactions');
    await page.locator('main .mantine-DatePickerInput-input').first().click();
    await page.getByRole('button', { name: /\d月/ }).first().waitFor();
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

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { signOut } from '@heliograph/contract/identity/session';
import { SCREENS } from '@heliograph/contract/kernel/screen-list';
import { until } from '@heliograph/fault-kit';
import type { BrowserContext, Page } from 'playwright-core';
import { clientOf } from './api-client.ts';
import { DEMO_PASSWORD, hearing, PATIENCE_MS, signIn } from './house.ts';
import { browser, house } from './own-house.ts';

async function freshContext(t: { after(end: () => Promise<void>): void }): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, acceptDownloads: true });
  t.after(() => context.close());
  return context;
}
const arrived = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path);
const kept = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);
/** Goes to another screen without a reload. */
const go = (page: Page, path: string) => page.evaluate((to) => history.pushState(null, '', to), path);

/** Returns the newest session of a demo login. */
async function sessionOf(who: string): Promise<string> {
  const { rows } = await house.database.query(
    `SELECT s.id FROM session s JOIN user_account u ON u.id = s.user_id
     WHERE u.email = $1 ORDER BY s.created_at DESC LIMIT 1`,
    [`${who}@heliograph.test`],
  );
  return rows[0].id;
}

const HEADINGS = {
  '/number-lists': 'Number lists',
  '/sender-ids': 'Sender IDs',
  '/departments': 'Departments',
} as const;

/** Ends the access tokens of a session now. */
const expire = (session: string) =>
  house.database.query("UPDATE session_token SET access_expires_at = now() - interval '1 s' WHERE session_id = $1", [
    session,
  ]);

/** Changes the browser's stored session while the application is not running, and then opens a path. */
async function startWith(page: Page, change: object, path: string): Promise<void> {
  await page.goto(`${house.url}/start.css`);
  await page.evaluate((to) => {
    const stored = JSON.parse(localStorage.getItem('session') ?? '{}');
    localStorage.setItem('session', JSON.stringify({ ...stored, state: { ...stored.state, ...to } }));
  }, change);
  await page.goto(house.url + path);
}

test('the root leads to the sign-in, or to the landing page of a signed-in person', async (t) => {
  const context = await freshContext(t);
  const page = await context.newPage();
  await page.goto(house.url);
  await arrived(page, '/login');
  await page.getByLabel('Email').fill('corporate@heliograph.test');
  await page.getByLabel('Password', { exact: true }).fill('Wrong#2026');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('The email address or password is incorrect.').waitFor();
  assert.equal(await kept(page, 'token'), null);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await arrived(page, '/dashboard');
  for (const path of ['/', '/login']) {
    await page.goto(house.url + path);
    await arrived(page, '/dashboard');
  }
  await page.goto(`${house.url}/no/such/screen`);
  await arrived(page, '/not-found');
  await page.getByText('We cannot find this page.').waitFor();
});

test('the guard checks login, permissions and verification, and clears bad sessions', async (t) => {
  const context = await freshContext(t);
  const stranger = await context.newPage();
  await stranger.goto(`${house.url}/number-lists?search=a`);
  await arrived(stranger, '/login');
  await stranger.close();

  const { rows } = await house.database.query(
    `SELECT p.name FROM permission p JOIN role_permission rp ON rp.permission_id = p.id JOIN role r ON r.id = rp.role_id
     WHERE r.name = 'corporate_user'`,
  );
  const held = new Set(rows.map(({ name }) => name));
  const barred = SCREENS.find(({ permission }) => permission !== null && !held.has(permission));
  assert.ok(barred);
  const fails: [what: string, change: object, path: string][] = [
    ['no right to the screen', {}, `/${barred.path}`],
    ['no rights at all', { permissions: [] }, '/profile'],
    ['not verified', { verify: false }, '/dashboard'],
  ];
  for (const [what, change, path] of fails) {
    const page = await signIn(context, house, 'user');
    assert.ok(await kept(page, 'token'), what);
    await startWith(page, change, path);
    await arrived(page, '/login');
    for (const key of ['token', 'refresh_token', 'expires_in']) assert.equal(await kept(page, key), null, what);
    await page.close();
  }
});

test('a screen requested before the sign-in is opened after it', async (t) => {
  const context = await freshContext(t);
  const page = await context.newPage();
  await page.goto(`${house.url}/number-lists`);
  await arrived(page, '/login');
  await page.getByLabel('Email').fill('corporate@heliograph.test');
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await arrived(page, '/number-lists');
});

test('a session that the server ended leads to a notice, and nothing of it is kept', async (t) => {
  const context = await freshContext(t);
  const page = await signIn(context, house, 'department');
  await house.database.query('UPDATE session SET ended_at = now() WHERE id = $1', [await sessionOf('department')]);
  // A background call may learn of it first, and has then forgotten the token.
  await page.evaluate(() => {
    if (localStorage.getItem('token') !== null) history.pushState(null, '', '/number-lists');
  });
  await arrived(page, '/unauthorized');
  await page.getByText('You are not signed in').waitFor();
  assert.equal(await kept(page, 'token'), null);
});

test('signing out ends the session here, in the other tab and on the server', async (t) => {
  const context = await freshContext(t);
  const page = await signIn(context, house, 'department');
  const other = await context.newPage();
  await other.goto(`${house.url}/number-lists`);
  await other.getByRole('heading', { level: 1 }).waitFor();
  const token = (await kept(page, 'token')) ?? '';
  // The server has ended the session before the tab knows, and the other tab makes a call in between.
  const crossed = Promise.withResolvers<void>();
  await page.route(`**${signOut.path}`, async (route) => {
    const answer = await route.fetch();
    await go(other, '/departments');
    await arrived(other, '/login');
    await route.fulfill({ response: answer });
    crossed.resolve();
  });
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await crossed.promise;
  await Promise.all([arrived(page, '/login'), arrived(other, '/login')]);
  for (const key of ['token', 'refresh_token', 'expires_in']) assert.equal(await kept(page, key), null);
  assert.equal((await clientOf(house, token)('GET', '/api/v1/profiles')).status, 401);
});

test('choices are stored in the session and removed by the sign-out', async (t) => {
  const context = await freshContext(t);
  const page = await signIn(context, house, 'superadmin');
  const open = async () => {
    await page.goto(`${house.url}/departments`);
    await page.locator('[data-create]').first().click();
    await page.getByRole('dialog').getByRole('combobox', { name: 'Corporation' }).click();
    await page.getByRole('option', { name: 'Acme Retail', exact: true }).waitFor();
  };
  const lookups = async () =>
    (JSON.parse((await kept(page, 'session')) ?? '{}') as { state: { lookups: Record<string, { name: string }[]> } })
      .state.lookups;
  await open();
  await page.waitForFunction(() => localStorage.getItem('session')?.includes('"corporations"'));
  assert.ok((await lookups())['corporations']?.some(({ name }) => name === 'Acme Retail'));
  // The answer of the server is held back.
  let held = 0;
  await page.route(/\/api\/v1\/corporations\?/, () => void held++);
  await open();
  assert.ok(held > 0);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto(`${house.url}/dashboard`);
  await page.getByRole('button', { name: 'Your account' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await arrived(page, '/login');
  assert.deepEqual(await lookups(), {});
});

test('expired access tokens are renewed silently, in two tabs at the same time too', async (t) => {
  const context = await freshContext(t);
  const page = await signIn(context, house, 'corporate');
  const other = await context.newPage();
  await other.goto(`${house.url}/departments`);
  await other.getByText('Marketing').first().waitFor();
  const session = await sessionOf('corporate');
  for (const [here, there] of [
    ['/number-lists', '/sender-ids'],
    ['/departments', '/number-lists'],
  ] as const) {
    const before = await kept(page, 'token');
    await expire(session);
    await Promise.all([go(page, here), go(other, there)]);
    const renewed = (old: string | null) => localStorage.getItem('token') !== old;
    for (const [tab, screen] of [
      [page, here],
      [other, there],
    ] as const) {
      await tab.waitForFunction(renewed, before);
      await tab.getByRole('heading', { level: 1, name: HEADINGS[screen] }).waitFor();
      await tab.locator('main tbody tr').first().waitFor();
    }
    assert.deepEqual([new URL(page.url()).pathname, new URL(other.url()).pathname], [here, there]);
    const now = await kept(page, 'token');
    assert.notEqual(now, before);
    assert.equal(await kept(other, 'token'), now);
    assert.equal((await clientOf(house, now ?? '')('GET', '/api/v1/profiles')).status, 200);
  }
  const { rows } = await house.database.query('SELECT ended_at FROM session WHERE id = $1', [session]);
  assert.equal(rows[0].ended_at, null);
});

test('light or dark mode is kept in the cookie and set at the first paint of a visit', async (t) => {
  const context = await freshContext(t);
  const page = await signIn(context, house, 'readonly');
  const mode = () => page.evaluate(() => document.documentElement.getAttribute('data-mantine-color-scheme'));
  const cookie = async () => (await context.cookies()).find(({ name }) => name === 'mode')?.value;
  // The button changes first, then the page and the cookie.
  const becomes = (wanted: string) =>
    until(`page and cookie are ${wanted}`, async () => (await mode()) === wanted && (await cookie()) === wanted);
  assert.equal(await mode(), 'light');
  await page.getByRole('button', { name: 'Switch to dark mode' }).click();
  await page.getByRole('button', { name: 'Switch to light mode' }).waitFor();
  await becomes('dark');
  await page.addInitScript(() => {
    const frames: (string | null)[] = [];
    Object.assign(window, { frames_seen: frames });
    const look = () => {
      // The browser paints only after there is a body.
      if (document.body) frames.push(document.documentElement.getAttribute('data-mantine-color-scheme'));
      requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await page.reload();
  await page.getByRole('button', { name: 'Switch to light mode' }).waitFor();
  const frames = await page.evaluate(() => (window as unknown as { frames_seen: string[] }).frames_seen);
  assert.ok(frames.length > 0);
  assert.deepEqual(new Set(frames), new Set(['dark']));
  await page.getByRole('button', { name: 'Switch to light mode' }).click();
  await page.getByRole('button', { name: 'Switch to dark mode' }).waitFor();
  await becomes('light');
});

test('another language takes effect immediately and stays after a reload', async (t) => {
  const context = await freshContext(t);
  const page = await signIn(context, house, 'reseller');
  await page.evaluate(() => Object.assign(window, { same_page: true }));
  await page.getByRole('button', { name: 'Language' }).click();
  await page.getByRole('menuitem', { name: '繁體中文' }).click();
  await page.getByRole('button', { name: '語言' }).waitFor();
  assert.equal(await page.evaluate(() => 'same_page' in window), true);
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh-Hant');
  assert.equal((await context.cookies()).find(({ name }) => name === 'locale')?.value, 'zh');
  await page.reload();
  await page.getByRole('button', { name: '語言' }).waitFor();
});

test('a finished file rings the bell without a reload, and opening it marks it read', async (t) => {
  const context = await freshContext(t);
  const page = await signIn(context, house, 'corporate');
  await hearing(page);
  const { rows: unread } = await house.database.query(
    `SELECT count(*)::integer AS files FROM download d JOIN user_account u ON u.id = d.user_id
     WHERE u.email = 'corporate@heliograph.test' AND d.downloaded_at IS NULL`,
  );
  const before: number = unread[0].files;
  const bell = page.getByRole('button', {
    name: before === 0 ? 'Notifications' : `Notifications: ${before}`,
    exact: true,
  });
  await bell.waitFor();

  // The file is requested elsewhere, so that this page learns of it only by the live event.
  const today = new Date().toISOString().slice(0, 10);
  const client = clientOf(house, (await kept(page, 'token')) ?? '');
  const from = new Date(Date.now() - 6 * 86_400_000).toISOString().slice(0, 10);
  const asked = await client('POST', '/api/v1/transactions/exports', { body: { from, to: today } });
  assert.equal(asked.status, 202, asked.text);
  const rung = page.getByRole('button', { name: `Notifications: ${before + 1}`, exact: true });
  await rung.waitFor();
  await rung.click();
  const center = page.getByRole('dialog', { name: 'Notifications' });
  const entry = center.getByRole('button').filter({ hasText: String(asked.body.data.download_file) });
  const downloading = page.waitForEvent('download');
  await entry.first().click();
  const file = readFileSync(await (await downloading).path(), 'utf8');
  assert.ok(file.split('\n').length > 100, file.slice(0, 300));
  const read = async () => {
    const { rows } = await house.database.query('SELECT downloaded_at FROM download WHERE id = $1', [
      asked.body.data.id,
    ]);
    return rows[0].downloaded_at;
  };
  for (const end = Date.now() + PATIENCE_MS; !(await read()); await page.waitForTimeout(50))
    assert.ok(Date.now() < end);
  await bell.waitFor();
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, WebSocketRoute } from 'playwright-core';
import { clientOf } from './api-client.ts';
import { hearing, signIn } from './house.ts';
import { browser, house } from './own-house.ts';
import { freshContext, go } from './shell-page.ts';

/** Tells whether the service worker has a file whose name begins so; runs in the page. */
async function isKept(name: string): Promise<boolean> {
  for (const kept of await caches.keys())
    for (const { url } of await (await caches.open(kept)).keys()) if (url.includes(`/assets/${name}-`)) return true;
  return false;
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

/** Tests that the shell loses nothing while the network or a call fails. */
export function shellOutlivesTheNetwork(): void {
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
    const entry = page.getByRole('dialog', { name: 'Notifications' }).getByRole('listitem').getByRole('button').first();
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
    const bar = page.getByRole('status').getByText('No connection');
    await bar.waitFor();
    await go(page, '/number-lists');
    await page.waitForTimeout(3_000);
    await page.getByRole('navigation').first().waitFor();
    await bar.waitFor();
    await context.setOffline(false);
    await page.getByRole('heading', { level: 1, name: 'Number lists' }).waitFor();
    await bar.waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).pathname, '/number-lists');
  });

  test('a form keeps its text while the network is gone, and screens are kept', async (t) => {
    const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, serviceWorkers: 'allow' });
    t.after(() => context.close());
    const page = await signIn(context, house, 'corporate');
    for (const screen of ['number-lists', 'templates', 'messages-en'])
      await page.waitForFunction(isKept, screen, { polling: 200 });
    await go(page, '/number-lists');
    await page.locator('main button[data-create]').first().click();
    const form = page.getByRole('dialog');
    const name = form.getByRole('textbox', { name: 'Name' });
    await name.fill('Kept while away');
    await context.setOffline(true);
    const bar = page.getByRole('status').getByText('No connection');
    await bar.waitFor();
    await page.getByText(/retrying in \d s/).waitFor();
    await form.locator('button[type=submit]').click();
    await page.getByRole('alert').first().waitFor();
    assert.equal(await name.inputValue(), 'Kept while away');
    await context.setOffline(false);
    await bar.waitFor({ state: 'detached' });
    assert.equal(await name.inputValue(), 'Kept while away');
  });

  test('palette and menus requested while offline open when the connection is back', async (t) => {
    const context = await freshContext(t);
    const page = await signIn(context, house, 'corporate');
    await hearing(page);
    await context.setOffline(true);
    const bar = page.getByRole('status').getByText('No connection');
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
}

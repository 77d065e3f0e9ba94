import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { Secret, TOTP } from 'otpauth';
import type { BrowserContext, Page } from 'playwright-core';
import { DEMO_PASSWORD, hearing, signIn } from './house.ts';
import { browser, house } from './own-house.ts';

async function freshContext(t: { after(end: () => Promise<void>): void }): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 950 } });
  t.after(() => context.close());
  return context;
}
const arrived = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path);
const main = (page: Page) => page.locator('main');
const menuEntry = (page: Page, name: string) => page.getByRole('navigation').getByRole('link', { name, exact: true });

/** Chooses an option of a select by its name. */
async function choose(page: Page, field: string, option: string): Promise<void> {
  await main(page).getByLabel(field, { exact: true }).first().click();
  await page.getByRole('option', { name: option, exact: true }).click();
}

/** Fills the sign-in form with an email address and a password. */
async function enter(page: Page, email: string, password: string): Promise<void> {
  await page.goto(`${house.url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('a form on a page leads to its errors and saves by key; its user can sign in', async (t) => {
  const page = await signIn(await freshContext(t), house, 'corporate');
  await page.goto(`${house.url}/users`);
  await main(page).getByRole('button', { name: 'Create', exact: true }).click();
  await arrived(page, '/users/new');
  const form = main(page).locator('form');
  const name = form.getByRole('textbox', { name: 'Name' });
  await name.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Control+Enter');
  await form.getByRole('button', { name: '6 errors' }).waitFor();
  await form.getByRole('link', { name: /Personal details.*4/ }).waitFor();
  await form.getByRole('link', { name: 'Sending' }).click();
  await form.getByLabel('Skip blacklist').and(page.locator(':focus')).waitFor();
  await form.getByRole('button', { name: '6 errors' }).click();
  await name.and(page.locator(':focus')).waitFor();
  // The foot stays in view, however low the window is.
  for (const height of [950, 500]) {
    await page.setViewportSize({ width: 1360, height });
    const save = await form.getByRole('button', { name: 'Create' }).boundingBox();
    assert.ok(save && save.y + save.height <= height);
  }
  await page.setViewportSize({ width: 1360, height: 950 });
  await name.fill('Lighthouse keeper');
  await form.getByRole('button', { name: '5 errors' }).waitFor();
  await page.goBack();
  await page.getByRole('button', { name: 'Keep editing' }).click();
  await form.getByLabel('Email address').fill('keeper@acme.test');
  await form.getByLabel(/^Password/).fill('Lantern#41');
  await form.getByLabel('Confirm password').fill('Lantern#41');
  await choose(page, 'Permission template', 'Corporate user');
  await choose(page, 'Department', 'Marketing');
  await form.getByLabel('Supervisors').click();
  await page.getByRole('option', { name: 'Acme marketing admin' }).click();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+Enter');
  await page.getByText('User created').waitFor();
  await arrived(page, '/users');
  await main(page).getByRole('link', { name: 'Lighthouse keeper' }).click();
  await main(page).getByRole('heading', { level: 1, name: 'Lighthouse keeper' }).waitFor();
  for (const text of ['Corporate user', 'Acme Retail', 'Marketing', 'Acme marketing admin', 'Acme corporate admin'])
    await main(page).getByText(text, { exact: true }).first().waitFor();

  const theirs = await (await freshContext(t)).newPage();
  await enter(theirs, 'keeper@acme.test', 'Lantern#41');
  await arrived(theirs, '/dashboard');

  await page.goto(`${house.url}/activity-logs`);
  await main(page).getByRole('link', { name: 'User Lighthouse keeper' }).waitFor();
  const line = main(page).getByText('Acme corporate admin created User Lighthouse keeper');
  await line.locator('xpath=../..').getByRole('button').click();
  const entry = page.getByRole('dialog');
  await entry.getByRole('cell', { name: 'keeper@acme.test' }).waitFor();
  assert.equal(await entry.getByText('Lantern#41').count(), 0);
});

test('a permission granted to a role shows in the open console of its people', async (t) => {
  const admin = await signIn(await freshContext(t), house, 'superadmin');
  const reader = await signIn(await freshContext(t), house, 'user');
  await hearing(reader, 'application.1');
  assert.equal(await menuEntry(reader, 'Departments').count(), 0);
  await admin.goto(`${house.url}/assign-permissions`);
  await main(admin).getByLabel('Role').click();
  await admin.getByRole('option', { name: 'Corporate user' }).click();
  await main(admin).getByLabel('Search permissions').fill('departments');
  const row = main(admin).getByRole('group', { name: 'Departments' });
  await row.getByLabel('List').check();
  await row.getByLabel('View').check();
  await main(admin).getByText('2 changes').waitFor();
  await main(admin).getByRole('button', { name: 'Review changes' }).click();
  const review = admin.getByRole('dialog');
  await review.getByText('Departments: List').waitFor();
  await review.getByText('Departments: View').waitFor();
  await review.getByRole('button', { name: 'Save' }).click();
  await admin.getByText('The permissions were saved.').waitFor();
  await reader.getByRole('button', { name: 'Corporations' }).click();
  await menuEntry(reader, 'Departments').click();
  await arrived(reader, '/departments');
  await main(reader).getByText('Marketing').first().waitFor();
});

test('the menu is reordered by key and by mouse, and every open menu follows', async (t) => {
  const admin = await signIn(await freshContext(t), house, 'superadmin');
  const other = await signIn(await freshContext(t), house, 'corporate');
  await other.evaluate(() => Object.assign(window, { same_page: true }));
  await hearing(other, 'application.1');
  // All entries fit in the window: the mouse moves none to a place that it does not show.
  await admin.setViewportSize({ width: 1360, height: 2400 });
  await admin.goto(`${house.url}/menus`);
  const handle = (name: string) => main(admin).getByRole('button', { name: `Move ${name}`, exact: true });
  await handle('Numbers').focus();
  await admin.keyboard.press('Alt+ArrowUp');
  await main(admin).getByRole('status').filter({ hasText: 'Numbers is now number 3 in the main menu' }).waitFor();
  await main(admin).getByRole('button', { name: 'Save order' }).click();
  await admin.getByText('The menu was saved.').waitFor();
  await other.waitForFunction(() => {
    const text = document.querySelector('nav')?.textContent ?? '';
    return text.indexOf('Numbers') > 0 && text.indexOf('Numbers') < text.indexOf('Corporations');
  });

  // The mouse moves the group of corporations, with its contents, above that of SMS.
  // The bar with the saved order has gone by then, so nothing on the page moves any more.
  await main(admin).getByRole('button', { name: 'Save order' }).waitFor({ state: 'hidden' });
  const from = await handle('Corporations').first().boundingBox();
  const to = await handle('SMS').boundingBox();
  assert.ok(from && to);
  await admin.mouse.move(from.x + 10, from.y + 10);
  await admin.mouse.down();
  await admin.mouse.move(from.x + 10, from.y - 20, { steps: 4 });
  await admin.mouse.move(to.x + 10, to.y + 6, { steps: 12 });
  // A dropped entry falls at the place in the last drawn frame.
  await admin.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await admin.mouse.up();
  await main(admin).getByRole('button', { name: 'Save order' }).click();
  await other.waitForFunction(() => {
    const text = document.querySelector('nav')?.textContent ?? '';
    return text.indexOf('Corporations') > 0 && text.indexOf('Corporations') < text.indexOf('SMS');
  });

  await main(admin).getByRole('button', { name: 'Actions for Reports' }).click();
  await admin.getByRole('menuitem', { name: 'Edit' }).click();
  const form = admin.getByRole('dialog');
  await form.getByLabel('Title in English').fill('Insight');
  await form.getByLabel('Title in Filipino').fill('Pagsusuri');
  await form.getByRole('button', { name: 'Save' }).click();
  await other.getByRole('navigation').getByText('Insight').first().waitFor();
  await other.getByRole('button', { name: 'Language' }).click();
  await other.getByRole('menuitem', { name: 'Filipino' }).click();
  await other.getByRole('navigation').getByText('Pagsusuri').first().waitFor();
  assert.equal(await other.evaluate(() => 'same_page' in window), true);
});

/** Finds the newest text with a code in it that a virtual handset received. */
async function codeOn(number: string): Promise<string> {
  return until(`a code reaches ${number}`, async () => {
    const log = (await (await fetch(`${house.simulator}/api/log?after=0&limit=10000`)).json()) as unknown;
    return JSON.stringify(log).includes(number) && /(\d{6}) is your .+ code/.exec(await textsOf(number))?.[1];
  });
}

async function textsOf(number: string): Promise<string> {
  const response = await fetch(`${house.simulator}/api/handsets/${number}`);
  return JSON.stringify(await response.json());
}

test('a code by SMS comes over the carrier and opens the session; a wrong one fails', async (t) => {
  await house.database.query("UPDATE user_account SET otp = true WHERE email = 'department@heliograph.test'");
  const page = await (await freshContext(t)).newPage();
  await enter(page, 'department@heliograph.test', DEMO_PASSWORD);
  await arrived(page, '/verify-otp');
  const code = await codeOn('639170009003');
  const type = async (digits: string) => {
    await page.getByLabel('Code 1').click();
    await page.keyboard.type(digits);
  };
  await type(String((Number(code) + 1) % 1_000_000).padStart(6, '0'));
  await page.getByRole('alert').getByText('This code is incorrect.').waitFor();
  await type(code);
  await arrived(page, '/dashboard');
  await house.database.query("UPDATE user_account SET otp = false WHERE email = 'department@heliograph.test'");
});

test('an authenticator app is added and asked for at sign-in, or a recovery code', async (t) => {
  const context = await freshContext(t);
  const page = await signIn(context, house, 'user');
  await page.goto(`${house.url}/profile`);
  await main(page).getByRole('button', { name: 'Add authenticator app' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('img', { name: 'QR code with the key' }).waitFor();
  const key = ((await dialog.locator('code').first().textContent()) ?? '').replaceAll(' ', '');
  const app = new TOTP({ secret: Secret.fromBase32(key), algorithm: 'SHA1', digits: 6, period: 30 });
  await dialog.getByLabel('Code of the app').fill(app.generate());
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByText('Keep them in a safe place').waitFor();
  const codes = await dialog.locator('code').allInnerTexts();
  assert.equal(codes.length, 10);
  await dialog.getByRole('button', { name: 'I have saved them' }).click();
  await main(page).getByText('10 recovery codes left').waitFor();

  // Later, a change needs a fresh proof by the app; the call is then repeated by itself.
  await house.database.query("UPDATE session SET proved_at = now() - interval '1 hour'");
  await main(page).getByRole('button', { name: 'Renew recovery codes' }).click();
  await dialog.getByText('Confirm that it is you').waitFor();
  await dialog.getByLabel('App code or recovery code').fill('000000');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByRole('alert').getByText('This code is incorrect.').waitFor();
  await dialog.getByLabel('App code or recovery code').fill(codes[1]!);
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await dialog.getByText('Keep them in a safe place').waitFor();
  codes.splice(0, 10, ...(await dialog.locator('code').allInnerTexts()));
  await dialog.getByRole('button', { name: 'I have saved them' }).click();

  const again = await (await freshContext(t)).newPage();
  await enter(again, 'user@heliograph.test', DEMO_PASSWORD);
  await arrived(again, '/verify-otp');
  await again.getByText('Open your authenticator app').waitFor();
  await again.getByRole('button', { name: 'Use a recovery code' }).click();
  await again.getByLabel('Recovery code').fill(codes[0]!);
  await again.getByRole('button', { name: 'Confirm' }).click();
  await arrived(again, '/dashboard');

  // This signs the other session out and tells it so.
  await again.goto(`${house.url}/profile`);
  await main(again).getByText('9 recovery codes left').waitFor();
  await main(again).getByRole('button', { name: 'Sign out everywhere else' }).click();
  await again.getByText('Signed out.').waitFor();
  await page.evaluate(() => history.pushState(null, '', '/number-lists'));
  await arrived(page, '/login');
  await page.getByText('Your session was ended. Please sign in again.').first().waitFor();
});

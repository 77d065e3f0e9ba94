import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import type { Page } from 'playwright-core';
import { openBrowser, showFewRows, signIn, startHouse } from './house.ts';
import { watch } from './screen-reader.ts';

// Paths about the data of people: erasing with four eyes, rules of retention, masked numbers, and what support asks.

const house = await startHouse({ after });
const browser = await openBrowser({ after });

type Scope = { after(end: () => Promise<void>): void };

/** Signs a person in, in a browser of their own. */
async function as(t: Scope, who: string) {
  const context = await browser.newContext({ viewport: { width: 1360, height: 950 }, acceptDownloads: true });
  t.after(() => context.close());
  return { page: await signIn(context, house, who), seen: watch(context) };
}

/** Opens the bell and the entry in it that has these words. */
async function openFromBell(page: Page, words: string): Promise<void> {
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await page.getByRole('link', { name: new RegExp(words) }).click();
}

test('one person asks for an erasure, and another confirms it from the bell', async (t) => {
  const { rows } = await house.database.query<{ number: string }>(
    `SELECT r.number FROM message_row r JOIN corporation c ON c.id = r.corporation_id WHERE c.name = 'Acme Retail'
     GROUP BY 1 HAVING bool_and(r.state NOT IN ('pending', 'submitted')) ORDER BY 1 LIMIT 1`,
  );
  const { number } = rows[0]!;
  const { page: hers, seen } = await as(t, 'corporate');
  await hers.goto(`${house.url}/privacy`);
  await hers.getByRole('button', { name: 'Find person' }).first().click();
  const dialog = hers.getByRole('dialog');
  await dialog.getByLabel('Number').fill(`+${number}`);
  await dialog.getByRole('button', { name: 'Search' }).click();
  await hers.waitForURL(/\/privacy\/\d+$/);
  await hers.getByRole('button', { name: 'Erase data' }).click();
  await dialog.getByLabel('Reason').fill('She asked by email');
  await dialog.getByText('Another person with this permission must confirm').waitFor();
  await dialog.getByRole('button', { name: 'Erase data' }).click();
  await hers.getByText('You requested this erasure. Another person must confirm it').waitFor();
  assert.equal(await hers.getByRole('button', { name: 'Confirm erasure' }).count(), 0);
  await seen.settled(hers);

  const { page: theirs } = await as(t, 'admin');
  await openFromBell(theirs, 'asks you to confirm an erasure');
  await theirs.waitForURL(/\/privacy\/\d+$/);
  await theirs.getByText('She asked by email').waitFor();
  await theirs.getByRole('button', { name: 'Confirm erasure' }).click();
  await theirs.getByRole('dialog').getByRole('button', { name: 'Confirm erasure' }).click();
  await theirs.getByRole('button', { name: 'Certificate' }).waitFor();
  const [file] = await Promise.all([
    theirs.waitForEvent('download'),
    theirs.getByRole('button', { name: 'Certificate' }).click(),
  ]);
  assert.match(file.suggestedFilename(), /^erasure-\d+\.pdf$/);
  const { rows: left } = await house.database.query('SELECT count(*)::int AS count FROM message WHERE msisdn = $1', [
    number,
  ]);
  assert.equal(left[0].count, 0);
});

test('support asks for consent, and the person finds the request in the bell', async (t) => {
  const { rows } = await house.database.query("SELECT id FROM user_account WHERE email = 'corporate@heliograph.test'");
  const { page: support } = await as(t, 'admin');
  await support.goto(`${house.url}/users/${rows[0].id}`);
  await support.getByRole('button', { name: 'See console as user' }).click();
  await support.getByLabel('Reason').fill('The dashboard looks empty to her');
  await support.getByRole('button', { name: 'Ask for consent' }).click();
  await support.getByText('was asked, in the console and by email').waitFor();

  const { page, seen } = await as(t, 'corporate');
  await openFromBell(page, 'asks to see a console');
  await page.waitForURL((at) => at.pathname === '/profile');
  await page.getByText('The dashboard looks empty to her').waitFor();
  await seen.settled(page);
  await page.getByRole('button', { name: 'Let support see' }).click();
  await page.getByText('Support may see the console until').waitFor();
  await page.getByText('The dashboard looks empty to her').waitFor({ state: 'detached' });
});

test('a retention rule shortens the days in the printed record', async (t) => {
  const { page, seen } = await as(t, 'corporate');
  await page.goto(`${house.url}/retention-rules`);
  await page.getByText('Without a rule the settings of the platform hold').waitFor();
  await seen.settled(page);
  await page.locator('main [data-create]').first().click();
  await page.waitForURL((at) => at.pathname === '/retention-rules/new');
  await page.getByLabel('Texts of codes (days)').fill('7');
  await page.getByLabel('Full numbers (days)').fill('90');
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL((at) => at.pathname === '/retention-rules');
  await page.getByRole('row', { name: /Acme Retail/ }).waitFor();

  await page.goto(`${house.url}/data-processing`);
  await page.getByText('texts of codes: 7 days').first().waitFor();
  await page.getByRole('button', { name: 'Export' }).first().click();
  await page.getByRole('dialog').getByText('PDF file', { exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  await until('the record is a file', async () => {
    const { rows } = await house.database.query(
      "SELECT state FROM download WHERE download_file LIKE 'data-processing%.pdf'",
    );
    return rows[0]?.state === 'done';
  });
});

test('a person sees masked numbers once the right was taken', async (t) => {
  await showFewRows(house, 'department');
  const { rows } = await house.database.query("SELECT id FROM user_account WHERE email = 'department@heliograph.test'");
  const { page: administrator } = await as(t, 'corporate');
  await administrator.goto(`${house.url}/users/${rows[0].id}/edit`);
  await administrator.getByRole('switch', { name: 'Numbers visible' }).click({ force: true });
  await administrator.getByRole('button', { name: 'Save', exact: true }).click();
  await until('the right is gone', async () => {
    const { rows: now } = await house.database.query('SELECT numbers_visible FROM user_account WHERE id = $1', [
      rows[0].id,
    ]);
    return now[0].numbers_visible === false;
  });
  const { page, seen } = await as(t, 'department');
  await page.goto(`${house.url}/transactions`);
  await page
    .getByRole('cell', { name: /^\d{1,5}•+\d\d$/ })
    .first()
    .waitFor();
  assert.equal(await page.getByRole('cell', { name: /^639\d{9}$/ }).count(), 0);
  await seen.settled(page);
  await house.database.query('UPDATE user_account SET numbers_visible = true');
});

test('a service account gets a key with a last day, which a program uses', async (t) => {
  const { page, seen } = await as(t, 'corporate');
  await page.goto(`${house.url}/service-accounts`);
  await page.locator('main [data-create]').first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Payroll');
  await form.getByRole('textbox', { name: 'Contact' }).fill('payroll@heliograph.test');
  await form.getByRole('checkbox', { name: 'Read the balance' }).check();
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await page.waitForURL((at) => at.pathname === '/service-account-keys');
  await seen.settled(page);
  await page.locator('main [data-create]').first().click();
  await form.getByLabel('Name').fill('First key');
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  const shown = page.getByRole('dialog').filter({ hasText: 'New key' });
  const key = (await shown.getByText(/^hk_live_/).textContent())!;
  await shown.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('row', { name: /First key/ }).waitFor();
  await until('the key opens its scope', async () => {
    const { status } = await fetch(`${house.url}/v1/balance`, { headers: { authorization: `Bearer ${key}` } });
    return status === 200;
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '../apps/server/src/platform/config/config.ts';
import { seedPayments } from '../apps/server/src/seed/demo-payments.ts';
import { openBrowser, PATH_MS, signIn, startHouse } from './house.ts';

test('a customer pays by a simulated card, and the balance follows', { timeout: PATH_MS }, async (t) => {
  const house = await startHouse(t);
  const { rows: present } = await house.database.query('SELECT FROM merchant_account');
  // The copy of the demo that the suite shares has none: they belong to `npm start`.
  if (present.length === 0) await seedPayments(house.database, readConfig({ DATA_DIR: house.dataDir }));
  const browser = await openBrowser(t);
  const context = await browser.newContext({ viewport: { width: 1360, height: 1000 } });
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  const page = await signIn(context, house, 'corporate');
  const { rows } = await house.database.query<{ id: number; credit_balance: number }>(
    `SELECT b.id, b.credit_balance FROM billing_account b JOIN corporation c ON c.id = b.corporation_id WHERE c.name = 'Acme Retail'`,
  );
  const { id, credit_balance } = rows[0]!;

  await page.goto(`${house.url}/billing-accounts/${id}`);
  const balance = page.locator('[data-balance]');
  const shown = await balance.textContent();
  await page.getByRole('button', { name: 'Top up', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /Amount/ }).fill('1000');
  // The customer of a reseller pays by the reseller's method: 3.5% on top.
  await dialog.getByText('Card or GCash').waitFor();
  await dialog.getByText('₱1,035.00').waitFor();
  await dialog.getByRole('button', { name: 'Continue to payment' }).click();

  await page.waitForURL(/\/pay\//);
  await page.getByText('1035.00 PHP').waitFor();
  await page.getByRole('button', { name: 'Pay', exact: true }).click();

  await page.waitForURL(new RegExp(`^${house.url}/top-ups/\\d+`));
  await page.getByText('The payment arrived and the credit was added to the account.').waitFor();
  await page.getByRole('link', { name: 'Open account' }).click();
  await page.waitForURL(/billing-accounts/);
  await page.waitForFunction((old) => document.querySelector('[data-balance]')?.textContent !== old, shown);
  const { rows: after } = await house.database.query<{ credit_balance: number }>(
    'SELECT credit_balance FROM billing_account WHERE id = $1',
    [id],
  );
  assert.equal(Number(after[0]!.credit_balance), Number(credit_balance) + 1_000_000);
  assert.deepEqual(faults, []);
});

test('an agreed automatic top-up charges the card, and its end removes it', {
  timeout: PATH_MS,
}, async (t) => {
  const house = await startHouse(t);
  const { rows: present } = await house.database.query('SELECT FROM merchant_account');
  if (present.length === 0) await seedPayments(house.database, readConfig({ DATA_DIR: house.dataDir }));
  const browser = await openBrowser(t);
  const context = await browser.newContext({ viewport: { width: 1360, height: 1000 } });
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  const page = await signIn(context, house, 'corporate');
  const { rows } = await house.database.query<{ id: number }>(
    `SELECT b.id FROM billing_account b JOIN corporation c ON c.id = b.corporation_id WHERE c.name = 'Acme Retail'`,
  );
  const { id } = rows[0]!;

  await page.goto(`${house.url}/billing-accounts/${id}`);
  await page.getByRole('button', { name: 'Set up', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /Charge when less/ }).fill('9000000');
  await dialog.getByRole('textbox', { name: /Credit to add/ }).fill('1000');
  await dialog.getByRole('textbox', { name: /Limit per day/ }).fill('1000');
  await dialog.getByRole('textbox', { name: /Limit per month/ }).fill('5000');
  const agree = dialog.getByRole('button', { name: 'Agree and pay' });
  assert.equal(await agree.isDisabled(), true);
  await dialog.getByRole('checkbox', { name: /that 1029\.00 PHP are charged without asking me/ }).check();
  await agree.click();
  await page.waitForURL(/\/pay\//);
  await page.getByRole('button', { name: 'Pay', exact: true }).click();
  await page.waitForURL(new RegExp(`^${house.url}/top-ups/\\d+`));
  await page.getByText('The payment arrived and the credit was added to the account.').waitFor();
  await page.getByRole('link', { name: 'Open account' }).click();
  await page.getByText('visa 4242').waitFor();

  // The minimum time since the first payment has passed.
  await house.database.query('UPDATE automatic_top_up SET next_at = now() WHERE billing_account_id = $1', [id]);
  await page.getByText(/1,000\.00 of .*1,000\.00/).waitFor();
  const { rows: charges } = await house.database.query<{ state: string }>(
    'SELECT state FROM top_up WHERE automatic AND billing_account_id = $1',
    [id],
  );
  assert.equal(charges.length, 1);
  await page.getByRole('button', { name: 'End automatic top-up', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End automatic top-up' }).click();
  await page.getByText('Automatic top-up is off.').waitFor();
  assert.deepEqual(faults, []);
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { allRows } from '../apps/server/test/contacts/table-file.ts';
import { choose } from './choose.ts';
import { type House, hearing, openBrowser, PATH_MS, signIn, startHouse } from './house.ts';

const HEADER = 'zone,prefix,charge,starts_on,ends_on,enabled';
const GOOD = [
  'WEB,63,0.40,2026-01-01,,true',
  'WEB,63917,0.25,2026-01-01,,true',
  'Partners,63917,0.20,2026-01-01,,true',
];
const BAD = ['Moon,63918,0.30,2026-01-01,,true', 'WEB,63918,-1,2026-01-01,,true', 'WEB,abc,0.30,2026-01-01,,true'];
const csvOf = (rows: readonly string[]) => `${[HEADER, ...rows].join('\r\n')}\r\n`;

async function rowAction(page: Page, row: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${row}` }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Returns the amount in the top bar. */
const badgeOf = async (page: Page) =>
  /−?\p{Sc}[\d,.]+/u.exec((await page.locator('[data-outstanding]').textContent()) ?? '')?.[0];

/** Operator and customer, each with a browser, and the customer's billing account. */
interface Sides {
  house: House;
  operator: Page;
  customer: Page;
  account: string;
}

test('a price card sets prices, and every charge of a campaign is explained', {
  timeout: PATH_MS,
}, async (t) => {
  const house = await startHouse(t);
  const browser = await openBrowser(t);
  const faults: string[] = [];
  const contextFor = async (): Promise<BrowserContext> => {
    const context = await browser.newContext({ viewport: { width: 1360, height: 1000 }, acceptDownloads: true });
    context.on('weberror', (error) => faults.push(error.error().message));
    return context;
  };
  const operator = await signIn(await contextFor(), house, 'superadmin');
  const customer = await signIn(await contextFor(), house, 'corporate');
  const { rows } = await house.database.query(
    `SELECT b.name FROM billing_account b JOIN corporation c ON c.id = b.corporation_id WHERE c.name = 'Acme Retail'`,
  );
  const sides = { house, operator, customer, account: rows[0].name as string };

  await t.test('a plan and a zone are created', () => createPlanAndZone(sides));
  await t.test('a card names its bad rows; corrected, it comes into force', () => uploadCard(sides));
  await t.test('the account gets the plan and a payment, and its people’s balance follows', () => payInto(sides));
  await t.test('a campaign is quoted at the new price; a suspended account sends nothing', () => sendCampaign(sides));
  await t.test('a charge is on its message with its reason, and the report agrees with the badge', () =>
    readCharge(sides),
  );

  assert.deepEqual(faults, [], 'the pages threw nothing');
});

/** Creates a price plan, whose fields are checked, and a rate zone. */
async function createPlanAndZone({ house, operator }: Sides): Promise<void> {
  await operator.goto(`${house.url}/price-plans`);
  await operator.locator('[data-create]').first().click();
  const plan = operator.getByRole('main');
  await plan.getByRole('textbox', { name: 'Name' }).fill('Spring prices');
  await plan.getByRole('combobox', { name: 'Type' }).click();
  await operator.getByRole('option', { name: 'Prepaid package' }).click();
  await plan.getByText('Credit is paid in advance and used up.').waitFor();
  assert.equal(await plan.getByLabel('Credit limit').count(), 0, 'a package has no credit limit');
  await plan.getByRole('textbox', { name: 'Default charge' }).fill('0.9001');
  await plan.getByText('three decimals').waitFor();
  await plan.getByRole('textbox', { name: 'Default charge' }).fill('0.90');
  await plan.getByRole('button', { name: 'Create' }).click();
  await operator.waitForURL(`${house.url}/price-plans`);
  await operator.getByRole('row').getByText('Spring prices', { exact: true }).first().waitFor();

  await operator.goto(`${house.url}/rate-zones`);
  await operator.locator('[data-create]').first().click();
  const form = operator.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name' }).fill('Partners');
  await form.getByRole('button', { name: 'Create' }).click();
  await operator.getByRole('row').getByText('Partners', { exact: true }).first().waitFor();
}

/** Uploads a rate card with errors, the corrected card, and the same card again. */
async function uploadCard({ house, operator }: Sides): Promise<void> {
  const bad = join(house.dataDir, 'card.csv');
  const good = join(house.dataDir, 'card-corrected.csv');
  writeFileSync(bad, csvOf([...GOOD, ...BAD]));
  writeFileSync(good, csvOf(GOOD));
  await operator.goto(`${house.url}/rates`);
  await operator.getByRole('button', { name: 'Upload a rate card' }).click();
  const panel = operator.getByRole('region', { name: 'Upload a rate card' });
  await choose(panel, 'Price plan', 'Spring prices');
  await panel.locator('input[type=file]').setInputFiles(bad);
  await panel.getByRole('button', { name: 'Upload file' }).click();
  await panel.getByText('3 rows have errors.').waitFor();
  await panel.getByText('Unknown rate zone').waitFor();
  assert.ok(await panel.getByRole('button', { name: 'Apply rate card' }).isDisabled());
  const download = operator.waitForEvent('download');
  await panel.getByText('Download detailed report').click();
  const [, ...lines] = await allRows(await (await download).path());
  assert.deepEqual(
    lines.map(({ cells }) => cells[0]),
    ['5', '6', '7'],
  );
  await panel.getByRole('button', { name: 'Discard' }).click();
  await panel.getByRole('button', { name: 'Upload another card' }).click();
  await panel.locator('input[type=file]').setInputFiles(good);
  await panel.getByRole('button', { name: 'Upload file' }).click();
  await panel.getByRole('button', { name: 'Apply rate card' }).click();
  await panel.getByText('The rate card is applied').waitFor();
  await operator.getByRole('row').getByText('Partners', { exact: true }).first().waitFor();
  await panel.getByRole('button', { name: 'Upload another card' }).click();
  await panel.locator('input[type=file]').setInputFiles(good);
  await panel.getByRole('button', { name: 'Upload file' }).click();
  await panel.getByText('Uploaded file already exists.').waitFor();
}

/** Gives the account the plan and a payment, and waits for the customer's balance. */
async function payInto({ house, operator, customer, account }: Sides): Promise<void> {
  await operator.goto(`${house.url}/billing-accounts`);
  await rowAction(operator, account, 'Edit');
  const terms = operator.locator('main form');
  await choose(terms, 'Price plan', 'Spring prices');
  await terms.getByRole('button', { name: 'Save' }).click();
  await operator.getByRole('row').getByText('Spring prices', { exact: true }).first().waitFor();
  await customer.waitForFunction(() =>
    /\p{Sc}\d/u.test(document.querySelector('[data-outstanding]')?.textContent ?? ''),
  );
  await hearing(customer, 'corporation.');
  const before = await badgeOf(customer);
  await rowAction(operator, account, 'Add payment');
  const form = operator.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Amount' }).fill('100');
  await form.getByRole('button', { name: 'Add payment' }).click();
  await form.waitFor({ state: 'detached' });
  await customer.waitForFunction(
    (old) => !document.querySelector('[data-outstanding]')?.textContent?.replace(/\s/g, ' ').includes(old),
    before ?? '',
  );
}

/** Quotes a campaign, tries to send it while the account is suspended, and sends it. */
async function sendCampaign({ house, operator, customer, account }: Sides): Promise<void> {
  await customer.goto(`${house.url}/rate-details`);
  await customer.getByRole('textbox', { name: 'Phone number' }).fill('+63 917 555 0101');
  await customer.getByRole('button', { name: 'Show price' }).click();
  await customer.getByText('rate of prefix 63917 in zone WEB').waitFor();

  await customer.goto(`${house.url}/send-sms`);
  await customer.getByPlaceholder('Choose a sender ID').click();
  await customer.getByRole('option').first().click();
  await customer.getByRole('textbox', { name: 'Numbers' }).fill('639175550101');
  await customer.getByPlaceholder('Write the message here').fill('Doors open at nine.');
  await customer.getByRole('button', { name: 'Review & send' }).click();
  const quote = customer.getByRole('region', { name: 'Quote' });
  await quote
    .getByText(/₱0\.25/)
    .first()
    .waitFor();

  await rowAction(operator, account, 'Suspend');
  const dialog = operator.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('The invoice of May is open');
  await dialog.getByRole('button', { name: 'Suspend' }).click();
  await operator.getByRole('row').getByText('Suspended', { exact: true }).first().waitFor();
  await customer.getByRole('button', { name: 'Send now' }).click();
  await customer.getByText('Your billing account is suspended').first().waitFor();

  await rowAction(operator, account, 'Resume');
  await dialog.getByRole('button', { name: 'Resume' }).click();
  await operator.getByText(`${account} is active again.`).waitFor();
  await customer.getByRole('button', { name: 'Send now' }).click();
  await customer.waitForURL(/\/campaign-history\/\d+/);
}

/** Reads the reasons of the charge, and compares the report with the top bar. */
async function readCharge({ house, customer }: Sides): Promise<void> {
  await customer.getByText('Completed').first().waitFor();
  await customer.getByRole('tab', { name: 'Messages' }).click();
  await customer.getByRole('cell', { name: '639175550101' }).click();
  await customer.getByRole('dialog').getByText('Why this charge').click();
  await customer.waitForURL(/\/message-charge\/\d+/);
  for (const reason of ['Spring prices', 'rate zone is WEB', '639175550101 is 63917', '1 part was charged at'])
    await customer.getByText(reason).first().waitFor();

  // The statement and the entries begin with the same balance.
  await customer.goto(`${house.url}/credit-changes`);
  const badge = (await customer.locator('[data-outstanding]').textContent()) ?? '';
  const balance = /−?\p{Sc}[\d,.]+/u.exec(badge)?.[0] ?? badge;
  await customer
    .getByRole('table', { name: 'Statement' })
    .getByRole('row')
    .nth(1)
    .getByRole('cell', { name: balance, exact: true })
    .waitFor();
  await customer.getByText('All entries').click();
  await customer.waitForURL(/view=entries/);
  const newest = customer.getByRole('row').nth(1);
  // Two separate calls read the two amounts.
  await customer.waitForFunction(() => {
    const plain = (element: Element | null | undefined) => element?.textContent?.replace(/\s/g, ' ') ?? '';
    const badge = /−?\p{Sc}[\d,.]+/u.exec(plain(document.querySelector('[data-outstanding]')))?.[0];
    return badge !== undefined && plain(document.querySelector('main tbody tr')).includes(badge);
  });
  await newest.getByRole('button', { name: /^Details of/ }).click();
  await customer.getByRole('columnheader', { name: 'Entry' }).waitFor();
}

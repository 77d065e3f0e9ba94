import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, tokenOf } from './api-client.ts';
import { openBrowser, PATH_MS, signIn, startHouse } from './house.ts';

const ADDRESS = { address: '1 First Street', city: 'Makati', country: 'PH', postal_code: '1200' };

test('an invoice is issued, downloaded and credited', { timeout: PATH_MS }, async (t) => {
  const house = await startHouse(t);
  const { rows } = await house.database.query<{ id: number }>(
    "SELECT id FROM corporation WHERE name = 'Northwind Telecom'",
  );
  const corporation_id = rows[0]!.id;
  const seller = clientOf(house, await tokenOf(house, 'superadmin'));
  const tax = { tax_number: '000-123-456-00000', tax_rate: '12.000', tax_registered: true };
  const issuer = { ...ADDRESS, ...tax, legal_name: 'Heliograph Services Inc.', preset: 'philippines' };
  assert.equal((await seller('POST', '/api/v1/invoice-issuers', { body: issuer })).status, 201);
  const buyer = {
    ...ADDRESS,
    corporation_id,
    legal_name: 'Northwind Telecom Corp.',
    tax_treatment: 'standard',
    withholds: false,
  };
  assert.equal((await seller('POST', '/api/v1/invoice-buyers', { body: buyer })).status, 201);
  const lines = [
    { description: 'Messages of October', quantity: '12000.000', unit_price: '0.350' },
    { description: 'Sender ID registration', quantity: '2.000', unit_price: '1500.000' },
  ];
  const draft = await seller('POST', '/api/v1/invoices', { body: { corporation_id, lines } });
  assert.equal(draft.status, 201, draft.text);

  const browser = await openBrowser(t);
  const context = await browser.newContext({ viewport: { width: 1360, height: 1000 }, acceptDownloads: true });
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  const page = await signIn(context, house, 'superadmin');
  await page.goto(`${house.url}/invoices/${draft.body.data.id}`);
  await page.getByText('Messages of October').first().waitFor();
  await page.getByRole('button', { name: 'Issue invoice' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Issue invoice' }).click();
  await page
    .getByText(/INV-\d{4}-00001/)
    .first()
    .waitFor();
  // A worker writes the files after the invoice is issued.
  await page.getByRole('button', { name: 'Download PDF' }).waitFor();
  const pdf = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download PDF' }).click();
  assert.match((await pdf).suggestedFilename(), /00001\.pdf$/);
  await page.getByRole('button', { name: 'Create credit note' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /Reason/ }).fill('Registration was cancelled');
  await dialog.getByRole('button', { name: 'Create credit note' }).click();
  await page
    .getByText(/CN-\d{4}-00001/)
    .first()
    .waitFor();
  assert.deepEqual(faults, []);
});

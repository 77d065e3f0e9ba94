import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, signIn, startHouse } from './house.ts';

const house = await startHouse({ after }, { HTTP_CALLBACKS: 'true', PRIVATE_TARGETS: '127.0.0.0/8' });
const browser = await openBrowser({ after });

test('an endpoint is created, its secret is shown once, and a sample is logged', async () => {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await signIn(context, house, 'corporate');
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  await page.goto(`${house.url}/callbacks`);
  await page.locator('main [data-create]').first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('URL').fill('https://127.0.0.1:9/hook');
  await form.getByRole('checkbox', { name: 'Message delivered' }).check();
  await form.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByText(/^whsec_/).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByText(/^whsec_/).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: /^Actions for https:\/\/127/ }).click();
  await page.getByRole('menuitem', { name: 'Send sample' }).click();
  const sample = page.getByRole('dialog');
  await sample.getByRole('button', { name: 'Send sample' }).click();
  await sample.getByText('Not delivered: The host cannot be reached.').waitFor();
  await sample.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('button', { name: /^Actions for https:\/\/127/ }).click();
  await page.getByRole('menuitem', { name: 'Call log' }).click();
  await page.getByText('evt_0').waitFor();
  assert.deepEqual(faults, []);
});

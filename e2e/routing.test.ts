import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, signIn, startHouse } from './house.ts';

const house = await startHouse({ after });
const browser = await openBrowser({ after });

test('an operator makes a carrier route and is told which link a number takes, and why', async () => {
  const context = await browser.newContext();
  const page = await signIn(context, house, 'superadmin');
  await page.goto(`${house.url}/carrier-routes`);
  await page.getByText('A carrier route says which links messages take').waitFor();
  const { rows } = await house.database.query<{ name: string }>('SELECT name FROM link ORDER BY id LIMIT 1');
  const linkName = rows[0]!.name;

  await page.getByRole('button', { name: 'Add the first carrier route' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name', { exact: false }).first().fill('Mobile prefix');
  await form.getByLabel('Prefix').fill('+63');
  await form.getByText('Digits alone, at most 15').waitFor();
  await form.getByLabel('Prefix').fill('63917');
  await form.getByRole('button', { name: 'Add a link' }).click();
  await form.getByRole('combobox', { name: 'Link 1' }).click();
  await page.getByRole('option', { name: linkName }).click();
  await form.getByRole('button', { name: 'Create' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'Mobile prefix', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Explain route' }).click();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Number').fill('0917 nonsense');
  await panel.getByRole('button', { name: 'Explain', exact: true }).click();
  await panel.getByRole('textbox', { name: 'Number' }).and(panel.locator('[aria-invalid="true"]')).waitFor();
  await panel.getByLabel('Number').fill('+63 917 000 0001');
  await panel.getByRole('button', { name: 'Explain', exact: true }).click();
  await panel.getByText('639170000001 goes by the route “Mobile prefix”.').waitFor();
  await panel.getByText(`It would leave on ${linkName} now.`).waitFor();
  await panel.getByText('Counts').waitFor();
  await panel.getByLabel('Number').fill('639180000001');
  await panel.getByRole('button', { name: 'Explain', exact: true }).click();
  await panel.getByText('No route is for 639180000001').waitFor();
  await panel.getByText('The number does not start so').waitFor();
  await context.close();
});

test('a tenant finds no carrier routes', async () => {
  const context = await browser.newContext();
  const page = await signIn(context, house, 'corporate');
  assert.equal(await page.getByRole('link', { name: 'Carrier routes' }).count(), 0);
  await context.close();
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose } from './choose.ts';
import { PATH_MS, signIn } from './house.ts';
import { browser, house } from './own-house.ts';

const PASSWORD = 'kept-pw';

test('an operator makes a carrier route, sees its links, and registers sender IDs', async () => {
  const context = await browser.newContext();
  const page = await signIn(context, house, 'superadmin');
  await page.goto(`${house.url}/carrier-routes`);
  await page.getByRole('row').getByText('One-time codes', { exact: true }).first().waitFor();
  const { rows } = await house.database.query<{ id: number; name: string }>(
    'SELECT id, name FROM link ORDER BY id LIMIT 1',
  );
  const linkName = rows[0]!.name;

  await page.locator('main button[data-create]').click();
  await page.waitForURL('**/carrier-routes/new');
  const route = page.getByRole('main');
  await route.getByRole('heading', { name: 'Messages of this route' }).waitFor();
  await route.getByLabel('Name', { exact: false }).first().fill('Mobile prefix');
  await route.getByLabel('Prefix').fill('+63');
  await route.getByText('Enter digits only, at most 15').waitFor();
  await route.getByLabel('Prefix').fill('63917');
  // A page that has changes is not left without a question, and a refusal keeps what was filled in.
  await route.getByRole('button', { name: 'Create' }).click();
  await route
    .getByRole('link', { name: /Links and their order/ })
    .getByText('1', { exact: true })
    .waitFor();
  assert.equal(await route.getByLabel('Prefix').inputValue(), '63917');
  await page.getByRole('link', { name: 'Carrier routes' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click();
  await route.getByRole('button', { name: 'Add link' }).click();
  await route.getByRole('combobox', { name: 'Link 1' }).click();
  await page.getByRole('option', { name: linkName }).click();
  await route.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL((url) => url.pathname === '/carrier-routes');
  const form = page.getByRole('dialog');
  await page.getByRole('row').getByText('Mobile prefix', { exact: true }).first().waitFor();

  await page.getByRole('button', { name: 'Explain route' }).click();
  const panel = page.getByRole('dialog');
  await panel.getByLabel('Number').fill('0917 nonsense');
  await panel.getByRole('button', { name: 'Explain', exact: true }).click();
  await panel.getByRole('textbox', { name: 'Number' }).and(panel.locator('[aria-invalid="true"]')).waitFor();
  await panel.getByLabel('Number').fill('+63 917 000 0001');
  await panel.getByRole('button', { name: 'Explain', exact: true }).click();
  await panel.getByText('639170000001 uses the route “Mobile prefix”.').waitFor();
  await panel.getByText(`It would be sent through ${linkName} now.`).waitFor();
  await panel.getByText('Used', { exact: true }).waitFor();
  await panel.getByLabel('Number').fill('639180000001');
  await panel.getByRole('button', { name: 'Explain', exact: true }).click();
  await panel.getByText('No route matches 639180000001').waitFor();
  await panel.getByText('The number does not match this prefix').waitFor();

  // The link begins to ask for registrations, which the operator records from the request to the carrier's answer.
  await house.database.query('UPDATE link SET asks_registration = true WHERE name = $1', [linkName]);
  await page.goto(`${house.url}/sender-registrations`);
  await page.getByRole('button', { name: 'Add registration' }).click();
  await choose(form, 'Carrier link', linkName);
  await choose(form, 'Sender IDs', 'ACME');
  await form.getByRole('button', { name: 'Create' }).click();
  await form.waitFor({ state: 'detached' });
  const registration = page.getByRole('row', { name: /ACME/ });
  await registration.getByText('Requested', { exact: true }).waitFor();
  await registration.getByRole('checkbox').click();
  await page.getByRole('button', { name: 'Registered', exact: true }).click();
  await form.getByRole('textbox', { name: "Carrier's reference" }).fill('GL-17');
  await form.getByRole('button', { name: 'Registered', exact: true }).click();
  await registration.getByText('GL-17').waitFor();
  await page.goto(`${house.url}/links/${rows[0]!.id}`);
  await page.getByText('1 · ACME').waitFor();
  await house.database.query('UPDATE link SET asks_registration = false');
  await context.close();
});

test('an administrator makes a link, changes it without its password, and drains it', {
  timeout: PATH_MS,
}, async (t) => {
  const {
    rows: [{ port }],
  } = await house.database.query('SELECT port FROM link');
  // Only a bind with this password may use the account.
  const accounts = { heliograph: 'lantern', second: PASSWORD };
  const configured = await fetch(`${house.simulator}/api/settings`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ accounts }),
  });
  assert.equal(configured.status, 200);

  const context = await browser.newContext({ viewport: { width: 1360, height: 1000 } });
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  const page = await signIn(context, house, 'superadmin');
  await page.goto(`${house.url}/links`);
  const form = page.locator('main form');
  // A required field has an asterisk behind its name.
  const field = (label: string) =>
    form.getByLabel(new RegExp(`^${label.replace(/[()]/g, '\\$&')}( \\*)?$`)).and(page.locator('input'));
  const row = page.getByRole('row', { name: /Second carrier/ });

  await t.test('an error is shown at its field', async () => {
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await field('Name').fill('Second carrier');
    await field('Host').fill('http://127.0.0.1');
    await field('Port').fill('99999');
    await form.getByText('Enter a host name or an IP address, without http:// and without a port.').waitFor();
    await form.getByText('Must be 65535 or less.').waitFor();
    await field('Response timeout (s)').fill('0');
    await form.getByText('Must be 1 or more.').waitFor();
    await field('Response timeout (s)').fill('20');
  });

  await t.test('the bind is tested before anything is saved', async () => {
    await field('Host').fill('127.0.0.1');
    await field('Port').fill(String(port));
    await field('System ID').fill('second');
    await field('Password').fill('not the one');
    await form.getByRole('button', { name: 'Test bind' }).click();
    await form.getByText('The carrier does not accept the password.').waitFor();
    await field('Password').fill(PASSWORD);
    await form.getByRole('button', { name: 'Test bind' }).click();
    await form.getByText('The carrier accepts these settings.').waitFor();
    const { rows } = await house.database.query("SELECT FROM link WHERE system_id = 'second'");
    assert.equal(rows.length, 0);
  });

  await t.test('the link is created and goes up while the page is open', async () => {
    await form.getByRole('button', { name: 'Create' }).click();
    await form.waitFor({ state: 'detached' });
    await row.getByText('Up', { exact: true }).waitFor();
  });

  await t.test('the link drains and is then off', async () => {
    await row.getByRole('button', { name: /Actions/ }).click();
    await page.getByRole('menuitem', { name: 'Drain' }).click();
    await row.getByText('Disabled', { exact: true }).waitFor();
  });

  await t.test('the link is changed without its password, and binds with the stored one', async () => {
    await row.getByRole('link', { name: 'Second carrier' }).click();
    await page.waitForURL(/\/links\/\d+$/);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    assert.equal(await field('Password').inputValue(), '');
    await field('Window').fill('33');
    await form.getByRole('button', { name: 'Save' }).click();
    await form.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Show settings' }).click();
    await page.getByText('33', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Connected to the carrier and sending messages').waitFor();
    await page.getByText('1 of 1').waitFor();
  });

  await t.test('the link is disabled after a question', async () => {
    // The notice of the previous step stays while the mouse is on it.
    await page.mouse.move(0, 0);
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled. Queued messages wait, or leave through another link').waitFor();
  });

  await t.test('every screen of an operator says that a link is down, until it is not', async () => {
    await house.database.query("UPDATE global_configuration SET value = '5' WHERE key = 'alarm_link_seconds'");
    await house.database.query("UPDATE link SET enabled = true, port = 9 WHERE name = 'Second carrier'");
    const banner = page.getByRole('status').filter({ hasText: 'Second carrier is down' });
    await banner.waitFor();
    await page.getByText('Down since').waitFor();
    await page.getByText(/Next try in \d+ s|Trying now/).waitFor();
    await page.goto(`${house.url}/nodes`);
    await banner.getByRole('link', { name: 'View link' }).click();
    await page.waitForURL(/\/links\/\d+$/);
    await page.goto(`${house.url}/dashboard`);
    await banner.waitFor();
    await house.database.query("UPDATE link SET enabled = false WHERE name = 'Second carrier'");
    await page.getByText('All systems normal').waitFor();
  });

  assert.ok(!(await page.content()).includes(PASSWORD));
  assert.deepEqual(faults, []);
});

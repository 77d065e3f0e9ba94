import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, signIn, startHouse } from './house.ts';

const house = await startHouse({ after });
const browser = await openBrowser({ after });

test('an administrator makes a system ID for a person who connects by SMPP, sees its bind, and asks for its end', async () => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await signIn(context, house, 'superadmin');
  const { rows } = await house.database.query<{ corporation: string; person: string }>(
    `UPDATE user_account u SET connection_type_id = t.id FROM connection_type t, corporation c
     WHERE u.email = 'user@heliograph.test' AND t.name = 'SMPP' AND c.id = u.corporation_id
     RETURNING c.name AS corporation, u.name AS person`,
  );
  const { corporation, person } = rows[0]!;
  await page.goto(`${house.url}/smpp-system-ids`);
  await page.getByRole('button', { name: 'Add the first system ID' }).click();
  const form = page.getByRole('dialog');
  const choose = async (label: string, option: string) => {
    await form.getByLabel(label, { exact: false }).first().click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Corporation', corporation);
  await choose('User', person);
  await form.getByLabel('System ID', { exact: false }).first().fill('harbor');
  await form.getByLabel('Password', { exact: false }).first().fill('short');
  await form.getByText('8 to 64 letters, digits or signs').waitFor();
  await form.getByLabel('Password', { exact: false }).first().fill('lantern1');
  await form.getByRole('button', { name: 'Create' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('cell', { name: 'harbor', exact: true }).waitFor();

  const made = await house.database.query(
    `INSERT INTO smpp_session (corporation_id, smpp_system_id_id, process, mode, version, address, tls, seen_at)
     SELECT corporation_id, id, 'elsewhere:1', 'transceiver', '3.4', '203.0.113.7', false, now() + interval '1 hour'
     FROM smpp_system_id WHERE system_id = 'harbor' AND password_hash LIKE '$argon2id$%' RETURNING id`,
  );
  assert.equal(made.rows.length, 1);
  await page.goto(`${house.url}/smpp-sessions`);
  await page.getByText('203.0.113.7').waitFor();
  await page
    .getByRole('row', { name: /harbor/ })
    .getByRole('button')
    .last()
    .click();
  await page.getByRole('menuitem', { name: 'End session' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End session' }).click();
  await page.getByText('The session of harbor is being ended.').waitFor();
  await page.getByText('Ending', { exact: true }).waitFor();
  await context.close();
});

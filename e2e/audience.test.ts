import assert from 'node:assert/strict';
import { test } from 'node:test';
import { choose } from './choose.ts';
import { signIn } from './house.ts';
import { browser, house } from './own-house.ts';

test('a person makes a segment, reads whom it finds, and sends a campaign to it', async () => {
  const { rows } = await house.database.query(
    `UPDATE contact SET tags = '{harvest}' WHERE id IN (SELECT c.id FROM contact c JOIN corporation o ON o.id = c.corporation_id
       WHERE o.name = 'Acme Retail' ORDER BY c.id LIMIT 3) RETURNING number`,
  );
  assert.equal(rows.length, 3);
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await signIn(context, house, 'corporate');
  await page.goto(`${house.url}/segments`);
  await page.getByRole('button', { name: 'Create' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').first().fill('Harvest');
  await form.getByLabel('Condition', { exact: true }).selectOption('tag');
  await form.getByLabel('Tag', { exact: true }).fill('harvest');
  await form.getByText('3 contacts of').waitFor();
  await form.getByText('Contacts that fit: the tag is “harvest”.').waitFor();
  // The rest by the keyboard alone: a second condition, turned around.
  await form.getByRole('button', { name: 'Add condition' }).focus();
  await page.keyboard.press('Enter');
  await form.getByLabel('Condition', { exact: true }).nth(1).selectOption('consent');
  await form.getByLabel('If or if not').nth(1).selectOption('no');
  await form.getByLabel('Consent', { exact: true }).waitFor();
  await form.getByText('and it is not true that the consent is “Opted in”').waitFor();
  await form.getByRole('button', { name: 'Remove condition' }).nth(1).press('Enter');
  await form.getByText('Contacts that fit: the tag is “harvest”.').waitFor();
  await form.getByRole('button', { name: 'Create' }).click();
  await form.waitFor({ state: 'detached' });

  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await page.getByText('Harvest').first().waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  assert.equal(wide, false, 'the list fits a phone');
  await page.setViewportSize({ width: 1360, height: 900 });

  const segment = await house.database.query("SELECT id FROM segment WHERE name = 'Harvest'");
  await page.goto(`${house.url}/send-sms?segment=${segment.rows[0].id}`);
  await page.getByText('Harvest').first().waitFor();
  await page.getByPlaceholder('Choose a sender ID').click();
  await page.getByRole('option', { name: /AcmeDeals/ }).click();
  await page.getByPlaceholder('Write the message here').fill('Hello from the harvest');
  await page.getByText('3 people').first().waitFor();
  await page.getByRole('button', { name: 'Review & send' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.waitForURL(/\/campaign-history\/\d+/);
  await page.getByText('About', { exact: true }).click();
  await page.getByText('Contacts that fit: the tag is “harvest”.').waitFor();
  await context.close();
});

test('a person writes a text with a contact field and sees it filled', async () => {
  const { rows } = await house.database.query<{ number: string; city: string; key: string }>(
    `SELECT n.number, n.fields ->> f.key AS city, f.key FROM contact_row n
     JOIN contact_field_row f ON f.corporation_id = n.corporation_id AND f.type IN ('text', 'choice')
     WHERE n.corporation_name = 'Acme Retail' AND n.fields ? f.key ORDER BY f.id, n.id LIMIT 1`,
  );
  const { number, city, key } = rows[0]!;
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await signIn(context, house, 'corporate');
  await page.goto(`${house.url}/send-sms`);
  await page.getByPlaceholder('Choose a sender ID').click();
  await page.getByRole('option', { name: /AcmeDeals/ }).click();
  await page.getByPlaceholder('Paste numbers').fill(number);
  await page.getByPlaceholder('Write the message here').fill('Hello from ');
  await page.getByRole('button', { name: `{${key}}` }).click();
  await page.getByText(`Hello from ${city}`).waitFor();
  await page.getByLabel(`{${key}}`, { exact: true }).fill('your town');
  await page.getByText('1 person').first().waitFor();
  await page.getByRole('button', { name: 'Review & send' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.waitForURL(/\/campaign-history\/\d+/);
  const sent = async () =>
    (
      await house.database.query<{ text: string }>(
        'SELECT m.text FROM message m WHERE m.msisdn = $1 AND m.text LIKE $2',
        [number, `Hello from ${city}%`],
      )
    ).rows.length;
  for (let tries = 0; (await sent()) === 0 && tries < 100; tries++) await page.waitForTimeout(200);
  assert.equal(await sent(), 1);
  await context.close();
});

test('a person writes a template in two languages, and each contact gets theirs', async () => {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await signIn(context, house, 'corporate');
  const { rows } = await house.database.query<{ id: number; department: string }>(
    `SELECT c.id, (SELECT min(d.name) FROM department d WHERE d.corporation_id = c.id) AS department
     FROM corporation c WHERE c.name = 'Acme Retail'`,
  );
  const { id, department } = rows[0]!;
  await page.goto(`${house.url}/contact-fields`);
  await page.getByRole('button', { name: 'Create' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Spoken language');
  await form.getByLabel('Key').fill('spoken');
  await form.getByLabel('Language of contacts').check();
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByText('Spoken language').first().waitFor();
  const field = await house.database.query<{ slot: string }>(
    "SELECT slot FROM contact_field WHERE corporation_id = $1 AND key = 'spoken'",
    [id],
  );
  const [first, second] = ['639175558801', '639175558802'];
  await house.database.query(
    `INSERT INTO contact (corporation_id, number, ${field.rows[0]!.slot}) VALUES ($1, $2, 'Tagalog'), ($1, $3, 'Ilocano')`,
    [id, first, second],
  );

  await page.goto(`${house.url}/message-templates`);
  await page.getByRole('button', { name: 'Create' }).click();
  await form.getByLabel('Department').click();
  await page.getByRole('option', { name: department }).click();
  await form.getByLabel('Name').fill('Fiesta');
  await form.getByLabel(/^Template/).fill('Come to the fiesta');
  await form.getByRole('button', { name: 'Add language' }).click();
  await form.getByLabel('Language', { exact: true }).fill('Tagalog');
  await form.getByLabel('Text in Tagalog').fill('Halina sa pista');
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('button', { name: 'Actions for Fiesta' }).click();
  await page.getByRole('menuitem', { name: 'Use' }).click();

  await page.getByPlaceholder('Choose a sender ID').click();
  await page.getByRole('option', { name: /AcmeDeals/ }).click();
  await page.getByPlaceholder('Paste numbers').fill(`${first}\n${second}`);
  await page.getByRole('complementary').getByText('Halina sa pista').waitFor();
  await page.getByText('2 people').first().waitFor();
  await page.getByRole('button', { name: 'Review & send' }).click();
  await page.getByText('Messages by language').click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.waitForURL(/\/campaign-history\/\d+/);
  await page.getByText('Tagalog · 1 message').waitFor();
  await page.getByText('Default text · 1 message').waitFor();
  const sent = await house.database.query<{ text: string }>(
    'SELECT split_part(text, chr(10), 1) AS text FROM message WHERE msisdn = ANY ($1) ORDER BY msisdn',
    [[first, second]],
  );
  assert.deepEqual(
    sent.rows.map(({ text }) => text),
    ['Halina sa pista', 'Come to the fiesta'],
  );
  await context.close();
});

test('a person makes contacts of a number list and merges two', async () => {
  const { rows } = await house.database.query<{ id: number }>(
    `INSERT INTO number_list (corporation_id, department_id, created_by, name, numbers_count)
     SELECT l.corporation_id, l.department_id, l.created_by, 'Walk-in people', 2
     FROM number_list l JOIN corporation c ON c.id = l.corporation_id WHERE c.name = 'Acme Retail' ORDER BY l.id LIMIT 1 RETURNING id`,
  );
  await house.database.query(
    `INSERT INTO number_list_number (number_list_id, number, name, param1) VALUES
       ($1, '639175559001', 'Walk Ana', 'Cebu'), ($1, '639175559002', 'WALK ANA', null)`,
    [rows[0]!.id],
  );
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await signIn(context, house, 'corporate');
  await page.goto(`${house.url}/contacts`);
  await page.getByRole('button', { name: 'Import contacts' }).click();
  const panel = page.getByRole('region', { name: 'Import contacts' });
  await choose(panel, 'People of a number list', 'Walk-in people');
  await panel.getByRole('combobox', { name: 'Becomes: number' }).waitFor();
  await choose(panel, 'Becomes: param1', 'City');
  await panel.getByRole('button', { name: 'Upload file' }).click();
  await panel.getByText('was imported').waitFor();

  await page.goto(`${house.url}/contacts?same_name=true&search=walk`);
  await page.getByText('639175559001').first().waitFor();
  for (const box of await page.getByRole('checkbox', { name: /Select/ }).all()) await box.check();
  await page.getByRole('button', { name: 'Merge…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radiogroup', { name: 'Number that stays' }).getByLabel('639175559002').check();
  await dialog.getByRole('radio', { name: 'Walk Ana', exact: true }).check();
  await dialog.getByRole('button', { name: 'Merge contacts' }).click();
  await page.getByText('The contacts were merged. 639175559002 stays.').waitFor();
  const merged = await house.database.query(
    "SELECT number, name, fields FROM contact_row WHERE number LIKE '63917555900_'",
  );
  assert.deepEqual(merged.rows, [{ number: '639175559002', name: 'Walk Ana', fields: { home_city: 'Cebu' } }]);
  await context.close();
});

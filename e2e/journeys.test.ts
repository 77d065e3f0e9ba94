import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { signIn } from './house.ts';
import { browser, house } from './own-house.ts';

test('a person writes to people who text a word, with their values', async () => {
  const villager = await house.database.query(
    `WITH o AS (SELECT id FROM corporation WHERE name = 'Acme Retail'), f AS (
       INSERT INTO contact_field (corporation_id, name, key, type, slot) SELECT id, 'Village', 'village', 'text', 'text_20' FROM o)
     UPDATE contact SET text_20 = 'Sagada', name = 'Amihan' WHERE id = (SELECT min(c.id) FROM contact c JOIN o ON o.id = c.corporation_id)
     RETURNING number`,
  );
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await signIn(context, house, 'corporate');
  await page.goto(`${house.url}/journeys`);
  await page.getByRole('button', { name: 'Create' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').first().fill('Villagers');
  await form.getByLabel('People enter by').selectOption('keyword');
  const words = form
    .getByRole('combobox', { name: 'Keywords' })
    .or(form.getByLabel('Keywords', { exact: true }))
    .last();
  await words.fill('join');
  await words.press('Enter');
  await words.fill('stop');
  await words.press('Enter');
  const add = async (kind: string) => {
    await form.getByRole('button', { name: 'Add step to: Steps' }).press('Enter');
    await page.getByRole('menuitem', { name: kind, exact: true }).press('Enter');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  };
  await add('Send message');
  const sender = form.getByRole('combobox', { name: 'Sender ID' }).last();
  await sender.click();
  await page.getByRole('listbox', { name: 'Sender ID' }).getByRole('option').first().click();
  const text = form.getByLabel('Text', { exact: true });
  await text.fill('Come to ');
  await form.getByRole('button', { name: 'Insert field' }).press('Enter');
  await page.getByRole('menuitem', { name: /Village/ }).press('Enter');
  assert.equal(await text.inputValue(), 'Come to {village}');
  await form.getByLabel('Word for people without Village').fill('us');
  await add('Callback');
  await form.getByLabel('Name for your programs').fill('invited');
  await form.getByRole('button', { name: 'Create' }).click();
  await form.getByText('"stop" opts people out or in').waitFor();
  await words.press('Backspace');
  await form.getByRole('button', { name: 'Create' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByText('Villagers').first().click();
  await page.waitForURL(/\/journeys\/\d+/);
  await page.getByText('People enter when they write join.').first().waitFor();
  await page.getByText('Tell your programs: "invited"').first().waitFor();
  await page.getByLabel('Contacts', { exact: true }).first().click();
  await page.getByLabel('Contacts', { exact: true }).first().fill(villager.rows[0].number);
  await page
    .getByRole('listbox', { name: 'Contacts' })
    .getByRole('option', { name: new RegExp(villager.rows[0].number) })
    .first()
    .click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show the steps' }).click();
  await page.getByRole('region', { name: 'Dry run' }).getByText('Come to Sagada').waitFor();
  await context.close();
});

test('a person makes a journey by the keyboard, tries it and starts it', async () => {
  const { rows } = await house.database.query(
    `UPDATE contact SET tags = '{pilgrim}' WHERE id IN (SELECT c.id FROM contact c JOIN corporation o ON o.id = c.corporation_id
       WHERE o.name = 'Acme Retail' ORDER BY c.id LIMIT 2) RETURNING number`,
  );
  await house.database.query(
    `INSERT INTO segment (corporation_id, name, rule) SELECT id, 'Pilgrims', $1 FROM corporation WHERE name = 'Acme Retail'`,
    [{ version: 1, match: 'all', rules: [{ on: 'tag', tag: 'pilgrim', not: false }] }],
  );
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await signIn(context, house, 'corporate');
  await page.goto(`${house.url}/journeys`);
  await page.getByRole('button', { name: 'Create' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').first().fill('Pilgrimage');
  await form.getByLabel('People enter by').selectOption('segment');
  const choose = async (label: string, option: RegExp | string) => {
    await form
      .getByRole('combobox', { name: label })
      .or(form.getByLabel(label, { exact: true }))
      .last()
      .click();
    await page.getByRole('option', { name: option }).last().click();
  };
  const add = async (place: string, kind: string) => {
    await form.getByRole('button', { name: `Add step to: ${place}` }).press('Enter');
    await page.getByRole('menuitem', { name: kind, exact: true }).press('Enter');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  };
  await choose('Segment', 'Pilgrims');
  await add('Steps', 'Change tag');
  await form.getByLabel('Tag', { exact: true }).fill('walked');
  await add('Steps', 'Condition');
  await choose('Segment', 'Pilgrims');
  await add('No', 'End');
  await add('Yes', 'Wait');
  await form.getByRole('button', { name: 'Create' }).click();
  await form.waitFor({ state: 'detached' });

  await page.getByText('Pilgrimage').first().click();
  await page.waitForURL(/\/journeys\/\d+/);
  await page.getByRole('img', { name: 'Picture' }).waitFor();
  await page.getByText('Add the tag "walked"').first().waitFor();
  await page.getByLabel('Contacts', { exact: true }).first().click();
  await page.getByRole('listbox', { name: 'Contacts' }).getByRole('option').first().click();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Show the steps' }).click();
  await page.getByRole('region', { name: 'Dry run' }).getByText('End the journey').waitFor();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  const walked = () =>
    house.database.query("SELECT number FROM contact WHERE tags = '{pilgrim,walked}' ORDER BY number");
  await until('the people are led on', async () => (await walked()).rows.length === rows.length);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.reload();
  await page.getByText('Version 1').waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
  assert.equal(wide, false, 'the page fits a phone');
  await page.setViewportSize({ width: 1360, height: 900 });
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('button', { name: 'Start' }).waitFor();
  await context.close();
});

test('steps are added, moved by mouse and by keyboard, mended and removed in a picture', async () => {
  await house.database.query(
    `INSERT INTO segment (corporation_id, name, rule) SELECT id, 'Painters', $1 FROM corporation WHERE name = 'Acme Retail'`,
    [{ version: 1, match: 'all', rules: [{ on: 'tag', tag: 'painter', not: false }] }],
  );
  const context = await browser.newContext({ viewport: { width: 1360, height: 1300 } });
  const page = await signIn(context, house, 'corporate');
  await page.goto(`${house.url}/journeys`);
  await page.getByRole('button', { name: 'Create' }).first().click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').first().fill('Painting');
  await form.getByText('Picture', { exact: true }).click();
  const picture = form.getByRole('region', { name: 'Picture' });
  const boxes = () => picture.locator('[data-step]').allInnerTexts();
  const add = async (place: string, kind: string) => {
    await picture.getByRole('button', { name: `Add step to: ${place}`, exact: true }).press('Enter');
    await page.getByRole('menuitem', { name: kind, exact: true }).press('Enter');
    await page.getByRole('menu').waitFor({ state: 'detached' });
  };

  await add('at the end', 'Condition');
  await add('at the end', 'Wait');
  const wait = form.getByRole('region', { name: 'Wait', exact: true });
  await wait.getByLabel('How long').fill('3');
  await picture.getByText('Wait 3 days').waitFor();
  await add('at the end', 'Change tag');
  await form.getByLabel('Tag', { exact: true }).fill('painted');

  // A step drawn with the mouse goes where the spot is that it touches.
  const tag = picture.getByRole('button', { name: /^Change tag/ });
  const from = (await tag.boundingBox())!;
  await page.mouse.move(from.x + 90, from.y + 30);
  await page.mouse.down();
  await page.mouse.move(from.x + 60, from.y, { steps: 3 });
  const spot = picture.getByRole('button', { name: /^Move here: at the end of "Yes"/ });
  const to = (await spot.boundingBox())!;
  await page.mouse.move(to.x + 13, to.y + 13, { steps: 8 });
  await page.mouse.up();
  await form.getByRole('status').getByText('Step moved').waitFor({ state: 'attached' });
  assert.deepEqual(
    (await boxes()).map((words) => words.split('\n')[0]),
    ['Condition', 'Change tag', 'Wait'],
  );

  // The keyboard opens a step, then chooses its new place.
  await picture.getByRole('button', { name: /^Wait Wait 3 days/ }).press('Enter');
  await wait.getByRole('button', { name: 'Move', exact: true }).press('Enter');
  await picture.getByRole('button', { name: /^Move here: at the end of "No"/ }).press('Enter');
  await page.waitForFunction(() => document.activeElement?.textContent?.includes('Wait 3 days'));
  await add('at the end', 'Wait');
  await form.getByRole('region', { name: 'Wait', exact: true }).getByRole('button', { name: 'Remove step' }).click();
  assert.equal((await boxes()).length, 3);

  // A step without a value is marked, opened and mended.
  await form.getByRole('button', { name: 'Create' }).click();
  await picture.locator('[data-step][data-fault]').getByText('Condition').waitFor();
  await picture.locator('[data-fault]').click();
  await form
    .getByRole('combobox', { name: 'Segment' })
    .or(form.getByLabel('Segment', { exact: true }))
    .last()
    .click();
  await page.getByRole('option', { name: 'Painters' }).last().click();
  await picture.getByText('Is the person in the segment "Painters"?').waitFor();
  await form.getByRole('button', { name: 'Create' }).click();
  await form.waitFor({ state: 'detached' });

  const { rows } = await house.database.query("SELECT definition->'steps' steps FROM journey WHERE name = 'Painting'");
  const [condition] = rows[0].steps;
  assert.equal(rows[0].steps.length, 1);
  assert.equal(condition.yes[0].tag, 'painted');
  assert.equal(condition.no[0].count, 3);
  await context.close();
});

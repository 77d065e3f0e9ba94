import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { allRows } from '../apps/server/test/contacts/table-file.ts';
import { type Client, clientOf, tokenOf } from './api-client.ts';
import { approveTemplate } from './approve-template.ts';
import { choose } from './choose.ts';
import { PATHS, type Path, write } from './configuration-records.ts';
import { type Desk, deskOf } from './desk.ts';
import { editTogether } from './edit-together.ts';
import { chooseSheet } from './file-readings.ts';
import { hearing, openBrowser, PATH_MS, signIn, startHouse, watchLive } from './house.ts';
import { importContacts } from './import-contacts.ts';
import { workOnLists } from './list-work.ts';
import { watch } from './screen-reader.ts';

const FILES = [
  {
    path: 'blacklist-numbers',
    button: 'Import blacklist numbers',
    text: 'number\n639175557101\n639175557102\nabc\n',
    report: 'This is not a phone number.',
  },
  {
    path: 'sender-ids',
    button: 'Upload sender IDs',
    text: 'sender_id,enabled\nAcmeOne,true\nAcmeTwo,\nACME,\n',
    report: 'Some or all sender IDs already exist for the given department',
  },
] as const;

test('every configuration record is created, refused as a duplicate, and changed', {
  timeout: PATH_MS,
}, async (t) => {
  const house = await startHouse(t);
  const browser = await openBrowser(t);
  const context = await browser.newContext({ viewport: { width: 1360, height: 1000 }, acceptDownloads: true });
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  const seen = watch(context);
  const page = await signIn(context, house, 'superadmin');
  // The first screen must be complete, or it may lead away from the next one.
  await page.getByRole('heading', { level: 1 }).waitFor();
  await seen.settled(page);
  const desk = deskOf(page, seen);
  const again = clientOf(house, await tokenOf(house, 'superadmin'));

  // All forms share the code that shows an error and deletes a record, so two of them are enough.
  for (const [turn, each] of PATHS.entries()) await t.test(each.path, () => keepRecord(desk, each, again, turn < 2));

  for (const file of FILES) await t.test(`${file.path} as a file`, () => uploadFile(desk, file));

  await t.test('lists are merged, moved, freed of duplicates and exported, and show opt-outs', () =>
    workOnLists(page, house),
  );

  await t.test('a list is imported from the chosen sheet, below the chosen row', (t) => chooseSheet(t, page, house));

  await t.test('contacts are imported from a file, a refused row is mended, and all is undone', () =>
    importContacts(page, house),
  );

  await t.test('two people who edit one record choose field by field', () => editTogether(browser, house));

  await t.test('an edited text shows immediately in every open window, and can be restored', () => editText(desk));

  await t.test('a template fills a campaign’s text, and replaces another only after a question', () =>
    fillFromTemplates(desk),
  );

  await t.test('a limited sender ID offers approved templates only', () => approveTemplate(desk, house));

  await t.test('a setting is entered in a field of its type and has a history', () => changeSetting(desk));
  assert.deepEqual(faults, []);
});

/**
 * Creates, repeats and changes a record; if `wholly`, also reads the error in the form, and
 * deletes the record, restores it and deletes it again.
 */
async function keepRecord({ page, form, rowOf, action, go }: Desk, each: Path, again: Client, wholly: boolean) {
  await go(`/${each.path}?${each.view ?? ''}sort=-created_at`);
  const submit = async () => {
    await page.locator('main button[data-create]').first().click();
    // The drawer focuses its first field when it is open.
    await form.locator('[data-field]:focus').waitFor();
    await each.fill(form);
    await form.getByRole('button', { name: 'Create' }).click();
  };
  const asked = page.waitForRequest((request) => request.method() === 'POST' && /\/api\/v1\//.test(request.url()));
  await submit();
  await form.waitFor({ state: 'detached' });
  await rowOf(each.name).first().waitFor();
  if (wholly) {
    await submit();
    await form.getByRole('alert').getByText(each.duplicate, { exact: true }).waitFor();
    await form.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Leave', exact: true }).click();
    await form.waitFor({ state: 'detached' });
    // The focus is again where it was before the drawer opened.
    await page.locator('main button[data-create]:focus').waitFor();
  }
  const sent = await asked;
  const refused = await again('POST', new URL(sent.url()).pathname, { body: sent.postDataJSON() });
  assert.deepEqual([refused.status, refused.body.message], [409, each.duplicate]);

  await action(each.name, 'Edit');
  await each.edit(form);
  await form.getByRole('button', { name: 'Save' }).click();
  await form.waitFor({ state: 'detached' });
  const name = each.changed ?? each.name;
  await rowOf(name).filter({ hasText: each.shows }).first().waitFor();

  if (!wholly) return;
  const remove = async () => {
    await action(name, 'Delete');
    await form.getByText('Are you sure').waitFor();
    await form.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Deleted', { exact: true }).first().waitFor();
    await rowOf(each.shows).waitFor({ state: 'detached' });
  };
  const undo = page.getByRole('button', { name: 'Undo' });
  // That of the record before goes after ten seconds.
  await undo.waitFor({ state: 'detached' });
  await remove();
  await undo.click();
  await rowOf(name).first().waitFor();
  await remove();
}

/** Uploads several records, and reads the report of the refused one. */
async function uploadFile({ page, go }: Desk, file: (typeof FILES)[number]) {
  await go(`/${file.path}`);
  await page.getByRole('button', { name: file.button }).click();
  const panel = page.getByRole('region', { name: file.button });
  await choose(panel, 'Corporation', 'Acme Retail');
  await panel.locator('input[type=file]').setInputFiles({
    name: 'records.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(file.text),
  });
  await panel.getByRole('button', { name: 'Upload file' }).click();
  await panel.getByText('1 row was not added.').waitFor();
  assert.match(await reportOf(page, panel), new RegExp(file.report.replace(/[.()]/g, '\\$&')));
}

/** Edits a text while another window is open, and restores it. */
async function editText({ page, form, action, go }: Desk) {
  const other = await page.context().newPage();
  watchLive(other);
  await other.goto(new URL('/connection-types', page.url()).href);
  await other.getByRole('button', { name: 'Create' }).first().waitFor();
  await hearing(other, 'application.1');
  await go('/languages?group=actions&search=create');
  await action('create', 'Edit');
  await write(form, 'English', 'Add one');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Add one' }).waitFor();
  await other.getByRole('button', { name: 'Add one' }).first().waitFor();
  await other.reload();
  await other.getByRole('button', { name: 'Add one' }).first().waitFor();
  await action('create', 'Restore');
  await other.getByRole('button', { name: 'Create' }).first().waitFor();
}

/** Fills the text of a campaign from two templates. */
async function fillFromTemplates({ page, form, go }: Desk) {
  await go('/send-sms');
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  for (const [name, begins] of [
    ['Points', 'Hi {name}, you have'],
    ['Sale', 'Hi {name}, this weekend'],
  ] as const) {
    await page.getByRole('button', { name: 'Message templates' }).click();
    await form.getByRole('button', { name: new RegExp(`^${name} ?Hi `) }).click();
    if (name === 'Sale') await form.getByRole('button', { name: 'Replace' }).click();
    const field = await text.elementHandle();
    await page.waitForFunction(([element, start]) => (element as HTMLTextAreaElement).value.startsWith(start), [
      field,
      begins,
    ] as const);
  }
  assert.match(await text.inputValue(), /^Hi \{name\}, this weekend/);
}

/** Changes a setting, and opens its history. */
async function changeSetting({ page, action, go }: Desk) {
  await go('/global-configurations');
  const settings = page.locator('main form');
  const longest = settings.getByRole('textbox', { name: 'Maximum number length' });
  await longest.fill('99');
  await settings.getByText('Must be 15 or less.').waitFor();
  await longest.fill('9');
  await page.keyboard.press('Control+Enter');
  await settings.getByText('Must be 10 or more.').waitFor();
  await longest.fill('14');
  await settings.getByRole('radiogroup', { name: /Keep message texts/ }).waitFor();
  await page.keyboard.press('Control+Enter');
  await page.getByText('Settings saved').waitFor();
  await settings.getByText(/Default: 13 digits · changed by/).waitFor();
  await page.getByRole('link', { name: 'All keys as a table' }).click();
  await go('/global-configurations?view=table&search=number_max');
  await action('Maximum number length', 'History');
  await page.waitForURL(/activity-logs\?.*subject_id=/);
  await page
    .getByText(/ changed Global configuration/)
    .first()
    .waitFor();
}

/** Downloads the report file that the panel offers. */
async function reportOf(page: Page, panel: Locator): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Download detailed report' }).click(),
  ]);
  assert.match(download.suggestedFilename(), /-errors\.xlsx$/);
  return (await allRows(await download.path())).map(({ cells }) => cells.join(',')).join('\n');
}

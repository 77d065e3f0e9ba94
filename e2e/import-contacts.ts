import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { choose } from './choose.ts';
import type { House } from './house.ts';

const FILE = `Cellphone,Full name,Joined on,Member card
639175558001,Ana Import,03/04/2026,Gold
639175558002,Ben Import,25/04/2026,Silver
639175558003,Cora Import,26/04/2026,Gold
639175558004,Dan Import,27/04/2026,Silver
639175558005,Eve Import,28/04/2026,Gold
639175558006,Fay Import,29/04/2026,Silver
63917555800/2,Gil Import,30/04/2026,Gold
`;

/** Imports a file of contacts with a new field, mends its refused row, and undoes the import. */
export async function importContacts(page: Page, house: House): Promise<void> {
  const count = async () =>
    Number(
      (await house.database.query("SELECT count(*) AS n FROM contact WHERE number LIKE '6391755580%'")).rows[0]!.n,
    );
  await page.goto(`${house.url}/contacts`);
  await page.getByRole('button', { name: 'Import contacts' }).click();
  const panel = page.getByRole('region', { name: 'Import contacts' });
  await choose(panel, 'Corporation', 'Acme Retail');
  await panel.getByLabel('Tags for all rows').fill('imported');
  await page.keyboard.press('Enter');
  const file = { name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(FILE) };
  await panel.locator('input[type=file]').setInputFiles(file);
  const becomes = (column: string) => panel.getByRole('combobox', { name: `Becomes: ${column}` });
  await becomes('Cellphone').waitFor();
  assert.deepEqual(
    [await becomes('Cellphone').inputValue(), await becomes('Full name').inputValue()],
    ['Number', 'Name'],
  );
  await choose(panel, 'Becomes: Joined on', 'New field…');
  assert.equal(await panel.getByLabel('Type of the new field').inputValue(), 'Date');
  await panel.getByRole('button', { name: 'Add field' }).click();
  await panel.getByText('Suggested by other dates in the file.').waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.waitForFunction(() => document.documentElement.scrollWidth <= 360);
  await page.setViewportSize({ width: 1360, height: 1000 });
  await panel.getByRole('button', { name: 'Upload file' }).click();
  await panel.getByText('people.csv was imported').waitFor();
  assert.equal(await count(), 6);
  await panel.getByRole('button', { name: 'Use +639175558002' }).waitFor({ state: 'detached' });
  await panel.getByLabel('Row 8, Number').fill('639175558007');
  await panel.getByRole('button', { name: 'Import mended rows' }).click();
  await page.getByText('1 row imported.').waitFor();
  assert.equal(await count(), 7);
  const { rows } = await house.database.query(
    "SELECT tags, fields ->> 'joined_on' AS since FROM contact_row WHERE number = '639175558001'",
  );
  assert.deepEqual(rows, [{ tags: ['imported'], since: '2026-04-03' }]);
  await panel.getByRole('button', { name: 'Undo import' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click();
  await panel.getByText('Undone: 7 contacts.', { exact: false }).waitFor();
  assert.equal(await count(), 0);
}

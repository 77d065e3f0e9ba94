import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { encode } from '../apps/server/test/contacts/encoded-text.ts';
import { bookOfTables } from '../apps/server/test/contacts/table-file.ts';
import type { House } from './house.ts';

/** Reads a file of recipients in Chinese in its encoding, then in a wrong one, then in the right one again. */
export async function readChinese(page: Page): Promise<void> {
  const text = 'number,name\r\n639171234567,王小明\r\n639181234567,李娜\r\n';
  const file = { name: 'kehu.csv', mimeType: 'text/csv', buffer: encode(text, 'gbk') };
  await page.locator('input[type=file]').setInputFiles(file);
  const rows = page.getByRole('region', { name: 'First rows of the file' });
  await rows.getByText('王小明', { exact: true }).waitFor();
  await page.getByText('Read as: Chinese, simplified (GBK) · Comma ( , ) · from row 1', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Change how it is read' }).click();
  const encoding = page.getByLabel('Encoding', { exact: true });
  await encoding.selectOption('windows-1252');
  await rows.getByText('ÍõÐ¡Ã÷', { exact: true }).waitFor();
  await encoding.selectOption('Detect automatically');
  await rows.getByText('王小明', { exact: true }).waitFor();
  assert.equal(await encoding.inputValue(), '');
  await page.getByRole('button', { name: 'Remove file' }).click();
  // A file that is refused as detected may be accepted with other settings.
  const mixed = { ...file, buffer: Buffer.from('number,name\n639171234567;Ana\n639181234567;Eva\n') };
  await page.locator('input[type=file]').setInputFiles(mixed);
  await page
    .getByText('The headings are separated by “,”, but row 2 is separated by “;”.', { exact: false })
    .first()
    .waitFor();
  await page.getByLabel('Separator', { exact: true }).selectOption('semicolon');
  await page.getByRole('button', { name: 'Upload file' }).click();
  await rows.getByText('Ana', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Remove file' }).click();
}

/** Fills a list from the chosen sheet of a workbook, below the chosen row. */
export async function chooseSheet(t: TestContext, page: Page, house: House): Promise<void> {
  const people = [['Members'], ['number', 'name'], ['639175550001', 'Ana']];
  const others = [
    ['number', 'name'],
    ['639175550002', 'Bo'],
    ['639175550003', 'Cy'],
  ];
  const path = await bookOfTables(t, { Cover: [['For the spring']], People: people, Others: others });
  const { rows } = await house.database.query<{ id: number }>(
    `INSERT INTO number_list (corporation_id, department_id, name, created_by)
     SELECT c.id, (SELECT min(id) FROM department WHERE corporation_id = c.id AND name = 'Marketing'), 'Sheets', u.id
     FROM corporation c, user_account u WHERE c.name = 'Acme Retail' AND u.email = 'corporate@heliograph.test' RETURNING id`,
  );
  const list = rows[0]!.id;
  await page.goto(`${house.url}/numbers-${list}`);
  const panel = page.getByRole('region', { name: 'Import numbers' });
  const book = { name: 'people.xlsx', mimeType: 'application/octet-stream', buffer: readFileSync(path) };
  await panel.locator('input[type=file]').setInputFiles(book);
  const first = panel.getByRole('region', { name: 'First rows as read' });
  await first.getByText('Ana', { exact: true }).waitFor();
  assert.equal(
    await panel.getByLabel('First row of the table').locator('option:checked').textContent(),
    'Detected: Row 2: number, name',
  );
  await panel.getByLabel('Sheet', { exact: true }).selectOption('Others');
  await first.getByText('Cy', { exact: true }).waitFor();
  await page.setViewportSize({ width: 360, height: 740 });
  await page.waitForFunction(() => document.documentElement.scrollWidth <= 360);
  await page.setViewportSize({ width: 1360, height: 1000 });
  await panel.getByRole('button', { name: 'Upload file' }).click();
  await panel.getByText('people.xlsx was imported').waitFor();
  await panel.getByText('Read as: sheet Others · from row 1').waitFor();
  const added = await house.database.query(
    `SELECT name FROM number_list_number WHERE number_list_id = $1 AND number LIKE '63917555000_' ORDER BY number`,
    [list],
  );
  assert.deepEqual(added.rows, [{ name: 'Bo' }, { name: 'Cy' }]);
}

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { countParts } from '@heliograph/contract/kernel/segments';
import { until } from '@heliograph/fault-kit';
import type { BrowserContext, Page } from 'playwright-core';
import { readChinese } from './file-readings.ts';
import { type House, openBrowser, PATH_MS, signIn, startHouse } from './house.ts';

/** Rows of the file in which each recipient has a text of their own; `npm run soak` takes a hundred thousand. */
const ROWS = Number(process.env['COMPOSER_ROWS'] ?? 10_000);

/**
 * Makes a file as another program writes it: unknown column names, one text in seven of several parts, one number in a
 * hundred twice.
 */
function ownTexts(rows: number): { csv: string; texts: Map<string, string> } {
  const texts = new Map<string, string>();
  let csv = 'Kunde,Anschluss,Nachricht\n';
  for (let i = 0; i < rows; i++) {
    const number = `63917${String(1_000_000 + (i % 100 === 99 ? i - 1 : i)).slice(-7)}`;
    const text = `Hello ${i}, {this} stays${i % 7 === 0 ? ' – and goes on'.repeat(8) : ''}`;
    if (!texts.has(number)) texts.set(number, text);
    csv += `K${i},${number},"${text}"\n`;
  }
  return { csv, texts };
}

const message = (page: Page) => page.getByPlaceholder('Write the message here');

async function chooseSender(page: Page): Promise<void> {
  await page.getByPlaceholder('Choose a sender ID').click();
  await page.getByRole('option', { name: /AcmeDeals/ }).click();
}

/** Page on which the message is composed, and the file with a text in each row. */
interface Composer {
  house: House;
  page: Page;
  file: string;
  /** Text of each number, as the file contains it. */
  texts: ReadonlyMap<string, string>;
}

test('a person composes a campaign, and the written messages match the quote', {
  timeout: PATH_MS,
}, async (t) => {
  const house = await startHouse(t);
  // At this rate, prepared messages stay where they can be counted.
  await house.database.query('UPDATE link SET rate = 1');
  // The credit is enough for any number of rows.
  await house.database.query('UPDATE billing_account SET credit_limit = 1000000000000');
  const browser = await openBrowser(t);
  const machine = () => browser.newContext({ viewport: { width: 1360, height: 1000 } });
  const [first, second] = [await machine(), await machine()];
  const faults: string[] = [];
  for (const context of [first, second]) context.on('weberror', (error) => faults.push(error.error().message));
  const page = await signIn(first, house, 'corporate');
  await page.goto(`${house.url}/send-sms`);
  const { csv, texts } = ownTexts(ROWS);
  const file = join(house.dataDir, 'texts.csv');
  writeFileSync(file, csv);
  const composer = { house, page, file, texts };

  await t.test('a draft is saved and resumed on another machine, and no change is overwritten', () =>
    resumeElsewhere(composer, second),
  );

  await t.test('defaults are given all or none, and the text of one recipient is sent as a test', () =>
    sendTest(composer),
  );

  await t.test('numbers are excluded from one campaign, and invalid ones are named', () => leaveNumbersOut(composer));

  await t.test('a file in Chinese is read in its encoding, or in another one if chosen', () => readChinese(page));

  await t.test('each recipient gets the text of their row, in the quote and when sent', () => sendOwnTexts(composer));

  await t.test('a copy starts a new campaign, and the same file is read as before', () => duplicate(composer));

  await t.test('the foot with the cost stays in view, and an undo brings the draft back', () => sendAndUndo(composer));

  await t.test('without a phone in the profile no notice by SMS is promised', async () => {
    await house.database.query(`UPDATE user_account SET phone = NULL WHERE email = 'corporate@heliograph.test'`);
    await page.reload();
    await page.getByRole('button', { name: 'More options' }).click();
    await page.getByLabel('Text me when it is done').click();
    await page
      .getByText('Phone number not found for the logged-in user. Unable to send notifications.', { exact: true })
      .waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    // The menu takes a moment to close.
    await page.waitForFunction(() => document.documentElement.scrollWidth <= 360);
  });

  await t.test('a blackout time is shown before Send, with the first time after it', () =>
    startAfterBlackout(composer),
  );

  assert.deepEqual(faults, [], 'the pages threw nothing');
});

/** Continues a draft on a second machine, and changes it on both. */
async function resumeElsewhere({ house, page }: Composer, second: BrowserContext): Promise<void> {
  await chooseSender(page);
  await message(page).fill('Written on the first machine');
  await page.getByLabel('Numbers', { exact: true }).fill('639171234567');
  await page.getByText('Draft saved', { exact: true }).waitFor();
  const other = await signIn(second, house, 'corporate');
  await other.goto(`${house.url}/send-sms`);
  await other.getByRole('button', { name: 'Drafts (1)' }).click();
  await other
    .getByRole('button', { name: /Written on the first machine/ })
    .first()
    .click();
  await other.waitForFunction(() =>
    document.querySelector<HTMLTextAreaElement>('textarea[maxlength="1530"]')?.value.startsWith('Written'),
  );
  await message(other).fill('Changed on the second machine');
  await other.getByText('Draft saved', { exact: true }).waitFor();
  await message(page).fill('Changed on the first machine as well');
  await page.getByText('This draft was changed elsewhere.', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Drafts (2)' }).waitFor();
  const { rows } = await house.database.query('SELECT name FROM campaign_draft ORDER BY id');
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['Changed on the second machine', 'Changed on the first machine as well'],
  );
  await other.close();
}

/** Fills in the defaults of the text, and sends it to one number as a test. */
async function sendTest({ house, page }: Composer): Promise<void> {
  await message(page).fill('Hi {name}, {param1}');
  await page.getByLabel('{name}', { exact: true }).fill('friend');
  await page.getByRole('button', { name: 'Review & send' }).click();
  await page.getByText('Fill in all default values of the text, or leave all of them empty.').waitFor();
  await page.getByLabel('{param1}', { exact: true }).fill('bye');
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByLabel('Your number').fill('639179990001');
  await page.getByRole('button', { name: 'Send test' }).click();
  await page.getByText('Sending to 639179990001', { exact: false }).waitFor();
  const { rows } = await house.database.query(
    `SELECT coalesce(m.text, k.common_text) AS text FROM message m JOIN chunk k ON k.id = m.id >> 10
     WHERE m.msisdn = '639179990001'`,
  );
  assert.match(rows[0].text, /^Hi friend, bye/);
  await page.keyboard.press('Escape');
}

/** Leaves numbers out of the campaign, one of which is no number. */
async function leaveNumbersOut({ page }: Composer): Promise<void> {
  const check = () => page.getByRole('button', { name: 'Review & send' }).click();
  await page.getByLabel('Numbers', { exact: true }).fill('0917-123-4567, 639171234568');
  await page.getByText('1 number written locally, read as +63').waitFor();
  await page.getByLabel('Numbers', { exact: true }).fill('639171234567, 639171234568');
  await page.getByRole('button', { name: 'Exclude numbers' }).click();
  const leftOut = page.getByLabel('Blacklist numbers', { exact: true });
  await leftOut.fill('+63 917 123 4568, 63917x');
  await page.getByText('Not a phone number: 1', { exact: true }).waitFor();
  await check();
  await page.getByText('“63917x” is not a valid phone number.', { exact: false }).waitFor();
  await leftOut.fill('+63 917 123 4568');
  await check();
  await page.getByRole('button', { name: 'Send now' }).waitFor();
  await page.getByRole('region', { name: 'Quote' }).getByText('Excluded from this campaign').waitFor();
  await page.keyboard.press('Escape');
  await leftOut.fill('');
}

/** Sends a file with a text in each row, and compares quote and messages with the file. */
async function sendOwnTexts({ house, page, file, texts }: Composer): Promise<void> {
  await page.getByText('Personal messages from a file', { exact: true }).click();
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByLabel('Content of the column anschluss').waitFor();
  assert.equal(await page.getByLabel('Content of the column anschluss').inputValue(), 'number');
  await page.getByLabel('Content of the column nachricht').selectOption('content');
  await page.getByText('the text in the column “nachricht”', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Review & send' }).click();
  const go = page.getByRole('button', { name: 'Send now' });
  await go.waitFor({ timeout: PATH_MS });
  const parts = [...texts.values()].reduce((sum, text) => sum + countParts(text).parts, 0);
  const { rows } = await house.database.query('SELECT * FROM quote ORDER BY id DESC LIMIT 1');
  const [quote] = rows;
  assert.deepEqual(
    [quote.rows_read, quote.total_count, quote.total_sms, quote.rejected],
    [ROWS, texts.size, parts, { duplicate: ROWS - texts.size }],
  );
  // The dash costs a part in most of its texts, and the page shows how much its replacement saves.
  const region = page.getByRole('region', { name: 'Quote' });
  await region.getByText('Characters that force Unicode').click();
  await region.getByText('Replacing them saves', { exact: false }).waitFor();
  await go.click();
  const warning = page.getByRole('dialog', { name: 'The cost is above your warning limit' });
  await warning.getByText(texts.size.toLocaleString('en-US')).waitFor();
  await warning.getByRole('button', { name: 'Send now' }).click();
  await page.waitForURL(/\/campaign-history\/\d+/);
  await page.getByText('Running', { exact: true }).first().waitFor({ timeout: PATH_MS });
  const campaign = Number(/\d+$/.exec(new URL(page.url()).pathname)?.[0]);
  const written = await house.database.query(
    `SELECT count(*)::int AS messages, sum(parts)::int AS parts, sum(parts * unit_price)::bigint AS cost
     FROM message WHERE campaign_id = $1`,
    [campaign],
  );
  assert.deepEqual(written.rows[0], { messages: texts.size, parts, cost: quote.cost });
  const sample = await house.database.query(
    'SELECT msisdn, text FROM message WHERE campaign_id = $1 ORDER BY id LIMIT 300',
    [campaign],
  );
  for (const { msisdn, text } of sample.rows) assert.equal(text, texts.get(msisdn));
}

/** Starts a copy of the campaign, and uploads the same file again. */
async function duplicate({ page, file }: Composer): Promise<void> {
  await page.getByRole('button', { name: 'Duplicate' }).click();
  await page.waitForURL(/\/send-sms/);
  await page.getByText('texts.csv').first().waitFor();
  assert.equal(await page.getByLabel('Content of the column nachricht').inputValue(), 'content');
  await page.getByRole('button', { name: 'Remove file' }).click();
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('Columns are mapped as you last chose', { exact: false }).waitFor();
  assert.equal(await page.getByLabel('Content of the column nachricht').inputValue(), 'content');
}

/** Composes for a list before there is a sender, looks at the foot on a desk and on a phone, sends, and undoes it. */
async function sendAndUndo({ house, page }: Composer): Promise<void> {
  // Even a slow machine has time to undo it.
  await house.database.query(`UPDATE global_configuration SET value = '60' WHERE key = 'undo_seconds'`);
  await page.getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Start over' }).click();
  await page.getByRole('combobox', { name: 'Number lists' }).click();
  await page.getByRole('option', { name: /Loyalty customers/ }).click();
  await page.getByText('500 numbers in the selected lists').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: '{param1}' }).waitFor();
  await page.getByRole('button', { name: '{param9}' }).waitFor({ state: 'detached' });
  await chooseSender(page);
  await message(page).fill('Payday deals in all our shops: show this text and pay less.');
  const foot = page.getByRole('region', { name: 'Cost and sending' });
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    await foot.getByText('≈ 500 people').waitFor();
    for (const place of [0, 1e6]) {
      await page.evaluate((top) => scrollTo(0, top), place);
      for (const part of [foot, foot.getByText('₱').first(), foot.getByRole('button', { name: 'Review & send' })]) {
        const box = (await part.boundingBox())!;
        assert.ok(box.y >= height - 64 && box.y + box.height <= height, `${JSON.stringify(box)} in ${height}`);
        assert.ok(box.x >= 0 && box.x + box.width <= width, `${JSON.stringify(box)} in ${width}`);
      }
      const [figures, test] = await Promise.all([
        foot.getByText('≈ 500 people').boundingBox(),
        foot.getByRole('button', { name: 'Send a test' }).boundingBox(),
      ]);
      assert.ok(figures!.x + figures!.width <= test!.x, 'nothing covers the figures');
    }
  }
  await page.setViewportSize({ width: 1360, height: 1000 });
  await foot.getByRole('button', { name: 'Review & send' }).click();
  await page.getByRole('button', { name: 'Send now' }).click();
  await page.waitForURL(/\/campaign-history\/\d+/);
  await page.getByText(/Sending in \d+ s/).waitFor();
  await page.getByRole('button', { name: 'Undo sending' }).click();
  await page.waitForURL(/\/send-sms/);
  await page.getByText('500 numbers in the selected lists').waitFor();
  assert.match(await message(page).inputValue(), /^Payday deals/);
  assert.equal(await page.getByLabel('Campaign name').inputValue(), 'Payday deals in all our shops: show…');
  await until('all are cancelled, and their money is released', async () => {
    const { rows } = await house.database.query(
      `SELECT k.state = 'stopped' AND n.submitted = 0 AND n.cancelled = 500 AND n.released = k.estimated_cost AS done
       FROM campaign k JOIN campaign_counter n ON n.campaign_id = k.id ORDER BY k.id DESC LIMIT 1`,
    );
    return rows[0].done;
  });
}

/** Adds a blackout time that has begun, and moves the start behind it. */
async function startAfterBlackout({ house, page }: Composer): Promise<void> {
  // The blackout time lasts from an hour ago to two hours ahead, in the corporation's time zone.
  await house.database.query(
    `DELETE FROM blackout_time WHERE corporation_id = (SELECT id FROM corporation WHERE name = 'Acme Retail')`,
  );
  await house.database.query(`INSERT INTO blackout_time (corporation_id, start_time, end_time)
    SELECT id, to_char((now() - interval '1 hour') AT TIME ZONE timezone, 'HH24:MI'), to_char((now() + interval '2 hours') AT TIME ZONE timezone, 'HH24:MI')
    FROM corporation WHERE name = 'Acme Retail'`);
  await page.reload();
  await page.getByText('The campaign cannot start now.', { exact: false }).waitFor();
  await page.getByRole('button', { name: /^Start at / }).click();
  await page.getByText('no campaign starts then', { exact: false }).waitFor();
  await page.getByText('cannot start now', { exact: false }).waitFor({ state: 'detached' });
  // The page must be no wider than a phone.
  await page.waitForFunction(() => document.documentElement.scrollWidth <= 360);
}

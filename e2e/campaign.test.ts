import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { countParts } from '@heliograph/contract/kernel/segments';
import { until } from '@heliograph/fault-kit';
import type { Page } from 'playwright-core';
import { allRows } from '../apps/server/test/contacts/table-file.ts';
import { dirtyNumbers } from './dirty-numbers.ts';
import { type House, openBrowser, PATH_MS, signIn, startHouse } from './house.ts';

interface AcceptedSegment {
  to: string;
}

/** Reads the carrier's own log: every segment that it took. */
async function acceptedByCarrier(house: House): Promise<AcceptedSegment[]> {
  const segments: AcceptedSegment[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const answer: Response = await fetch(`${house.simulator}/api/log?after=${after}&limit=10000`);
    assert.equal(answer.status, 200);
    const page = (await answer.json()) as { data: AcceptedSegment[]; next: number | null };
    segments.push(...page.data);
    after = page.next;
  }
  return segments;
}

const TEXT = 'Hi {name}, your code is {param1} 🎉';

/** Page that sends the campaign, its file, and what the file must become. */
interface Sending {
  house: House;
  page: Page;
  audience: ReturnType<typeof dirtyNumbers>;
  file: string;
  /** Messages to be sent, and the number of their parts. */
  sent: readonly { number: string; text: string }[];
  parts: number;
}

test('a campaign goes from a dirty file to handsets, and every figure agrees', {
  timeout: PATH_MS,
}, async (t) => {
  const house = await startHouse(t);
  // The carrier takes 100 parts a second, so that even a slow machine has time to see the bar move.
  await house.database.query('UPDATE link SET rate = 100');
  const browser = await openBrowser(t);
  const context = await browser.newContext({ viewport: { width: 1360, height: 1000 }, acceptDownloads: true });
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));

  const audience = dirtyNumbers(10_000);
  const file = join(house.dataDir, 'customers.csv');
  writeFileSync(file, audience.csv);
  const sent = audience.accepted.map((row) => ({
    number: row.number,
    text: `Hi ${row.name}, your code is ${row.param1} 🎉`,
  }));
  const parts = sent.reduce((sum, message) => sum + countParts(message.text).parts, 0);

  const page = await signIn(context, house, 'corporate');
  await page.goto(`${house.url}/send-sms`);
  const sending = { house, page, audience, file, sent, parts };

  await t.test('the quote counts the file to the last row', () => quoteFile(sending));

  await t.test('the file of rejected numbers lists every bad row', () => readRejected(sending));

  await t.test('progress moves on the screen until every message has its outcome', () => sendAndWatch(sending));

  const { rows: campaigns } = await house.database.query(
    'SELECT id, billing_account_id FROM campaign ORDER BY id DESC LIMIT 1',
  );
  const campaign = campaigns[0] as { id: number; billing_account_id: number };

  await t.test('the states on the screen are those of the carrier', () => compareWithCarrier(sending, campaign.id));

  await t.test('all messages of the campaign are exported from its page', () => exportMessages(sending));

  await t.test('the balance is the sum of the ledger, and the charge is the quoted amount', async () => {
    const { rows } = await house.database.query(
      `SELECT b.credit_balance, b.reserved,
         (SELECT coalesce(sum(amount), 0)::bigint FROM ledger_entry WHERE billing_account_id = b.id AND book = 'credit') AS credit,
         (SELECT coalesce(sum(amount), 0)::bigint FROM ledger_entry WHERE billing_account_id = b.id AND book = 'reserved') AS held,
         (SELECT estimated_cost FROM campaign WHERE id = $1) AS quoted,
         (SELECT charged + released FROM campaign_counter WHERE campaign_id = $1) AS settled
       FROM billing_account b WHERE b.id = $2`,
      [campaign.id, campaign.billing_account_id],
    );
    const [account] = rows;
    assert.equal(account.credit_balance, Number(account.credit));
    assert.equal(account.reserved, Number(account.held));
    assert.equal(account.reserved, 0);
    assert.equal(account.settled, account.quoted);
  });

  assert.deepEqual(faults, [], 'the page threw nothing');
});

/** Uploads the file, and compares the quote with it. */
async function quoteFile({ house, page, audience, file, sent, parts }: Sending): Promise<void> {
  await page.getByPlaceholder('Choose a sender ID').click();
  await page.getByRole('option', { name: /AcmeDeals/ }).click();
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByText('First rows of the file').first().waitFor();
  await page.getByPlaceholder('Write the message here').fill(TEXT);
  await page.getByRole('button', { name: 'Review & send' }).click();
  await page.getByRole('button', { name: 'Send now' }).waitFor({ timeout: PATH_MS });
  const { rows } = await house.database.query('SELECT * FROM quote ORDER BY id DESC LIMIT 1');
  assert.equal(rows[0].total_count, sent.length);
  assert.equal(rows[0].total_sms, parts);
  assert.equal(rows[0].unicode_count, sent.length);
  assert.equal(rows[0].rejected_count, audience.rejected.length);
  assert.deepEqual(rows[0].rejected, audience.rejectedByReason);
  const quote = (await page.getByRole('region', { name: 'Quote' }).textContent()) ?? '';
  const grouped = (n: number) => n.toLocaleString('en-US');
  for (const figure of [sent.length, parts, audience.rejected.length])
    assert.ok(quote.includes(grouped(figure)), `${grouped(figure)} in: ${quote}`);
}

/** Downloads the rejected numbers, and compares them with the file. */
async function readRejected({ page, audience }: Sending): Promise<void> {
  const download = page.waitForEvent('download');
  await page.getByText('Download the rejected numbers').click();
  const [, ...lines] = await allRows(await (await download).path());
  assert.equal(lines.length, audience.rejected.length);
  const listed = new Set(lines.map(({ cells }) => cells[1]));
  for (const row of audience.rejected)
    assert.ok(listed.has(String(row.line)), `line ${row.line} (${row.number}) is listed`);
}

/** Sends the campaign, and waits until all messages have ended. */
async function sendAndWatch({ house, page, sent }: Sending): Promise<void> {
  await page.getByRole('button', { name: 'Send now' }).click();
  // The cost exceeds the account's warning limit, so count and cost must be confirmed again.
  const warning = page.getByRole('dialog', { name: 'The cost is above your warning limit' });
  await warning.getByText(sent.length.toLocaleString('en-US')).waitFor();
  await warning.getByRole('button', { name: 'Send now' }).click();
  await page.waitForURL(/\/campaign-history\/\d+/);
  const bar = page.getByRole('progressbar', { name: /^Progress of/ });
  await bar.waitFor();
  const first = await bar.getAttribute('aria-valuetext');
  const moved = (before: string | null) =>
    document.querySelector('[role=progressbar][aria-label^="Progress of"]')?.getAttribute('aria-valuetext') !== before;
  await page.waitForFunction(moved, first);
  await page.getByRole('tab', { name: 'Messages' }).click();
  // After the bar has moved, the carrier may be as fast as it can.
  await house.database.query('UPDATE link SET rate = NULL');
  const ended = 'SELECT delivered + failed + expired AS ended FROM campaign_counter ORDER BY campaign_id DESC LIMIT 1';
  const allEnded = async () => Number((await house.database.query(ended)).rows[0]?.ended) === sent.length;
  await until(`all ${sent.length} messages ended`, allEnded, 240_000);
}

/** Compares the screen with the messages and the carrier's log. */
async function compareWithCarrier({ house, page, sent, parts }: Sending, campaignId: number): Promise<void> {
  const accepted = await acceptedByCarrier(house);
  const numbers = new Set(sent.map((message) => message.number));
  const mine = accepted.filter((segment) => numbers.has(segment.to));
  assert.equal(mine.length, parts, 'every part reached the carrier exactly once');
  assert.equal(new Set(mine.map((segment) => segment.to)).size, sent.length);
  const { rows } = await house.database.query(
    `SELECT count(*) FILTER (WHERE state = 'delivered') AS delivered, count(*) AS total FROM message_row WHERE campaign_id = $1`,
    [campaignId],
  );
  assert.equal(rows[0].total, sent.length);
  // The rows update without a reload, to the last receipt.
  await page.locator('main tbody td').getByText('Submitted').first().waitFor({ state: 'detached' });
  await page.reload();
  const delivered = Number(rows[0].delivered).toLocaleString('en-US');
  await page.getByText(delivered).first().waitFor();
}

/** Requests a file of all messages, and waits for it. */
async function exportMessages({ house, page, sent }: Sending): Promise<void> {
  await page.getByRole('tab', { name: 'Messages' }).click();
  await page.getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Export', exact: true }).click();
  const file = await until('the file is written', async () => {
    const { rows } = await house.database.query('SELECT state, rows FROM download ORDER BY id DESC LIMIT 1');
    assert.notEqual(rows[0]?.state, 'failed');
    return rows[0]?.state === 'done' && rows[0];
  });
  assert.equal(file.rows, sent.length);
}

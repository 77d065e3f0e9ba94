import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AxeBuilder } from '@axe-core/playwright';
import { until } from '@heliograph/fault-kit';
import type { Page } from 'playwright-core';
import { clientOf, readUntil, tokenOf } from './api-client.ts';
import { type House, hearing, openBrowser, PATH_MS, signIn, startHouse } from './house.ts';

interface HandsetMessage {
  direction: 'received' | 'sent';
  from: string;
  text: string;
}

const phone = '639175550101';
const other = '639175550102';
const elsewhere = '639175550103';

/** Returns what the simulator's handsets do: read their messages, write, and wait for a message. */
function handsetsOf({ simulator }: House) {
  const messagesOf = async (number: string) => {
    const answer = await fetch(`${simulator}/api/handsets/${number}`);
    return ((await answer.json()) as { data: HandsetMessage[] }).data;
  };
  /** Sends a text from a handset, as soon as a receiver is bound. */
  const write = async (from: string, text: string, to = '2929') => {
    await until('the handset can send', async () => {
      const { status } = await fetch(`${simulator}/api/handsets/${from}/replies`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ to, text }),
      });
      return status === 200;
    });
  };
  const arrives = (number: string, text: string | RegExp) =>
    until(`${number} gets ${text}`, async () =>
      (await messagesOf(number)).find(
        (each) =>
          each.direction === 'received' && (typeof text === 'string' ? each.text === text : text.test(each.text)),
      ),
    );
  return { messagesOf, write, arrives };
}

type Handsets = ReturnType<typeof handsetsOf>;

test('a phone writes, a person answers in the browser, and STOP ends what comes next', {
  timeout: PATH_MS,
}, async (t) => {
  const house = await startHouse(t);
  const browser = await openBrowser(t);
  const context = await browser.newContext({ viewport: { width: 1360, height: 950 } });
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  const handsets = handsetsOf(house);
  const { write, arrives } = handsets;
  const page = await signIn(context, house, 'corporate');

  await t.test('a routing is created in its form, and a trial shows which one takes a text', () =>
    createRouting(page, house),
  );

  await t.test('a text from a handset appears in the inbox and gets an automatic reply', async () => {
    // The inbox starts empty.
    await house.database.query('DELETE FROM inbox_message');
    await page.goto(`${house.url}/inbox`);
    await page.getByText('Messages that phones send to your numbers appear here.').waitFor();
    await hearing(page);
    // The text is long, has several parts, and mixes alphabets.
    const text = `Help me please: ${'my parcel has not come. '.repeat(9)}您好`;
    await write(phone, text);
    await page.getByText('Help me please').first().waitFor();
    await page.getByRole('link', { name: 'Inbox: 1' }).waitFor();
    // The bell's menu lists everything that its badge counts.
    await page.getByRole('button', { name: /^Notifications/ }).click();
    const bell = page.getByRole('dialog', { name: 'Notifications' });
    await bell.getByRole('tab', { name: 'Replies 1' }).click();
    await bell.getByRole('link', { name: /Reply from .*Help me please/ }).click();
    await bell.waitFor({ state: 'detached' });
    await arrives(phone, 'We answer soon. 多谢');
  });

  await t.test('a person answers in the conversation, and the handset shows it', () => answerByKeys(page, handsets));

  await t.test('what one person changes shows at the other, and the badge equals the list', () =>
    workTogether(page, house, handsets),
  );

  await t.test('messages are marked in bulk, and a file of them is announced in the bell', async () => {
    await page.getByText('Table', { exact: true }).click();
    await page.getByLabel('Select all').check();
    await page.getByRole('button', { name: 'Mark as important' }).click();
    await page.getByText('5 messages were marked.').waitFor();
    assert.equal(await page.getByRole('img', { name: 'Important' }).count(), 5);
    await page.getByLabel('Select all').check();
    await page.getByRole('button', { name: 'Mark as read', exact: true }).click();
    await page.getByRole('link', { name: 'Inbox', exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Download' }).click();
    await page.getByRole('dialog').getByText('Excel workbook (XLSX)').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Download' }).click();
    await page.getByText(/is ready to download/).waitFor();
  });

  await t.test('STOP is confirmed once, and the next campaign leaves the phone out', () =>
    stopBeforeCampaign(page, house, handsets),
  );

  await t.test('on a phone nothing is wider than the page', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${house.url}/inbox?layout=conversations&view=closed`);
    const fits = () => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
    const row = page.getByRole('link', { name: new RegExp(phone) });
    await row.waitFor();
    assert.ok(await fits());
    await row.click();
    // The list makes room for the thread, and comes back.
    await page.getByText('Nothing can be sent to this person.').waitFor();
    assert.equal(await page.getByLabel('Search number, name or text').count(), 0);
    assert.ok(await fits());
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await row.waitFor();
  });
  assert.deepEqual(faults, []);
});

/** Opens a conversation, answers it, assigns it and adds a note. */
async function answerByKeys(page: Page, { write, arrives, messagesOf }: Handsets): Promise<void> {
  // Only the keyboard is used: J opens the newest conversation, R leads to the reply.
  await page.keyboard.press('j');
  const thread = page.getByRole('region', { name: `Conversation with ${phone}` });
  await thread.getByText('Help line').first().waitFor();
  await thread.getByText('We answer soon. 多谢').first().waitFor();
  // Opening a conversation marks all of it as read, and the badge follows.
  await page.getByRole('link', { name: 'Inbox', exact: true }).first().waitFor();
  await page.keyboard.press('r');
  await page.keyboard.type('It comes tomorrow before noon.');
  await thread.getByText(/^1 part · /).waitFor();
  // A text that is not sent yet survives a reload.
  await page.reload();
  await thread.getByText(/^1 part · /).waitFor();
  await page.keyboard.press('r');
  await page.keyboard.press('Control+Enter');
  const got = await arrives(phone, 'It comes tomorrow before noon.');
  assert.equal(got.from, '2929');
  await thread.getByText('It comes tomorrow before noon.').first().waitFor();
  await thread.getByTitle('Delivered').last().waitFor();
  await write(phone, 'Thank you!');
  // The open conversation updates without a reload.
  await thread.getByText('Thank you!').waitFor();
  await thread.getByRole('combobox', { name: 'Assign to' }).click();
  await page.getByRole('option', { name: 'Acme marketing user' }).click();
  await thread.getByText('assigned this to Acme marketing user').waitFor();
  await thread.getByText('Internal note', { exact: true }).click();
  await thread.getByLabel('Your internal note').fill('Parcel 42');
  await thread.getByRole('button', { name: 'Add note' }).click();
  await thread.getByText('Parcel 42').waitFor();
  // Messages that came while the conversation was open are read.
  await page.getByRole('link', { name: 'Inbox', exact: true }).first().waitFor();
  assert.ok(!(await messagesOf(phone)).some(({ text }) => text.includes('Parcel 42')));
}

/** Works on the same conversations as a colleague, and compares the badge with the list. */
async function workTogether(page: Page, house: House, { write }: Handsets): Promise<void> {
  const other = await page
    .context()
    .browser()!
    .newContext({ viewport: { width: 1360, height: 950 } });
  const colleague = await signIn(other, house, 'user');
  await colleague.goto(`${house.url}/inbox?view=mine`);
  await hearing(colleague);
  await colleague.getByRole('link', { name: /Thank you!/ }).click();
  const theirs = colleague.getByRole('region', { name: `Conversation with ${phone}` });
  await theirs.getByRole('button', { name: 'Close', exact: true }).click();
  await page.getByText('Acme marketing user closed the conversation').waitFor();
  await page.getByText('No open conversations').waitFor();
  await write(phone, 'One more thing');
  await page.getByText('A new message reopened the conversation').waitFor();
  await until('the open conversation is read', async () => {
    const { rows } = await house.database.query('SELECT FROM inbox_message WHERE read_at IS NULL');
    return rows.length === 0;
  });
  await other.close();
  await page.goto(`${house.url}/dashboard`);
  await write(phone, 'And another');
  await write(elsewhere, 'Hello');
  await page.getByRole('link', { name: 'Inbox: 2' }).first().waitFor();
  await page.goto(`${house.url}/inbox`);
  const unread = page.locator('main li').filter({ hasText: 'Unread' });
  await until('both wait', async () => (await unread.count()) === 2);
  await page.keyboard.press('j');
  await page.getByRole('link', { name: 'Inbox: 1' }).first().waitFor();
  await page.keyboard.press('k');
  await page.keyboard.press('j');
  await page.getByRole('region', { name: `Conversation with ${phone}` }).waitFor();
  await page.keyboard.press('e');
  await page.getByText('Conversation closed.').waitFor();
  await page.getByRole('link', { name: 'Inbox', exact: true }).first().waitFor();
  await unread.first().waitFor({ state: 'detached' });
  assert.deepEqual(await axeFaults(page), []);
}

/** Returns the rules of axe that the screen breaks, best practices included. */
async function axeFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode().include('main').analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
}

/** Creates a routing in its form, and tries a text. */
async function createRouting(page: Page, house: House): Promise<void> {
  await page.goto(`${house.url}/routings`);
  await page.getByText('All other messages').first().waitFor();
  await page.locator('[data-create]').first().click();
  const form = page.locator('main form');
  await form.getByLabel('Number (short code)').fill('2929');
  await form.getByRole('textbox', { name: 'Keyword' }).fill('HELP');
  await form.getByLabel('Route action').click();
  await page.getByRole('option', { name: 'URL' }).click();
  await form.getByLabel('URL', { exact: true }).waitFor();
  await form.getByLabel('Route action').click();
  await page.getByRole('option', { name: 'Inbox' }).click();
  await form.getByLabel('Campaign name').fill('Help line');
  await form.getByLabel('Valid reply message').first().fill('We answer soon. 多谢');
  await form.getByRole('button', { name: 'Create' }).click();
  await page.getByRole('row').getByText('HELP', { exact: true }).first().waitFor();
  await page.getByRole('button', { name: 'Try it' }).click();
  const tried = page.getByRole('dialog');
  await tried.getByLabel('Number (short code)').fill('2929');
  await tried.getByLabel('Message text').fill('help, please');
  await tried.getByRole('button', { name: 'Show result' }).click();
  await tried.getByText('It matches the routing “HELP”.').waitFor();
  await tried.getByText('The phone gets the answer “We answer soon. 多谢”').waitFor();
  await tried.getByLabel('Close').click();
}

/** Opts a phone out, and sends a campaign to it and to another phone, which replies. */
async function stopBeforeCampaign(page: Page, house: House, { write, arrives, messagesOf }: Handsets): Promise<void> {
  await write(phone, 'Stop');
  const before = await arrives(phone, /^You have been unsubscribed from Acme Retail/);
  assert.equal(before.from, '2929');
  await page.getByText('Opted out').first().waitFor();
  const api = clientOf(house, await tokenOf(house, 'corporate'));
  const { rows } = await house.database.query("SELECT id FROM sender_id WHERE sender_id = 'ACME'");
  const quote = await api('POST', '/api/v1/campaigns/quotes', {
    body: { sender_id: rows[0].id, content: 'A new offer', custom_numbers: `${phone},${other}` },
  });
  assert.equal(quote.status, 202, quote.text);
  const ready = await readUntil(
    () => api('GET', `/api/v1/campaigns/quotes/${quote.body.data.id}`),
    ({ state }) => state === 'ready',
  );
  assert.equal(ready['total_count'], 1);
  const made = await api('POST', '/api/v1/campaigns', { body: { quote_id: ready.id, name: 'After STOP' } });
  assert.equal(made.status, 201, made.text);
  await arrives(other, /A new offer/);
  assert.ok(!(await messagesOf(phone)).some(({ text }) => text.includes('A new offer')));
  await write(other, 'I like it', 'ACME');
  await readUntil(
    () => api('GET', `/api/v1/campaigns/${made.body.data.id}`),
    ({ replies }) => replies === 1,
  );
  await page.goto(`${house.url}/campaign-history/${made.body.data.id}`);
  await page.getByText('Replied').first().waitFor();
}

import assert from 'node:assert/strict';
import { until } from '@heliograph/fault-kit';
import type { Browser, Page } from 'playwright-core';
import { type Client, clientOf, readUntil, tokenOf } from './api-client.ts';
import { type House, signIn } from './house.ts';

const NAME = 'Harvest';

interface Desk {
  page: Page;
  form: ReturnType<Page['getByRole']>;
  go(path: string): Promise<void>;
}

/** People of one sender ID: its owner on a page and by calls, and the operator at the desk. */
interface People {
  house: House;
  desk: Desk;
  owner: Page;
  customer: Client;
  /** Opens the page of the sender ID for its owner. */
  open(): Promise<void>;
  id: number;
}

/**
 * Takes a sender ID through its life: requested, rejected with a reason, approved until a day, used, expired, approved
 * again, and suspended while a campaign runs under it.
 */
export async function liveOfSender(browser: Browser, desk: Desk, house: House): Promise<void> {
  const need = (value: string) =>
    house.database.query("UPDATE global_configuration SET value = $1 WHERE key = 'senders_need_approval'", [value]);
  await need('true');
  const owner = await signIn(await browser.newContext(), house, 'corporate');
  const customer = clientOf(house, await tokenOf(house, 'corporate'));
  const id = await request(owner, house);
  const open = async () => void (await owner.goto(`${house.url}/sender-ids/${id}`));
  const people: People = { house, desk, owner, customer, open, id };
  await rejectThenApprove(people);
  await expire(people);
  await suspendUnderWay(people);
  await need('false');
  await owner.context().close();
}

/** Has the owner request the sender ID, which sends nothing yet; returns its id. */
async function request(owner: Page, house: House): Promise<number> {
  await owner.goto(`${house.url}/sender-ids`);
  await owner.locator('main button[data-create]').first().click();
  const form = owner.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Sender ID' }).fill(NAME);
  await form.getByRole('textbox', { name: 'Purpose' }).fill('News of the harvest');
  await form.getByRole('button', { name: 'Create' }).click();
  await form.waitFor({ state: 'detached' });
  // The request leads to its page.
  await owner.getByRole('heading', { level: 1 }).getByText('Waiting for approval').waitFor();
  const { rows } = await house.database.query('SELECT id FROM sender_id WHERE sender_id = $1', [NAME]);
  return Number(rows[0].id);
}

/** Decides about the request in the queue. */
async function decide({ desk: { page, form, go } }: People, verdict: 'Reject' | 'Approve', fill: () => Promise<void>) {
  await go('/sender-requests');
  await page.getByRole('button', { name: `Actions for ${NAME}` }).click();
  await page.getByRole('menuitem', { name: verdict }).click();
  await fill();
  await form.getByRole('button', { name: verdict, exact: true }).click();
  await form.waitFor({ state: 'detached' });
}

async function rejectThenApprove(people: People): Promise<void> {
  const { desk, owner, open, house, id } = people;
  await decide(people, 'Reject', () => desk.form.getByRole('textbox', { name: 'Reason' }).fill('Whose harvest?'));
  await open();
  await owner.getByRole('alert').getByText('Reason: Whose harvest?').waitFor();
  assert.equal(await sendTest(people), 'sender_not_allowed');
  await owner.getByRole('button', { name: 'Submit for approval' }).click();
  await owner.getByText('Nothing can be sent from it before it is approved.').waitFor();
  await decide(people, 'Approve', async () => {
    await desk.form.getByRole('button', { name: 'Approved until' }).click();
    const days = desk.page.locator('.mantine-DatePickerInput-day:not([disabled])');
    await days.first().waitFor();
    await days.last().click();
  });
  await open();
  await owner.getByRole('heading', { level: 1 }).getByText('Approved').waitFor();
  const { rows } = await house.database.query('SELECT FROM sender_id WHERE id = $1 AND expires_on >= current_date', [
    id,
  ]);
  assert.equal(rows.length, 1, 'the approval has a last day');
}

/** Sends a test from the sender ID; returns the code of the refusal, or the message's state once it is known. */
async function sendTest({ customer, house, id }: People): Promise<string> {
  const body = { sender_id: id, content: 'Apples are here', number: '639175550277', sms_validity: 1 };
  const answer = await customer('POST', '/api/v1/campaigns/tests', { body });
  if (answer.status >= 300) return answer.body.code;
  const message = String((answer.body.data as unknown as { message_id: number }).message_id);
  let state = '';
  await until('the message has arrived', async () => {
    const { rows } = await house.database.query('SELECT state FROM message_row WHERE id = $1', [message]);
    state = rows[0].state;
    return state === 'delivered';
  });
  return state;
}

/** Lets the last day pass; the job that looks for it, now instead of at the next minute, ends the approval. */
async function expire(people: People): Promise<void> {
  const { house, owner, open, id } = people;
  assert.equal(await sendTest(people), 'delivered');
  await house.database.query('UPDATE sender_id SET expires_on = current_date - 2 WHERE id = $1', [id]);
  await house.database.query("INSERT INTO jobs.job (name, data) VALUES ('expire-senders', '{}')");
  await until('the approval has expired', async () => {
    const { rows } = await house.database.query('SELECT state FROM sender_id WHERE id = $1', [id]);
    return rows[0].state === 'expired';
  });
  assert.equal(await sendTest(people), 'sender_not_allowed');
  await open();
  await owner.getByText('Its approval has expired. Submit it again.').waitFor();
  await owner.getByRole('button', { name: 'Submit for approval' }).click();
  await owner.getByText('Nothing can be sent from it before it is approved.').waitFor();
  await decide(people, 'Approve', async () => undefined);
}

/** Suspends the sender ID while a campaign runs under it: the campaign pauses and says why. */
async function suspendUnderWay({ house, desk, owner, customer, id }: People): Promise<void> {
  const numbers = Array.from({ length: 600 }, (_, i) => `63917600${String(i).padStart(4, '0')}`).join();
  const body = { sender_id: id, content: 'Pears are here', custom_numbers: numbers };
  const quote = await customer('POST', '/api/v1/campaigns/quotes', { body });
  const quote_id = quote.body.data.id;
  await readUntil(
    () => customer('GET', `/api/v1/campaigns/quotes/${quote_id}`),
    ({ state }) => state === 'ready',
  );
  const schedule = { spread_minutes: 60 };
  const made = await customer('POST', '/api/v1/campaigns', { body: { quote_id, name: 'Pears', schedule } });
  assert.equal(made.status, 201, made.text);
  const path = `/api/v1/campaigns/${made.body.data.id}`;
  await readUntil(
    () => customer('GET', path),
    ({ state }) => state === 'running',
  );
  await owner.goto(`${house.url}/campaign-history/${made.body.data.id}`);
  await owner.getByRole('heading', { level: 1 }).waitFor();
  await desk.go(`/sender-ids/${id}`);
  await desk.page.getByRole('button', { name: 'Suspend' }).click();
  await desk.form.getByRole('textbox', { name: 'Reason' }).fill('Complaints');
  await desk.form.getByRole('button', { name: 'Suspend', exact: true }).click();
  // The owner's page shows it without a reload.
  await owner.getByText('Paused because its sender ID may not be used.').first().waitFor();
  const resumed = await customer('POST', `${path}/resume`, { body: {} });
  assert.equal(resumed.body.code, 'sender_out_of_use');
  assert.equal((await customer('POST', `${path}/stop`, { body: {} })).status, 200);
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '@heliograph/fault-kit';
import type { BrowserContext, Page } from 'playwright-core';
import { clientOf, tokenOf } from './api-client.ts';
import { type House, openBrowser, PATH_MS, signIn, startHouse } from './house.ts';
import { watch } from './screen-reader.ts';

/** Returns the next day on which the clocks of Europe skip an hour. */
function lastSundayOfMarch(): string {
  const now = new Date();
  const of = (year: number) => new Date(Date.UTC(year, 2, 31 - new Date(Date.UTC(year, 2, 31)).getUTCDay()));
  const soon = of(now.getUTCFullYear());
  const next = soon.getTime() > now.getTime() + 86_400_000 ? soon : of(now.getUTCFullYear() + 1);
  return next.toISOString().slice(0, 10);
}

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1360, height: 1000 };

const numbers = (count: number) =>
  Array.from({ length: count }, (_, i) => `63917${String(4_400_000 + i).padStart(7, '0')}`).join();

/** Makes a campaign as a person, through the API; returns its id. */
async function makeCampaign(house: House, who: string, name: string, content: object, schedule: object = {}) {
  const call = clientOf(house, await tokenOf(house, who));
  const { rows } = await house.database.query<{ id: number }>(
    `SELECT s.id FROM sender_id s JOIN corporation c ON c.id = s.corporation_id
     WHERE c.name = 'Acme Retail' AND s.sender_id = 'AcmeDeals'`,
  );
  const body = { sender_id: Number(rows[0]!.id), content: 'Lamps are half price today', ...content };
  const asked = await call('POST', '/api/v1/campaigns/quotes', { body });
  assert.equal(asked.status, 202, asked.text);
  await until('the quote is ready', async () => {
    const quote = await call('GET', `/api/v1/campaigns/quotes/${asked.body.data.id}`);
    return quote.body.data['state'] === 'ready';
  });
  const made = await call('POST', '/api/v1/campaigns', { body: { quote_id: asked.body.data.id, name, schedule } });
  assert.equal(made.status, 201, made.text);
  return made.body.data.id;
}

const stateOf = async (house: House, id: number) => {
  const { rows } = await house.database.query('SELECT state, pause_reason FROM campaign WHERE id = $1', [id]);
  return rows[0] as { state: string; pause_reason: string | null };
};

/** Counts how often each number was handed to the carrier, by the carrier's own log. */
async function takenByCarrier(house: House): Promise<Map<string, number>> {
  const taken = new Map<string, number>();
  for (let after: number | null = 0; after !== null; ) {
    const answer: Response = await fetch(`${house.simulator}/api/log?after=${after}&limit=10000`);
    const page = (await answer.json()) as { data: { to: string }[]; next: number | null };
    for (const { to } of page.data) if (to.startsWith('639174')) taken.set(to, (taken.get(to) ?? 0) + 1);
    after = page.next;
  }
  return taken;
}

/** Waits until the page is as narrow as the phone: after a resize the menu moves away first. */
const isNarrow = (page: Page) =>
  page.waitForFunction((width) => document.documentElement.scrollWidth <= width, PHONE.width);

/** Sets a blackout time of Acme Retail around this moment, or removes it. */
async function blackout(house: House, on: boolean): Promise<void> {
  await house.database.query(`DELETE FROM blackout_time`);
  if (!on) return;
  await house.database.query(
    `INSERT INTO blackout_time (corporation_id, start_time, end_time)
     SELECT id, to_char(now() AT TIME ZONE timezone - interval '2 minutes', 'HH24:MI'),
       to_char(now() AT TIME ZONE timezone + interval '40 minutes', 'HH24:MI') FROM corporation WHERE name = 'Acme Retail'`,
  );
}

/** Signs a person in, in a browser of their own. */
type Open = (who: string, viewport: { width: number; height: number }) => Promise<[BrowserContext, Page]>;

test('campaigns are approved on a phone and respect blackout times and clock changes', {
  timeout: PATH_MS,
}, async (t) => {
  const house = await startHouse(t);
  const browser = await openBrowser(t);
  const faults: string[] = [];
  const open: Open = async (who, viewport) => {
    const context = await browser.newContext({ viewport });
    context.on('weberror', (error) => faults.push(error.error().message));
    return [context, await signIn(context, house, who)];
  };

  await t.test('a department admin approves a campaign on a phone, and it leaves once', () =>
    approveOnPhone(house, open),
  );

  await t.test('a campaign pauses in a blackout time, says why, and continues afterwards', () =>
    pauseInBlackout(house, open),
  );

  await t.test('the form refuses a time that the clocks skip, and schedules the next valid one', () =>
    scheduleAtClockChange(house, open),
  );

  await t.test('the calendar shows the planned runs of a repetition', () => readCalendar(house, open));
  assert.deepEqual(faults, []);
});

/** Approves one campaign with a note, and two others together. */
async function approveOnPhone(house: House, open: Open): Promise<void> {
  const first = await makeCampaign(house, 'user', 'Lamp week', { custom_numbers: numbers(12) });
  const [context, page] = await open('department', PHONE);
  await page.goto(`${house.url}/pending-campaigns`);
  const card = page.getByRole('article').filter({ hasText: 'Lamp week' });
  await card.getByText('Lamps are half price today').waitFor();
  for (const words of ['AcmeDeals', 'Requested by', 'Now', 'Cost'])
    assert.ok((await card.textContent())?.includes(words), words);
  await isNarrow(page);
  const second = await makeCampaign(house, 'user', 'Shade week', { custom_numbers: numbers(3) });
  const third = await makeCampaign(house, 'user', 'Bulb week', { custom_numbers: numbers(2) });
  await page.getByRole('article').filter({ hasText: 'Bulb week' }).waitFor();

  await card.getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByLabel('Note').fill('Fine by me');
  await isNarrow(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await card.waitFor({ state: 'detached' });
  await until('it has left', async () => (await stateOf(house, first)).state === 'completed');

  for (const name of ['Shade week', 'Bulb week']) await page.getByLabel(`Select ${name}`).check();
  await page.getByRole('button', { name: 'Approve selected' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve selected' }).click();
  for (const id of [second, third])
    await until('both have left', async () => (await stateOf(house, id)).state === 'completed');
  assert.equal((await takenByCarrier(house)).get('639174400011'), 1);

  await page.goto(`${house.url}/campaign-history/${first}`);
  await page.getByText('Fine by me').waitFor();
  await isNarrow(page);
  await context.close();
}

/** Starts a campaign, and sets a blackout time while it runs. */
async function pauseInBlackout(house: House, open: Open): Promise<void> {
  const before = await takenByCarrier(house);
  const all = (taken: Map<string, number>) => [...taken.values()].reduce((sum, times) => sum + times, 0);
  // The campaign is spread over two minutes, so that even a slow machine finds it running.
  const audience = { custom_numbers: numbers(200) };
  const id = await makeCampaign(house, 'department', 'Night lamps', audience, { spread_minutes: 2 });
  const [context, page] = await open('department', DESK);
  await page.goto(`${house.url}/running-campaigns`);
  await page.getByRole('article').filter({ hasText: 'Night lamps' }).waitFor();
  await until('some have left', async () => all(await takenByCarrier(house)) > all(before) + 5);
  await blackout(house, true);
  await page.getByText('Paused by the blackout time. It resumes automatically at').waitFor();
  assert.deepEqual(await stateOf(house, id), { state: 'paused', pause_reason: 'blackout' });
  await until('nothing leaves any more', async () => {
    const left = all(await takenByCarrier(house));
    await sleep(3_000);
    return all(await takenByCarrier(house)) === left;
  });
  assert.ok(all(await takenByCarrier(house)) < all(before) + 200, 'it stands still in the middle');
  assert.equal(await page.getByRole('button', { name: 'Resume' }).count(), 0);
  const refused = await clientOf(house, await tokenOf(house, 'department'))('POST', `/api/v1/campaigns/${id}/resume`, {
    body: {},
  });
  assert.match(refused.body.message, /^Sorry, you are not authorized to run schedule campaigns/);
  await blackout(house, false);
  await house.database.query('UPDATE campaign SET spread_until = now() WHERE id = $1', [id]);
  await until('it ends', async () => (await stateOf(house, id)).state === 'completed');
  const taken = await takenByCarrier(house);
  const twice = [...taken].filter(([number, times]) => times > (before.get(number) ?? 0) + 1);
  assert.deepEqual([taken.size, twice], [200, []]);
  await page.goto(`${house.url}/campaign-history/${id}`);
  await page.getByText('Resumed after the blackout time').waitFor();
  await context.close();
}

/** Schedules a campaign in the night in which the clocks change, reschedules it and stops it. */
async function scheduleAtClockChange(house: House, open: Open): Promise<void> {
  await house.database.query(`UPDATE corporation SET timezone = 'Europe/Berlin' WHERE name = 'Acme Retail'`);
  const [context, page] = await open('department', DESK);
  await page.goto(`${house.url}/send-sms`);
  await page.getByPlaceholder('Choose a sender ID').click();
  await page.getByRole('option', { name: /AcmeDeals/ }).click();
  await page.getByPlaceholder(/Paste numbers/).fill(numbers(4));
  await page.getByPlaceholder('Write the message here').fill('Good morning');
  await page.getByText('Time zone: Europe/Berlin').waitFor();
  const night = lastSundayOfMarch();
  await page.getByText('Later', { exact: true }).click();
  await page.getByLabel('Start', { exact: true }).fill(`${night}T02:30`);
  await page.getByRole('button', { name: 'More options' }).click();
  await page.getByLabel("Respect recipients' quiet hours").check();
  await page.getByRole('textbox', { name: 'Campaign name' }).fill('Sunday lamps');
  await page.getByRole('button', { name: 'Review & send' }).click();
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByText('This time does not exist on this day').first().waitFor();
  await page.getByLabel('Start', { exact: true }).fill(`${night}T03:30`);
  await page.getByRole('button', { name: 'Review & send' }).click();
  await page.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.waitForURL(/campaign-history/);
  const id = Number(/(\d+)$/.exec(page.url())?.[1]);
  await until('it is scheduled', async () => (await stateOf(house, id)).state === 'scheduled');
  const { rows } = await house.database.query('SELECT starts_at FROM campaign WHERE id = $1', [id]);
  // This is an hour less after midnight than on other days.
  assert.equal(new Date(rows[0].starts_at).toISOString(), `${night}T01:30:00.000Z`);
  await page.getByText('Start by recipients').waitFor();

  await page.goto(`${house.url}/schedule-campaigns`);
  const row = page.getByRole('row').filter({ hasText: 'Sunday lamps' });
  await row.getByText(`Mar ${night.slice(8)}, ${night.slice(0, 4)}, 3:30 AM`).waitFor();
  await page.goto(`${house.url}/campaign-history/${id}`);
  await page.getByRole('button', { name: 'Reschedule' }).click();
  await page.getByRole('dialog').getByLabel('Start', { exact: true }).fill(`${night}T01:30`);
  await page.getByRole('dialog').getByRole('button', { name: 'Reschedule' }).click();
  await page.getByText('Rescheduled', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Stop' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click();
  await until('it is stopped', async () => (await stateOf(house, id)).state === 'stopped');
  await context.close();
}

/** Looks for a daily campaign in the calendar. */
async function readCalendar(house: House, open: Open): Promise<void> {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  const until = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10);
  const schedule = { start: `${tomorrow}T11:00`, repeat: { every: 'daily', until } };
  await makeCampaign(house, 'department', 'Daily lamps', { custom_numbers: numbers(2) }, schedule);
  const [context, page] = await open('department', DESK);
  const looked = watch(context);
  await page.goto(`${house.url}/schedule-campaigns?view=calendar`);
  await page.getByRole('button', { name: 'Next month' }).waitFor();
  // On the last day of a month the repetition begins in the next one. The page knows the month before its contents.
  await looked.settled(page);
  if ((await page.getByText('Daily lamps').count()) === 0)
    await page.getByRole('button', { name: 'Next month' }).click();
  await page.getByText('Daily lamps').first().waitFor();
  await page.setViewportSize(PHONE);
  await isNarrow(page);
  await context.close();
}

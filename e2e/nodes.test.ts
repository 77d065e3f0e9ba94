import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import type { Page } from 'playwright-core';
import { startProcess } from '../apps/server/test/operate/running.ts';
import { startNats, withoutNats } from '../apps/server/test/platform/nats-server.ts';
import { clientOf, readUntil, tokenOf } from './api-client.ts';
import { hearing, openBrowser, PATH_MS, signIn, startHouse } from './house.ts';

// Tests of an installation that grew: more processes beside those of `npm start`, over the same database.

const nats = withoutNats ? undefined : await startNats({ after });
const fanOut: Record<string, string> = nats ? { NATS_URL: nats.url } : {};
const house = await startHouse({ after }, fanOut);
const browser = await openBrowser({ after });
/** Settings of a process that belongs to the house: the same secrets and the same files. */
const own = { ...fanOut, DATA_DIR: house.dataDir, LOG_LEVEL: 'warn', CALLS_PER_MINUTE: '1000000' };

const senders = async () => {
  const { rows } = await house.database.query<{ name: string; pid: number }>(
    "SELECT name, pid FROM node WHERE kind = 'sender'",
  );
  return rows;
};
const untouched = (page: Page) => page.evaluate(() => 'untouched' in window);

test('an operator watches the processes live, drains a sender and resumes it', {
  timeout: PATH_MS,
}, async (t) => {
  // The demo's links for tests and over HTTP are disabled at first, and no sender holds a disabled link.
  await house.database.query('UPDATE link SET enabled = true');
  const { rows: links } = await house.database.query<{ name: string }>(
    'SELECT name FROM link WHERE enabled ORDER BY id',
  );
  assert.equal(links.length, 3);
  const [one] = await senders();
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const faults: string[] = [];
  context.on('weberror', (error) => faults.push(error.error().message));
  const page = await signIn(context, house, 'superadmin');
  await page.goto(`${house.url}/nodes`);
  await page.evaluate(() => Object.assign(window, { untouched: true }));
  for (const kind of ['API', 'Sender', 'Worker', 'SMPP server'])
    await page.getByRole('cell', { name: kind, exact: true }).first().waitFor();

  const rowOf = (name: string) =>
    page.getByRole('row').filter({ has: page.getByRole('button', { name: `Actions for ${name}`, exact: true }) });
  const holding = (name: string, ...held: string[]) =>
    held.reduce((row, link) => row.filter({ hasText: link }), rowOf(name)).waitFor();
  const all = links.map(({ name }) => name);
  const choose = async (name: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  const first = rowOf(one!.name);
  await holding(one!.name, ...all);

  const second = await startProcess(t, 'sender', house.databaseUrl, own);
  const { name: other } = (await senders()).find(({ pid }) => pid === second.child.pid)!;
  await rowOf(other).getByText('Live', { exact: true }).waitFor();
  // Each of the two senders has at least one of the three links.
  await rowOf(other)
    .getByText(new RegExp(all.join('|')))
    .waitFor();

  await choose(one!.name, 'Drain');
  const question = page.getByRole('dialog', { name: `Drain ${one!.name}?` });
  await question.getByText('other senders take over its links').waitFor();
  await question.getByRole('button', { name: 'Drain', exact: true }).click();
  await page.getByText(`${one!.name} is handing over its work.`).waitFor();
  await first.getByText('Draining', { exact: true }).waitFor();
  await holding(other, ...all);
  for (const name of all) await first.getByText(name).waitFor({ state: 'detached' });

  await choose(one!.name, 'Resume');
  await page.getByText(`${one!.name} is active again.`).waitFor();
  await first.getByText('Live', { exact: true }).waitFor();
  await first.getByText(new RegExp(all.join('|'))).waitFor();

  second.child.kill('SIGTERM');
  assert.equal(await second.exited, 0, second.output());
  await rowOf(other).waitFor({ state: 'detached' });
  await holding(one!.name, ...all);
  assert.ok(await untouched(page), 'all of it was seen without loading the page again');
  assert.deepEqual(faults, []);
  await context.close();
});

test('a corporate admin neither sees nor drains processes', async () => {
  const [one] = await senders();
  const { rows } = await house.database.query<{ id: number }>('SELECT id FROM node WHERE name = $1', [one!.name]);
  const call = clientOf(house, await tokenOf(house, 'corporate'));
  assert.equal((await call('GET', '/api/v1/nodes')).status, 403);
  assert.equal((await call('POST', `/api/v1/nodes/${rows[0]!.id}/drain`, { body: {} })).status, 403);
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await signIn(context, house, 'corporate');
  await page.getByRole('navigation').first().waitFor();
  assert.equal(await page.locator('a[href="/nodes"]').count(), 0);
  await page.evaluate(() => history.pushState(null, '', '/nodes'));
  await page.waitForURL((url) => url.pathname === '/login');
  const { rows: nodes } = await house.database.query('SELECT draining FROM node WHERE id = $1', [rows[0]!.id]);
  assert.deepEqual(nodes, [{ draining: false }]);
  await context.close();
});

test('a console on another machine follows a campaign live over NATS', {
  skip: withoutNats,
  timeout: PATH_MS,
}, async (t) => {
  const there = await startProcess(t, 'api', house.databaseUrl, own);
  const { rows: ears } = await house.database.query(
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE 'heliograph % listen'",
  );
  assert.equal(ears.length, 0, 'nothing comes by the database');
  // The carrier takes two a second, so that even a slow machine has time to see the campaign run.
  await house.database.query('UPDATE link SET rate = 2');
  const call = clientOf(house, await tokenOf(house, 'department'));
  const { rows } = await house.database.query<{ id: number }>(
    `SELECT s.id FROM sender_id s JOIN corporation c ON c.id = s.corporation_id
     WHERE c.name = 'Acme Retail' AND s.sender_id = 'AcmeDeals'`,
  );
  const numbers = Array.from({ length: 400 }, (_, i) => 639_171_500_000 + i).join();
  const body = { sender_id: Number(rows[0]!.id), content: 'Lamps are half price today', custom_numbers: numbers };
  const asked = await call('POST', '/api/v1/campaigns/quotes', { body });
  assert.equal(asked.status, 202, asked.text);
  const quote_id = asked.body.data.id;
  await readUntil(
    () => call('GET', `/api/v1/campaigns/quotes/${quote_id}`),
    ({ state }) => state === 'ready',
  );

  const context = await browser.newContext({ viewport: { width: 1360, height: 900 } });
  const page = await signIn(context, { url: there.url! }, 'department');
  const news: Record<string, unknown>[] = [];
  page.on('websocket', (socket) => {
    assert.equal(new URL(socket.url()).port, new URL(there.url!).port);
    socket.on('framereceived', ({ payload }) => {
      const { event, data } = JSON.parse(String(payload)) as { event: string; data: string };
      if (event === 'campaign.progress') news.push(JSON.parse(data) as Record<string, unknown>);
    });
  });
  await page.goto(`${there.url}/running-campaigns`);
  await page.evaluate(() => Object.assign(window, { untouched: true }));
  await hearing(page);

  const made = await call('POST', '/api/v1/campaigns', { body: { quote_id, name: 'Far lamps', schedule: {} } });
  assert.equal(made.status, 201, made.text);
  const { id } = made.body.data;
  const card = page.getByRole('article').filter({ hasText: 'Far lamps' });
  await card.getByText('Running', { exact: true }).waitFor();
  const heard = (what: string, so: (told: Record<string, unknown>) => boolean) =>
    until(what, () => news.some((told) => told['id'] === id && so(told)));
  await heard('the counters are told to the console', ({ processed }) => Number(processed) > 0);
  const told = Math.max(...news.map(({ processed }) => Number(processed ?? 0)));
  await heard('again and again', ({ processed }) => Number(processed) > told);
  // The number stands between `dt` and `dd`, with commas between thousands.
  await page.waitForFunction((least) => {
    const label = [...document.querySelectorAll('article dt')].find(({ textContent }) => textContent === 'Processed');
    return Number(label?.nextElementSibling?.textContent?.replaceAll(',', '')) >= least;
  }, told);

  assert.equal((await call('POST', `/api/v1/campaigns/${id}/pause`, { body: {} })).status, 200);
  await heard('its state is told to the console', ({ state }) => state === 'paused');
  await card.getByText('Paused', { exact: true }).waitFor();
  assert.equal((await call('POST', `/api/v1/campaigns/${id}/stop`, { body: {} })).status, 200);
  await card.waitFor({ state: 'detached' });
  assert.ok(await untouched(page), 'all of it was seen without loading the page again');
  await context.close();
});

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { toThousandths } from '@heliograph/contract/kernel/money';
import { MESSAGE_STATES } from '@heliograph/contract/kernel/states';
import { startTestApi } from '../test-api.ts';
import { makeTraffic } from './made-traffic.ts';
import { all, DAY, manila, now, page, week } from './transaction-pages.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');

test('pages of any size join to the same whole, newest first, each message once', async () => {
  const client = await api.as('corporate');
  const whole = await all(client);
  assert.ok(whole.length > 2_000, String(whole.length));
  assert.deepEqual(
    whole.map((row) => row.id),
    [...new Set(whole.map((row) => row.id))].sort((a, b) => b - a),
  );
  const campaign_id = whole[0]!.campaign_id!;
  const small = await all(client, { campaign_id }, 37);
  assert.deepEqual(
    small.map((row) => row.id),
    whole.filter((row) => row.campaign_id === campaign_id).map((row) => row.id),
  );
});

test('pages over consecutive chunks miss no message', async () => {
  const at = new Date(now - 2 * DAY);
  const ids: number[] = [];
  for (const size of [1, 3, 1, 2, 1, 1])
    ids.push(
      ...(await makeTraffic(owner, {
        corporation: 'Northwind Telecom',
        at,
        messages: Array.from({ length: size }, () => ({})),
      })),
    );
  const { rows } = await owner.query<{ id: number }>("SELECT id FROM corporation WHERE name = 'Northwind Telecom'");
  for (const limit of [1, 2, 4, 9]) {
    const found = await all(await api.as('reseller'), { corporation_id: rows[0]!.id }, limit);
    assert.deepEqual(
      found.map((row) => row.id),
      ids.toReversed(),
      `${limit} a page`,
    );
  }
});

test('the charge in the report is the charge in the ledger', async () => {
  const rows = await all(await api.as('superadmin'));
  const charged = rows.reduce((sum, row) => sum + toThousandths(row.charge), 0);
  const { rows: ledger } = await owner.query<{ charged: number }>(
    "SELECT -sum(amount)::bigint AS charged FROM ledger_transfer WHERE kind = 'charge' AND key NOT LIKE '%:reseller'",
  );
  assert.ok(charged > 0);
  assert.equal(charged, ledger[0]!.charged);
});

test('a day begins and ends at midnight of the time zone of the corporation', async () => {
  const day = '2026-03-10';
  const clocked = await startTestApi({ after }, { clock: { now: () => new Date('2026-03-20T10:00:00Z') } });
  const edges = [
    '2026-03-09T15:59:59.999Z',
    '2026-03-09T16:00:00Z',
    '2026-03-10T15:59:59.999Z',
    '2026-03-10T16:00:00Z',
  ];
  const ids: number[] = [];
  for (const at of edges) {
    ids.push(
      ...(await makeTraffic(clocked.database.pool('owner'), {
        corporation: 'Acme Retail',
        at: new Date(at),
        messages: [{}],
      })),
    );
  }
  const { data } = await page(await clocked.as('corporate'), { from: day, to: day });
  assert.deepEqual(data.map((row) => row.id).reverse(), ids.slice(1, 3));
});

test('each filter leaves exactly the messages that match it', async () => {
  const client = await api.as('corporate');
  const longest = '639170001999999';
  await makeTraffic(owner, { corporation: 'Acme Retail', at: new Date(now - DAY), messages: [{ msisdn: longest }] });
  const whole = await all(client);
  for (const state of MESSAGE_STATES) {
    assert.deepEqual(
      await all(client, { state }),
      whole.filter((row) => row.state === state),
      state,
    );
  }
  const number = whole[100]!.number;
  for (const [typed, digits] of [
    [number, number],
    [`+${number.slice(0, 2)} ${number.slice(2, 5)}-${number.slice(5)}`, number],
    [number.slice(0, 10), number.slice(0, 10)],
    [number.slice(0, 4), number.slice(0, 4)],
    [longest.slice(0, 9), longest.slice(0, 9)],
    ['999', '999'],
  ] as const) {
    const found = await all(client, { number: typed });
    const expected = whole.filter((row) => row.number.startsWith(digits));
    assert.deepEqual(found, expected, typed);
  }
  const sender_id = whole[0]!.sender_id;
  assert.deepEqual(
    await all(client, { sender_id }),
    whole.filter((row) => row.sender_id === sender_id),
  );
  const letters = await client('GET', `/api/v1/transactions?${new URLSearchParams({ ...week, number: '0917-CALL' })}`);
  assert.equal(letters.status, 422);
});

test('nobody sees a message of a corporation, department or person beyond their own', async () => {
  const numbers = async (login: string, query = {}) =>
    new Set((await all(await api.as(login), query)).map((row) => `${row.corporation_name}/${row.user_name}`));
  assert.deepEqual(await numbers('user'), new Set(['Acme Retail/Acme marketing user']));
  assert.deepEqual(await numbers('readonly'), await numbers('department'), 'all of the department');
  for (const who of await numbers('corporate@harbor.test')) assert.match(who, /^Blue Harbor Bank\//);
  for (const who of await numbers('reseller')) assert.match(who, /^(Northwind Telecom|Acme Retail)\//);
  const { rows } = await owner.query<{ id: number }>("SELECT id FROM corporation WHERE name = 'Blue Harbor Bank'");
  for (const login of ['reseller', 'corporate', 'department', 'user'])
    assert.equal((await numbers(login, { corporation_id: rows[0]!.id })).size, 0, login);
  assert.ok((await numbers('admin', { corporation_id: rows[0]!.id })).size > 0);
});

test('a period that is too long, too old or backwards is refused at its end date', async () => {
  const client = await api.as('corporate');
  for (const [from, to] of [
    [manila(now - 40 * DAY), manila(now)],
    [manila(now - 400 * DAY), manila(now - 390 * DAY)],
    [manila(now), manila(now - DAY)],
  ] as const) {
    const { status, body } = await client('GET', `/api/v1/transactions?${new URLSearchParams({ from, to })}`);
    assert.equal(status, 422);
    assert.deepEqual(Object.keys((body as { errors: object }).errors), ['to']);
    const exported = await client('POST', '/api/v1/transactions/exports', { from, to });
    assert.equal(exported.status, 422);
  }
});

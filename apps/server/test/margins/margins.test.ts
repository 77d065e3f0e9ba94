import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { margins } from '@heliograph/contract/margins/margin';
import type { messageMargin } from '@heliograph/contract/margins/message-margin';
import { countMargins } from '../../src/modules/margins/index.ts';
import { makeTraffic } from '../reports/made-traffic.ts';
import { startTestApi } from '../test-api.ts';

const api = await startTestApi({ after });
const owner = api.database.pool('owner');
const database = api.database.db('worker');
const [superadmin, reseller, corporate] = await Promise.all(
  ['superadmin', 'reseller', 'corporate'].map((l) => api.as(l)),
);
const link = Number(await api.database.one('SELECT min(id) AS id FROM link'));
type Report = ReplyOf<typeof margins>;

const at = new Date(Date.now() - 12 * 86_400_000);
const day = at.toTemporalInstant().toZonedDateTimeISO('Asia/Manila').toPlainDate().toString();
const report = async (by: string, more = '') =>
  (await superadmin!('GET', `/api/v1/margins?by=${by}&from=${day}&to=${day}${more}`)).body as Report;
const count = (now = new Date()) => countMargins({ database, clock: { now: () => now } }, new AbortController().signal);

async function seed(): Promise<void> {
  const { rows } = await owner.query<{ id: number }>(
    `INSERT INTO carrier_card (link_id, name, currency, charged_on, starts_on) VALUES ($1, 'Margins', 'CHF', 'delivery', '2020-01-01') RETURNING id`,
    [link],
  );
  await owner.query(
    `INSERT INTO carrier_rate (carrier_card_id, prefix, amount) VALUES ($1, '63', 6001), ($1, '63917', 1000)`,
    [rows[0]!.id],
  );
  await owner.query(`INSERT INTO carrier_rate (carrier_card_id, mcc, mnc, amount) VALUES ($1, '515', '66', 2000)`, [
    rows[0]!.id,
  ]);
  await owner.query(
    `UPDATE carrier_card SET version = 800, applied_at = '2020-01-01', from_at = '2020-01-01', timezone = 'Asia/Manila' WHERE id = $1`,
    [rows[0]!.id],
  );
  await owner.query(
    `INSERT INTO exchange_rate (from_currency, to_currency, day, digits, scale) VALUES ('CHF', 'PHP', '2020-01-01', 645, 1)`,
  );
}
await seed();
const messages = [
  { msisdn: '639171000001', answers: [0], outcome: 'delivered' },
  { msisdn: '639181000002', parts: 2, answers: [0, 0], outcome: 'delivered' },
  { msisdn: '639181000003', answers: [0], outcome: 'failed_other' },
  { msisdn: '639181000004', answers: [69], outcome: 'failed_submit' },
  { msisdn: '88351000005', answers: [0], outcome: 'delivered' },
];
await makeTraffic(owner, { corporation: 'Acme Retail', at, unit_price: 350, messages });
const [ported] = await makeTraffic(owner, {
  corporation: 'Blue Harbor Bank',
  at,
  unit_price: 400,
  messages: messages.slice(0, 1),
});
await owner.query(
  `UPDATE chunk SET ported = ARRAY[0, (SELECT id FROM network WHERE mcc = '515' AND mnc = '66')] WHERE id = $1`,
  [Math.floor(ported! / 1_024)],
);
// The demo counted its days when it was made: the traffic above is younger than that.
await owner.query('DELETE FROM margin_counted');
await count();

test('price, cost and margin add up exactly, and unknown costs stay apart', async () => {
  const { data, totals, currency } = await report('corporation');
  const [acme, harbor] = ['Acme Retail', 'Blue Harbor Bank'].map((name) => data.find((row) => row.name === name));
  // Delivered parts cost 1,000 and 6,001 millionths of a franc at 64.5: 64,500 and 387,065.
  assert.deepEqual(
    [acme?.parts, acme?.price, acme?.cost, acme?.margin, acme?.unknown_parts, acme?.unknown_price],
    [5, '1.400', '0.83863', '0.56137', 1, '0.350'],
  );
  // A ported number costs what its network costs: 2,000 millionths.
  assert.deepEqual([harbor?.price, harbor?.cost], ['0.400', '0.129']);
  assert.equal(currency, 'PHP');
  for (const by of ['reseller', 'link', 'network', 'country', 'campaign', 'day']) {
    const other = await report(by);
    assert.deepEqual(other.totals, totals, by);
    const sum = other.data.reduce((total, row) => total + Math.round(Number(row.cost) * 1e6), 0);
    assert.equal(sum, Math.round(Number(totals.cost) * 1e6), by);
  }
  const only = await report('corporation', `&link_id=${link + 1000}`);
  assert.deepEqual([only.data, only.totals.parts], [[], 0]);
});

test('an old day is counted once, and a recent one again for late receipts', async () => {
  const counted = async (back: number) => {
    const of = new Date(Date.now() - back * 86_400_000)
      .toTemporalInstant()
      .toZonedDateTimeISO('Asia/Manila')
      .toPlainDate();
    const { rows } = await owner.query('SELECT counted_at::text AS at FROM margin_counted WHERE day = $1', [
      of.toString(),
    ]);
    return rows[0]!.at as string;
  };
  await owner.query("UPDATE margin_counted SET counted_at = counted_at - interval '2 days'");
  const [old, recent] = [await counted(12), await counted(2)];
  await count();
  assert.equal(await counted(12), old);
  assert.notEqual(await counted(2), recent);
});

test('a message shows the rate of each of its parts, and customers do not see it', async () => {
  const { body } = await superadmin!('GET', `/api/v1/margins/messages/${ported}`);
  const { data } = body as ReplyOf<typeof messageMargin>;
  assert.deepEqual([data.price, data.cost, data.margin, data.unknown_parts], ['0.400', '0.129', '0.271', 0]);
  assert.deepEqual(
    data.parts.map(({ rate, cost }) => [rate?.amount, rate?.currency, rate?.charged_on, cost]),
    [['0.002', 'CHF', 'delivery', '0.129']],
  );
  assert.equal((await corporate!('GET', `/api/v1/margins/messages/${ported}`)).status, 403);
});

test('days are counted again after an exchange rate of before was entered', async () => {
  const cost = async () => (await report('corporation')).data.find(({ name }) => name === 'Blue Harbor Bank')?.cost;
  await count();
  await owner.query(
    `INSERT INTO exchange_rate (from_currency, to_currency, day, digits, scale) VALUES ('CHF', 'PHP', $1, 60, 0)`,
    [day],
  );
  assert.equal(await cost(), '0.129');
  await count();
  assert.equal(await cost(), '0.120');
  await owner.query('DELETE FROM exchange_rate WHERE day = $1', [day]);
  await count();
  assert.equal(await cost(), '0.129');
});

test('customers and resellers see no margin', async () => {
  for (const client of [reseller, corporate])
    assert.equal((await client!('GET', `/api/v1/margins?from=${day}&to=${day}`)).status, 403);
});

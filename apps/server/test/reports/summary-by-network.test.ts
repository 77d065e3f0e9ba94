import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { summaryReports } from '@heliograph/contract/reports/summary-report';
import { countDestinations } from '../../src/modules/reports/count-destinations.ts';
import { startTestApi } from '../test-api.ts';
import { type MadeMessage, makeTraffic } from './made-traffic.ts';
import { readerOf } from './report-reader.ts';

const NOW = new Date('2026-06-20T08:00:00Z');
const api = await startTestApi({ after }, { clock: { now: () => NOW } });
const owner = api.database.pool('owner');
const { get, all, fileOf } = readerOf(api);
/** Counts as a worker would some hours later: a quarter of an hour rests after a count. */
const count = (hours = 0) => {
  const now = new Date(NOW.getTime() + hours * 3_600_000);
  const worker = { database: api.database.db('worker'), clock: { now: () => now } };
  return countDestinations(worker, new AbortController().signal);
};
const PATH = '/api/v1/summary-reports';
const period = { from: '2026-06-18', to: '2026-06-18' };

type Report = ReplyOf<typeof summaryReports>;
const networkOf = (name: string) =>
  api.database.one(`SELECT id FROM network WHERE country = 'PH' AND name = $1`, [name]);
const [globe, smart, dito] = [await networkOf('Globe'), await networkOf('Smart'), await networkOf('Dito')].map(Number);

const delivered = (msisdn: string, more: Partial<MadeMessage> = {}): MadeMessage => ({
  ...{ msisdn, answers: [0], outcome: 'delivered' },
  ...more,
});
const at = (time: string) => new Date(`2026-06-18T${time}Z`);
const rebuild = () => owner.query("SELECT rebuild_traffic('2026-06-17', '2026-06-20')");

/** Messages of two customers: to Globe, Smart, a number that moved to Dito, and one of no known network. */
async function send(corporation: string, time = '03:05:00'): Promise<void> {
  const ids = await makeTraffic(owner, {
    ...{ corporation, at: at(time), unit_price: 350 },
    messages: [
      delivered('639171000001'),
      delivered('639171000002', { parts: 2, answers: [0, 0] }),
      delivered('639181000003'),
      { msisdn: '639181000004', answers: [0], outcome: 'failed_other' },
      { msisdn: '639181000005', outcome: 'blocked' },
      delivered('639171000006'),
      delivered('88351000007'),
    ],
  });
  await owner.query('UPDATE chunk SET ported = ARRAY[5, $2::bigint] WHERE id = $1', [Math.floor(ids[0]! / 1024), dito]);
}
await send('Acme Retail');
await send('Blue Harbor Bank');
await rebuild();

const report = (login: string, more: object = {}) => get<Report>(login, PATH, { ...period, ...more });
const sorted = <Row extends readonly unknown[]>(rows: readonly Row[]) =>
  rows.toSorted((a, b) => Number(a[0]) - Number(b[0]));
const figures = (rows: Report['data']) =>
  sorted(
    rows.map((row) => [row.network_id, row.messages, row.parts, row.delivered, row.failed, row.blocked, row.spend]),
  );
const ofOne = [
  [globe, 2, 3, 2, 0, 0, '1.050'],
  [smart, 2, 2, 1, 1, 1, '0.700'],
  [0, 1, 1, 1, 0, 0, '0.350'],
  [dito, 1, 1, 1, 0, 0, '0.350'],
];

test('messages that are not counted by network yet are said, not shown', async () => {
  const early = await report('corporate', { type: 'network' });
  assert.deepEqual([early.data.length, early.uncounted, early.networks.length], [0, 6, 0]);
  await count();
  const { uncounted } = await report('corporate', { type: 'network' });
  assert.equal(uncounted, 0);
  assert.equal((await report('corporate')).uncounted, 0);
});

test('a customer sees its own messages by network, ported numbers in their new one', async () => {
  const seen = await report('corporate', { type: 'network' });
  assert.deepEqual(figures(seen.data), sorted(ofOne));
  const names = [
    [0, ''],
    [globe, 'Globe (PH 515-02)'],
    [smart, 'Smart (PH 515-03)'],
    [dito, 'Dito (PH 515-66)'],
  ];
  assert.deepEqual(sorted(seen.data.map((row) => [row.network_id, row.network_name])), sorted(names));
  assert.deepEqual(sorted(seen.networks.map(({ id, name }) => [id, name])), sorted(names));
  const plain = await report('corporate');
  assert.deepEqual([seen.totals, seen.spend], [plain.totals, plain.spend]);
  assert.deepEqual([plain.data[0]!.network_id, plain.data[0]!.network_name], [null, null]);
});

test('a filter by network narrows every type of report, its sums and its file', async () => {
  for (const type of ['corporation', 'sender', 'network']) {
    const seen = await report('superadmin', { type, network_id: smart });
    assert.equal(seen.totals.messages, 4, type);
    assert.equal(seen.series[0]!.messages, 4);
    assert.deepEqual(seen.data.map((row) => [row.corporation_name, row.messages, row.failed]).sort(), [
      ['Acme Retail', 2, 1],
      ['Blue Harbor Bank', 2, 1],
    ]);
    assert.equal(seen.networks.length, 4);
  }
  assert.equal((await report('corporate', { network_id: 0 })).totals.messages, 1);
  const file = await fileOf('corporate', PATH, { ...period, type: 'network', network_id: dito, format: 'csv' });
  assert.deepEqual(
    file.map((row) => [row['Network'], row['Accepted'], row['Spend']]),
    [['Dito (PH 515-66)', '1', '0.350']],
  );
});

test('later outcomes are counted again, and a second count changes nothing', async () => {
  await owner.query("UPDATE outcome SET state = 'delivered' WHERE state = 'failed_other'");
  await owner.query('SELECT write_chunk_states(array_agg(id)) FROM chunk WHERE created_at > $1', [
    at('00:00:00').toISOString(),
  ]);
  await rebuild();
  await count(1);
  const rows = await all('corporate', PATH, { ...period, type: 'network' });
  assert.equal(
    rows.reduce((n, row) => n + Number(row['failed']), 0),
    0,
  );
  await count(2);
  assert.deepEqual(await all('corporate', PATH, { ...period, type: 'network' }), rows);
});

test('a prefix that moved counts by the time of each message', async () => {
  const [{ prefixes }] = (await owner.query('SELECT prefixes FROM network_row WHERE id = $1', [smart])).rows as [
    { prefixes: string[] },
  ];
  await send('Northwind Telecom', '05:01:00');
  await send('Northwind Telecom', '05:09:00');
  await rebuild();
  await owner.query('SELECT set_network_prefixes($1, $2)', [
    JSON.stringify({ [smart!]: prefixes.filter((prefix) => prefix !== '63918'), [dito!]: ['63918', '63991'] }),
    'form',
  ]);
  await owner.query(
    'UPDATE network_version SET in_force_at = $1 WHERE version = (SELECT max(version) FROM network_version)',
    [at('05:05:00').toISOString()],
  );
  await count(3);
  const { rows } = await owner.query(
    `SELECT network_id, sum(messages)::int AS n FROM traffic_network WHERE quarter = $1 AND network_id = ANY ($2) GROUP BY 1`,
    [at('05:00:00').toISOString(), [smart, dito]],
  );
  assert.deepEqual(Object.fromEntries(rows.map(({ network_id, n }) => [network_id, n])), { [smart!]: 2, [dito!]: 4 });
});

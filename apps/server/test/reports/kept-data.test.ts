import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { encodePdu } from '@heliograph/smpp';
import { countDestinations } from '../../src/modules/reports/count-destinations.ts';
import { rebuildTraffic } from '../../src/modules/reports/rebuild-traffic.ts';
import { removeOldData } from '../../src/modules/reports/remove-old-data.ts';
import { startTestApi } from '../test-api.ts';
import { makeTraffic } from './made-traffic.ts';

const DAY = 86_400_000;
const NOW = new Date('2026-06-20T10:00:00Z');
const clock = { now: () => NOW };
const api = await startTestApi({ after }, { clock });
const owner = api.database.pool('owner');
const worker = { database: api.database.db('worker'), clock, log: api.log };
const never = new AbortController().signal;
const before = (days: number) => new Date(NOW.getTime() - days * DAY);
const set = (key: string, value: number) =>
  owner.query('UPDATE global_configuration SET value = $2 WHERE key = $1', [key, String(value)]);

/**
 * Makes a day of Acme's messages: two with their own text, one with the chunk's text, and a receipt with its octets.
 */
async function makeDay(days: number, state = 'done'): Promise<number[]> {
  const ids = await makeTraffic(owner, {
    corporation: 'Acme Retail',
    at: before(days),
    state,
    messages: [
      { text: 'Own words', answers: [0], outcome: 'delivered', msisdn: '639170000001' },
      { answers: [0], outcome: 'expired', msisdn: '6591234567' },
      { text: 'Other words', answers: [0], msisdn: '639170000002' },
    ],
  });
  const raw = encodePdu({
    command: 'deliver_sm',
    sequence: 1,
    status: 0,
    source: '639170000001',
    destination: 'MADE',
    shortMessage: Buffer.from('id:1 stat:DELIVRD text:Own words'),
  } as never);
  await owner.query(
    "UPDATE outcome SET link_id = 1, carrier_id = '1', receipt_state = $2, receipt = $3 WHERE message_id = $1",
    [ids[0], 'delivered', raw],
  );
  await owner.query('UPDATE chunk SET settled = $2 WHERE id = $1', [Math.floor(ids[0]! / 1024), state === 'done']);
  return ids;
}

const textsOf = async (ids: number[]) =>
  (await owner.query('SELECT text FROM message_row WHERE id = ANY ($1) ORDER BY id', [ids])).rows.map(
    (row) => row.text,
  );

test('recounting statistics gives the same sums every time', async () => {
  await makeDay(3);
  await makeDay(2);
  await owner.query("SELECT rebuild_traffic('-infinity', 'infinity')");
  const sums = async () => {
    const { rows } = await owner.query(
      'SELECT * FROM traffic_quarter ORDER BY quarter, corporation_id, campaign_id, user_id',
    );
    return rows;
  };
  const places = async () => {
    const { rows } = await owner.query(
      'SELECT * FROM traffic_destination ORDER BY quarter, destination, user_id, link_id',
    );
    return rows;
  };
  await countDestinations(worker, never);
  const [quarters, destinations] = [await sums(), await places()];
  const made = destinations.filter((row) => ['63', '65'].includes(row.destination));
  assert.deepEqual(
    made.slice(0, 2).map((row) => [row.destination, row.messages, row.delivered, row.expired]),
    [
      ['63', 2, 1, 0],
      ['65', 1, 0, 1],
    ],
  );
  await owner.query('UPDATE traffic_quarter SET delivered = delivered + 7');
  const client = await owner.connect();
  try {
    assert.equal(await rebuildTraffic(client, { from: '2026-06-17', to: '2026-06-18' }), 2);
  } finally {
    client.release();
  }
  const recent = (rows: { quarter: string }[]) =>
    rows.filter((row) => row.quarter >= '2026-06-17' && row.quarter < '2026-06-19');
  assert.deepEqual(recent(await sums()), recent(quarters));
  await countDestinations(worker, never);
  await countDestinations(worker, never);
  assert.deepEqual(await places(), destinations);
});

test('a change during a recount is neither lost nor counted twice', async () => {
  const [recording, counting] = [await owner.connect(), await owner.connect()];
  try {
    const [id] = await makeDay(1);
    await owner.query("SELECT rebuild_traffic('2026-06-19', '2026-06-20')");
    const sum = async () =>
      (await owner.query("SELECT sum(spend)::bigint AS spend FROM traffic_quarter WHERE quarter >= '2026-06-19'"))
        .rows[0].spend;
    const spent = await sum();
    // This is the order of the sender: it records the correction first and adds its sum last.
    await recording.query('BEGIN');
    await recording.query(
      `INSERT INTO correction (message_id, corporation_id, state, amount, corrected_at)
       SELECT $1::bigint, corporation_id, 'delivered', 100, now() FROM message WHERE id = $1`,
      [id],
    );
    const adding = async () => {
      await recording.query(
        "UPDATE traffic_quarter SET spend = spend + 100 WHERE sender_id = 'MADE' AND quarter = '2026-06-19T10:00Z'",
      );
      await recording.query('COMMIT');
    };
    await Promise.all([rebuildTraffic(counting, { from: '2026-06-19', to: '2026-06-19' }), adding()]);
    assert.equal(await sum(), spent + 100);
  } finally {
    recording.release();
    counting.release();
  }
});

test('texts are removed after the days that are set; states and charges stay', async () => {
  const [old, young] = [await makeDay(30), await makeDay(5)];
  const facts = async (ids: number[]) =>
    (await owner.query('SELECT id, number, state, charge FROM message_row WHERE id = ANY ($1) ORDER BY id', [ids]))
      .rows;
  const known = await facts(old);
  await removeOldData(worker, never);
  assert.ok(!(await textsOf(old)).includes('[removed]'), 'nothing is set: nothing is taken out');
  await set('texts_kept_days', 10);
  await owner.query(
    `INSERT INTO moderation_item (corporation_id, sender_id, rule_id, rule_name, messages, samples, chunk_id, created_at)
     SELECT (SELECT min(id) FROM corporation), 'MADE', 1, 'Rule', 1, '{Own words}', nth, at
     FROM unnest($1::timestamptz[]) WITH ORDINALITY AS m(at, nth)`,
    [[before(12), before(5)]],
  );
  await removeOldData(worker, never);
  const kept = await owner.query('SELECT samples FROM moderation_item ORDER BY created_at');
  assert.deepEqual(
    kept.rows.map(({ samples }) => samples),
    [[], ['Own words']],
  );
  assert.deepEqual(await textsOf(old), ['[removed]', '[removed]', '[removed]']);
  assert.deepEqual(await textsOf(young), ['Own words', 'The common text', 'Other words']);
  assert.deepEqual(await facts(old), known);
  const { rows } = await owner.query('SELECT octet_length(receipt) AS octets FROM outcome WHERE message_id = $1', [
    old[0],
  ]);
  assert.deepEqual(rows, [{ octets: 0 }]);
  const { status, body } = await (await api.as('corporate'))('GET', `/api/v1/messages/${old[0]}`);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal((body as { data: { text: string } }).data.text, '[removed]');
  assert.ok(!JSON.stringify(body).includes('Own words'));
});

test('expired days are deleted, but statistics and unfinished messages are kept', async () => {
  const [over, open] = [await makeDay(60), await makeDay(61, 'open')];
  await owner.query("SELECT rebuild_traffic('2026-04-01', '2026-06-01')");
  const sums = async () =>
    (await owner.query("SELECT sum(messages)::bigint AS n FROM traffic_quarter WHERE quarter < '2026-06-01'")).rows[0]
      .n;
  const counted = await sums();
  await set('messages_kept_days', 45);
  await removeOldData(worker, never);
  assert.deepEqual(await textsOf(over), []);
  assert.equal((await textsOf(open)).length, 3);
  const { rows } = await owner.query(
    "SELECT to_regclass('message_20260421') AS gone, to_regclass('message_20260420') AS kept",
  );
  assert.deepEqual([rows[0].gone, rows[0].kept], [null, 'message_20260420']);
  assert.equal(await sums(), counted);
  const client = await owner.connect();
  // A recount must not overwrite the only figures left of a day.
  await assert.rejects(rebuildTraffic(client, { from: '2026-04-01', to: '2026-04-02' }), /no longer kept/);
  client.release();
  assert.equal(await sums(), counted);
  const { status } = await (await api.as('corporate'))('GET', `/api/v1/messages/${over[0]}`);
  assert.equal(status, 404);
});

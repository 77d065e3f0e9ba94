import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNetworks } from '#modules/networks';
import { rowsOf } from '#platform/database/queryable';
import { FOLDS, QualitySums } from '../../src/modules/carrier-quality/quality-sums.ts';
import { numbers, stage, until } from '../delivery/stage.ts';

const READ = `
  SELECT network_id, sender_kind, sum(accepted)::int AS accepted, sum(refused)::int AS refused, sum(delivered)::int AS delivered,
    sum(undelivered)::int AS undelivered, sum((SELECT sum(x) FROM unnest(latencies) x))::int AS receipts
  FROM carrier_quality GROUP BY 1, 2 ORDER BY 1`;

test('outcomes count by link, network and sender kind, and folding loses none', async (t) => {
  const s = await stage(t);
  const simulator = await s.simulator();
  const link = await s.addLink({ port: simulator.smppPort });
  const networks = await readNetworks((text, values) => rowsOf(s.owner, text, values));
  const smart = networks.networkOf(numbers(1)[0]!.msisdn!)!.id;
  const messages = [
    ...numbers(400).filter(({ msisdn }) => !msisdn.slice(-4).startsWith('99')),
    ...numbers(20, '9903'),
    ...numbers(10, '9904'),
    ...numbers(5, '9910'),
    { msisdn: '99912345678', text: 'ж'.repeat(100), unicode: true, parts: 2 },
  ];
  const plain = messages.length - 36;
  await s.sender();
  const campaign = await s.campaign(messages);
  await until('all is settled', async () => {
    const { delivered, failed } = await s.counters(campaign.id);
    return delivered === plain + 1 && failed === 30;
  });
  const counts = { network_id: smart, sender_kind: 'alphanumeric', accepted: plain + 25, refused: 10 };
  const expected = [
    { network_id: 0, sender_kind: 'alphanumeric', accepted: 1, refused: 0, delivered: 1, undelivered: 0, receipts: 1 },
    { ...counts, delivered: plain, undelivered: 20, receipts: plain + 20 },
  ];
  const { rows } = await s.owner.query(READ);
  assert.deepEqual(rows, expected);
  const { rows: links } = await s.owner.query('SELECT DISTINCT link_id FROM carrier_quality');
  assert.deepEqual(links, [{ link_id: link }]);
  await s.owner.query(`UPDATE carrier_quality SET slot = slot - interval '2 days'`);
  for (const age of ['0 days', '8 days']) {
    await s.owner.query(`UPDATE carrier_quality SET slot = slot - $1::interval`, [age]);
    for (const fold of FOLDS) await s.owner.query(fold);
    assert.deepEqual((await s.owner.query(READ)).rows, expected);
  }
  const { rows: slots } = await s.owner.query(
    `SELECT DISTINCT slot = date_trunc('day', slot, 'UTC') AS whole FROM carrier_quality`,
  );
  assert.deepEqual(slots, [{ whole: true }]);
});

test('a message counts in the slot of its submit, and its receipt by the time since', () => {
  const sums = new QualitySums(() => ({ id: 7 }));
  const message = { msisdn: '63917', answered_at: 1_800_000_000_000 - 1, chunk: { sender_id: '12345' } };
  sums.answered(message, 1, true, message.answered_at);
  sums.ended(message, 1, true, message.answered_at + 61_000);
  const [row, ...others] = sums.rows();
  assert.equal(others.length, 0);
  assert.equal(row!.slot, 1_800_000_000_000 - 300_000);
  assert.equal(row!.sender_kind, 'short_code');
  assert.equal(row!.latencies[10], 1, 'within 90 seconds');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ACCUSED_SCORE, type LinkTruth } from '@heliograph/contract/links/link-truth';
import { routeOrSetAside } from '../../src/modules/inbox/route-inbound.ts';
import { judgeTruth } from '../../src/modules/link-truth/judge-truth.ts';
import { type Stage, stage, UNIT_PRICE, until } from '../delivery/stage.ts';

const MESSAGES = 800;
const log = { warn: () => undefined, error: () => undefined } as never;

/** Sends a campaign over a link with tests, and returns what the judge finds about dead numbers. */
async function found(s: Stage, liar: 'none' | 'false_receipts') {
  const carrier = await s.simulator({ settings: { liar } });
  await s.addLink({ port: carrier.smppPort, test_rate: 50, rate: 300 });
  // The simulator cannot deliver to numbers that end so.
  await s.owner.query(
    `INSERT INTO test_number (number, kind) SELECT '63917' || n || '9903', 'dead' FROM generate_series(100, 119) n`,
  );
  await s.sender();
  const numbers = Array.from({ length: MESSAGES }, (_, i) => ({ msisdn: `6391700${String(i).padStart(4, '0')}1` }));
  const campaign = await s.campaign(numbers, { shared: { common_text: 'Hello' } });
  await until('all are delivered', async () => (await s.counters(campaign.id))['delivered'] === MESSAGES);
  await until('all tests have ended', async () => {
    const { open, all } = await s.one<{ open: number; all: number }>(
      'SELECT count(*) FILTER (WHERE state IS NULL)::integer AS open, count(*)::integer AS all FROM link_test',
    );
    return all >= 10 && open === 0;
  });
  await judgeTruth({ database: s.database.db('worker'), log });
  const { evidence } = await s.one<{ evidence: LinkTruth }>('SELECT evidence FROM link_truth');
  return { finding: evidence.findings.find(({ sign }) => sign === 'dead_delivered')!, campaign, carrier };
}

test('a liar is found over SMPP, and its tests are in no report and cost nothing', async (t) => {
  const s = await stage(t);
  const { finding, campaign, carrier } = await found(s, 'false_receipts');
  assert.ok(finding.score >= ACCUSED_SCORE, JSON.stringify(finding));
  const { tests } = await s.one<{ tests: number }>('SELECT count(*)::integer AS tests FROM link_test');
  assert.equal(carrier.counts().accepted, MESSAGES + tests);
  const { messages } = await s.one<{ messages: number }>('SELECT count(*)::integer AS messages FROM message');
  assert.equal(messages, MESSAGES);
  const { charged } = await s.one<{ charged: number }>(
    `SELECT coalesce(sum(abs(amount)), 0)::bigint AS charged FROM ledger_transfer WHERE kind = 'charge'`,
  );
  assert.equal(charged, MESSAGES * UNIT_PRICE);
  assert.equal((await s.counters(campaign.id))['submitted'], MESSAGES);
});

test('an honest carrier over SMPP is not accused by dead numbers', async (t) => {
  const s = await stage(t);
  const { finding } = await found(s, 'none');
  assert.deepEqual([finding.found, finding.score], [0, 0]);
  assert.ok(finding.looked_at >= 10);
});

for (const [liar, sign] of [
  ['early_receipts', 'too_early'],
  ['regular_receipts', 'too_regular'],
] as const) {
  test(`a carrier with ${liar.replace('_', ' ')} over SMPP is found by their times`, async (t) => {
    const s = await stage(t);
    const carrier = await s.simulator({ settings: { liar, receipt_delay_ms: 4_000, receipt_jitter_ms: 30_000 } });
    await s.addLink({ port: carrier.smppPort, test_rate: 5, rate: 500 });
    await s.sender();
    const numbers = Array.from({ length: MESSAGES }, (_, i) => ({ msisdn: `6391700${String(i).padStart(4, '0')}1` }));
    const campaign = await s.campaign(numbers, { shared: { common_text: 'Hello' } });
    await until('all are delivered', async () => (await s.counters(campaign.id))['delivered'] === MESSAGES);
    await judgeTruth({ database: s.database.db('worker'), log });
    const { evidence, accused } = await s.one<{ evidence: LinkTruth; accused: boolean }>(
      'SELECT evidence, accused_at IS NOT NULL AS accused FROM link_truth',
    );
    const finding = evidence.findings.find((each) => each.sign === sign);
    assert.ok(finding && finding.score >= ACCUSED_SCORE && accused, JSON.stringify(evidence.findings));
  });
}

test('an answer of a test phone ends its test and reaches no inbox', async (t) => {
  const s = await stage(t);
  const link = await s.addLink({ port: 1, test_rate: 10 });
  await s.owner.query(`INSERT INTO test_number (number, kind) VALUES ('639170000077', 'loop')`);
  await s.owner.query(
    `INSERT INTO link_test (link_id, number, kind, carrier_id, state) VALUES ($1, '639170000077', 'loop', 'x', 'delivered')`,
    [link],
  );
  for (const sender of ['639170000077', '639170000088'])
    await s.owner.query(
      `INSERT INTO inbound_message (link_id, sender, recipient, text, parts, total, received_at) VALUES ($1, $2, '5000', 'ok', 1, 1, now())`,
      [link, sender],
    );
  const database = s.database.db('worker');
  await routeOrSetAside({ database, clock: { now: () => new Date() }, config: {} as never, log }, 0);
  const { oa } = await s.one<{ oa: string }>(`SELECT string_agg(oa, ',') AS oa FROM inbox_message`);
  assert.equal(oa, '639170000088');
  const { answered } = await s.one<{ answered: boolean }>('SELECT answered_at IS NOT NULL AS answered FROM link_test');
  assert.equal(answered, true);
});

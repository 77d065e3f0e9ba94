import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { reconcile, reserve } from '#modules/billing';
import { pauseCampaignsOf } from '#modules/campaigns';
import { optIn, optOut } from '#modules/contacts';
import { enqueueMessages } from '#modules/delivery';
import { numberDigest, useNumberKey } from '../../src/platform/person/number-digest.ts';
import { watchStandstill } from '../standstill.ts';
import { FUNDS, logOf, type Stage, stage, UNIT_PRICE, until } from './stage.ts';

/** Maximum age of the known opt-outs when a message leaves, in milliseconds. */
const RESPECTED_AFTER_MS = 1_000;
/** The long version: 500 in a million at full rate. */
const LONG = process.env['FAULT_OPT_OUTS'] !== undefined;
const OPT_OUTS = LONG ? Number(process.env['FAULT_OPT_OUTS']) : 50;
const RATE = LONG ? null : 1_200;
const TOTAL = LONG ? 1_000_000 : 7_200;

const numberAt = (place: number) => `63917${String(place).padStart(7, '0')}`;
const optOutOf = (s: Stage, number: string) =>
  optOut(s.owner, {
    corporation_id: s.corporationId,
    number,
    source: 'message',
    at: new Date(),
    message: 'STOP',
    keyword: 'STOP',
  });

/** Opens a transaction with an opt-out. The returned function commits it. */
async function slowOptOut(s: Stage, number: string): Promise<() => Promise<void>> {
  const client = await s.owner.connect();
  await client.query('BEGIN');
  await optOut(client, { corporation_id: s.corporationId, number, source: 'import', at: new Date() });
  return async () => {
    await client.query('COMMIT');
    client.release();
  };
}

describe('opt-outs', { concurrency: true }, () => {
  test('a person who opts out during a campaign gets nothing after one second', async (t) => {
    const s = await stage(t);
    const simulator = await s.simulator({ settings: { magic_numbers: false }, keep: TOTAL });
    await s.addLink({ port: simulator.smppPort, rate: RATE });
    await s.sender();
    const standstill = watchStandstill(t);
    const campaign = await s.campaign(Array.from({ length: TOTAL }, (_, i) => ({ msisdn: numberAt(i), parts: 1 })));
    await until('some were sent', () => simulator.counts().accepted >= TOTAL / 100);
    const stored = new Map<string, number>();
    // One opt-out whose transaction begins before all others and ends after them. It must not be missed.
    const commit = await slowOptOut(s, numberAt(TOTAL - 1));
    const step = Math.floor(TOTAL / 2 / OPT_OUTS);
    for (let i = 1; i < OPT_OUTS; i++) {
      const number = numberAt(TOTAL - 1 - i * step);
      await optOutOf(s, number);
      stored.set(number, Date.now());
      if (LONG) await sleep(40);
    }
    await commit();
    stored.set(numberAt(TOTAL - 1), Date.now());
    await until(
      'all have an end',
      async () => {
        const { processed, delivered, failed } = await s.counters(campaign.id);
        return processed === TOTAL && delivered! + failed! === TOTAL;
      },
      600_000,
    );
    const sent = new Map(logOf(simulator).map(({ to, received_at }) => [to, Date.parse(received_at)]));
    // The carrier runs in this process too, and records the time only when it gets to read.
    const most = RESPECTED_AFTER_MS + standstill();
    const late = [...stored].filter(([number, at]) => (sent.get(number) ?? 0) > at + most);
    assert.deepEqual(late, []);
    const blocked = [...stored.keys()].filter((number) => !sent.has(number)).length;
    assert.ok(blocked > 0, 'they were stored before all was sent');
    assert.deepEqual(await s.states(), { delivered: TOTAL - blocked, blocked });
    const { charged, released } = await s.counters(campaign.id);
    assert.deepEqual([charged, released], [(TOTAL - blocked) * UNIT_PRICE, blocked * UNIT_PRICE]);
    assert.deepEqual(await s.account(), { credit_balance: FUNDS - (TOTAL - blocked) * UNIT_PRICE, reserved: 0 });
    assert.deepEqual(await reconcile(s.owner), []);
    await until('the campaign is completed', async () => {
      const { state } = await s.one<{ state: string }>('SELECT state FROM campaign WHERE id = $1', [campaign.id]);
      return state === 'completed';
    });
  });

  test('earlier opt-outs hold for all parts, retries and codes, but not after an opt-in', async (t) => {
    const s = await stage(t);
    const simulator = await s.simulator({ settings: { faults: { throttled: 1 } } });
    await s.addLink({ port: simulator.smppPort });
    const [gone, back, code, busy] = ['639170000001', '639170000002', '639170000003', '639170000004'];
    assert.equal(await optOutOf(s, `+${gone}`), true);
    assert.equal(await optOutOf(s, gone!), false, 'the first word stands');
    await optOutOf(s, back!);
    await optIn(s.owner, { corporation_id: s.corporationId, number: `00${back}`, at: new Date(), message: 'START' });
    await optOutOf(s, code!);
    const other = await s.one<{ id: number }>(`INSERT INTO corporation (name) VALUES ('Other') RETURNING id`);
    await optOut(s.owner, { corporation_id: other.id, number: back!, source: 'person', at: new Date() });
    const long = 'x'.repeat(400);
    const marketing = await s.campaign([gone, back, busy].map((msisdn) => ({ msisdn: msisdn!, parts: 3, text: long })));
    const codes = await s.campaign([{ msisdn: code! }], { shared: { class: 'otp' } });
    await s.sender();
    await until('the busy phone was tried', () => logOf(simulator).some(({ to }) => to === busy));
    await optOutOf(s, busy!);
    // Wait until messages that were on their way have been throttled.
    await sleep(RESPECTED_AFTER_MS + 2_000);
    simulator.configure({ faults: { throttled: 0 } });
    await until('all have an end', async () => {
      const [a, b] = [await s.counters(marketing.id), await s.counters(codes.id)];
      return a.delivered === 1 && a.failed === 2 && b.failed === 1;
    });
    assert.deepEqual(await s.states(), { delivered: 1, blocked: 3 });
    const accepted = logOf(simulator).filter(({ status }) => status === 0);
    assert.ok(!accepted.some(({ to }) => to === gone || to === busy || to === code));
    const { charged, released } = await s.counters(marketing.id);
    assert.deepEqual([charged, released], [3 * UNIT_PRICE, 6 * UNIT_PRICE]);
    assert.equal((await s.account()).reserved, 0);
  });

  test('an erased person gets nothing before they opt in again', async (t) => {
    useNumberKey({ SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), DATA_DIR: '' });
    const s = await stage(t);
    const simulator = await s.simulator();
    await s.addLink({ port: simulator.smppPort });
    const erase = (number: string) =>
      s.owner.query("INSERT INTO erased_stop (corporation_id, digest, kind) VALUES ($1, $2, 'opt_out')", [
        s.corporationId,
        numberDigest(number),
      ]);
    const ended = (id: number) =>
      until('one arrived and one was blocked', async () => {
        const { delivered, failed } = await s.counters(id);
        return delivered === 1 && failed === 1;
      });
    await erase(numberAt(1));
    await erase(numberAt(2));
    await s.sender();
    const first = await s.campaign([0, 1].map((place) => ({ msisdn: numberAt(place), parts: 1 })));
    await ended(first.id);
    assert.equal(await optIn(s.owner, { corporation_id: s.corporationId, number: numberAt(2), at: new Date() }), true);
    await erase(numberAt(3));
    await sleep(RESPECTED_AFTER_MS);
    const second = await s.campaign([2, 3].map((place) => ({ msisdn: numberAt(place), parts: 1 })));
    await ended(second.id);
    assert.deepEqual(
      logOf(simulator)
        .map(({ to }) => to)
        .sort(),
      [numberAt(0), numberAt(2)],
    );
    assert.equal((await s.states()).blocked, 2);
  });

  test('nothing leaves under a sender ID one second after its suspension', suspendSender);
});

/** Suspends the sender ID of a campaign and of loose messages while they leave. */
async function suspendSender(t: TestContext): Promise<void> {
  const s = await stage(t);
  const simulator = await s.simulator({ keep: TOTAL });
  await s.addLink({ port: simulator.smppPort, rate: 200 });
  const sender = await s.one<{ id: number; corporation_id: number }>(
    `INSERT INTO sender_id (corporation_id, sender_id) VALUES ($1, 'Acme') RETURNING id, corporation_id`,
    [s.corporationId],
  );
  const campaign = await s.campaign(Array.from({ length: 2_000 }, (_, i) => ({ msisdn: numberAt(i), parts: 1 })));
  await s.owner.query(`UPDATE campaign SET content = json_build_object('sender_id', $2::bigint) WHERE id = $1`, [
    campaign.id,
    sender.id,
  ]);
  const loose = await s.transaction(async (client) => {
    const message = { name: null, text: null, unicode: false, parts: 1, unit_price: UNIT_PRICE };
    const numbers = Array.from({ length: 300 }, (_, i) => ({ ...message, msisdn: numberAt(5_000 + i) }));
    const ids = await enqueueMessages(client, s.shared(), numbers);
    const amount = numbers.length * UNIT_PRICE;
    await reserve(client, {
      key: 'loose',
      billing_account_id: s.accountId,
      corporation_id: s.corporationId,
      amount,
    });
    return ids;
  });
  await s.sender();
  const standstill = watchStandstill(t);
  await until('some were sent', () => simulator.counts().accepted >= 100);
  await s.database
    .db('owner')
    .transaction()
    .execute(async (db) => {
      await db.updateTable('sender_id').set({ state: 'suspended' }).where('id', '=', sender.id).execute();
      await pauseCampaignsOf(db, sender);
    });
  const suspended = Date.now();
  assert.deepEqual(await s.one('SELECT state, pause_reason FROM campaign WHERE id = $1', [campaign.id]), {
    state: 'paused',
    pause_reason: 'sender',
  });
  await until('loose messages have an end', async () => {
    const { open } = await s.one<{ open: number }>(
      `SELECT count(*) AS open FROM message_row WHERE campaign_id IS NULL AND state IN ('pending', 'submitted')`,
    );
    return open === 0;
  });
  const late = logOf(simulator).filter(
    ({ received_at }) => Date.parse(received_at) > suspended + RESPECTED_AFTER_MS + standstill(),
  );
  assert.deepEqual(late, []);
  const blocked = await s.one<{ count: number }>(
    `SELECT count(*) FROM message_row WHERE id = ANY ($1) AND state = 'blocked' AND error_code = 'sender_not_allowed'`,
    [loose],
  );
  assert.ok(blocked.count > 0, 'loose messages waited');
  assert.deepEqual(await reconcile(s.owner), []);
}

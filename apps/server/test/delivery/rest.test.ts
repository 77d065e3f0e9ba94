import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { reserve } from '#modules/billing';
import { optOut } from '#modules/contacts';
import { enqueueMessages } from '#modules/delivery';
import { keepLimits, Throughput } from '../../src/modules/delivery/sending/throughput.ts';
import { logOf, numbers, type Stage, stage, UNIT_PRICE, until } from './stage.ts';

/** Time in ms within which a sign starts a resting sender, also on a busy machine; without signs it takes a minute. */
const SIGN_MS = 15_000;

/** Waits until the looks for opt-outs, which are four a second while anything may leave, have paused. */
const rested = (s: Stage) =>
  until('the sender rests', async () => {
    const { rows } = await s.owner.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE '%opt-outs'
         AND query_start < now() - interval '1500 ms'`,
    );
    return rows.length === 1;
  });

/** Starts a sender over a simulator, and lets it rest. */
async function atRest(s: Stage) {
  const simulator = await s.simulator({ settings: { magic_numbers: false } });
  await s.addLink({ port: simulator.smppPort });
  await s.sender();
  await rested(s);
  return simulator;
}

/** Stores a message outside campaigns without a wake-up. */
const storeUntold = (s: Stage, msisdn: string, state: 'open' | 'held') =>
  s.transaction(async (client) => {
    await reserve(client, {
      key: `reserve:${msisdn}`,
      billing_account_id: s.accountId,
      corporation_id: s.corporationId,
      amount: UNIT_PRICE,
    });
    await enqueueMessages(client, s.shared(), [
      { msisdn, name: null, text: null, unicode: false, parts: 1, unit_price: UNIT_PRICE },
    ]);
    if (state === 'held')
      await client.query("UPDATE chunk SET state = 'held', not_before = now() + interval '4 seconds'");
  });

describe('a sender at rest', { concurrency: true }, () => {
  test('finds a message whose wake-up was lost', async (t) => {
    const s = await stage(t);
    const simulator = await atRest(s);
    await storeUntold(s, '639170000001', 'open');
    await until('it was sent', () => simulator.counts().accepted === 1, SIGN_MS);
  });

  test('sends a held message when its time has come', async (t) => {
    const s = await stage(t);
    const simulator = await atRest(s);
    await storeUntold(s, '639170000001', 'held');
    const { not_before } = await s.one<{ not_before: string }>('SELECT not_before FROM chunk');
    await until('it was sent', () => simulator.counts().accepted === 1, SIGN_MS);
    const [sent] = logOf(simulator);
    assert.ok(Date.parse(sent!.received_at) >= Date.parse(not_before), 'and not before');
  });

  test('respects opt-outs and limits that came during the rest', async (t) => {
    const s = await stage(t);
    const simulator = await atRest(s);
    const messages = numbers(40);
    const number = messages[0]!.msisdn;
    await optOut(s.owner, { corporation_id: s.corporationId, number, source: 'import', at: new Date() });
    await s.owner.query('UPDATE corporation SET throughput = 10');
    const campaign = await s.campaign(messages);
    await until('all have an end', async () => (await s.counters(campaign.id))['processed'] === messages.length);
    // A message counts as processed when it is about to leave.
    await until('the carrier has the last one', () => logOf(simulator).length >= messages.length - 1);
    const times = logOf(simulator).map(({ received_at }) => Date.parse(received_at));
    assert.equal(times.length, messages.length - 1);
    assert.ok(!logOf(simulator).some(({ to }) => to === number));
    assert.ok(Math.max(...times) - Math.min(...times) > 3_000, 'ten a second from the first message on');
  });

  test('lets nothing leave after the rest before limits are read', async () => {
    const watch = {
      wokeAt: 0,
      repeat: (_ms: number, work: () => Promise<void>) => ({ wake: work, stop: async () => {} }),
    };
    const query = async () => ({ rows: [{ key: 'console:1', rate: 10, senders: 1, sharers: {} }] });
    const throughput = new Throughput();
    const chunk = {
      channel: 'console',
      corporation_id: 1,
      sender_id: 'Acme',
      campaign_id: null,
      spread: false,
    } as never;
    const limits = await keepLimits(throughput, { query } as never, 'sender', undefined as never, watch as never);
    assert.equal(throughput.room(chunk), 1);
    watch.wokeAt = performance.now() + 1;
    assert.equal(throughput.room(chunk), 0);
    watch.wokeAt = performance.now();
    await (limits.wake() as unknown as Promise<void>);
    assert.equal(throughput.room(chunk), 1);
  });
});

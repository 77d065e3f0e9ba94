import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { reconcile } from '#modules/billing';
import { cancelRest, wakeSenders } from '#modules/delivery';
import { FUNDS, logOf, numbers, type Stage, stage, UNIT_PRICE, until } from './stage.ts';

const setState = (s: Stage, id: number, state: string) =>
  s.owner.query('UPDATE campaign SET state = $2::campaign_state WHERE id = $1', [id, state]);

// Each test has its own stage and mostly waits.
describe('stopping', { concurrency: true }, () => {
  test('a stopped campaign sends nothing more, and its unused reserve is released', async (t) => {
    const s = await stage(t);
    const simulator = await s.simulator();
    await s.addLink({ port: simulator.smppPort, rate: 300 });
    await s.sender();
    const total = 2_500;
    const campaign = await s.campaign(numbers(total).map((m, i) => ({ ...m, unit_price: 100 + (i % 7) })));
    await until('some were sent', () => simulator.counts().accepted > 200);
    const cancelled = await s.transaction(async (client) => {
      await client.query(`UPDATE campaign SET state = 'stopped' WHERE id = $1`, [campaign.id]);
      return cancelRest(client, campaign.id);
    });
    const { processed } = await s.counters(campaign.id);
    assert.equal(processed, total);
    const handedOver = total - cancelled.messages;
    await until('the window is empty', async () => (await s.counters(campaign.id)).delivered === handedOver);
    await sleep(1_200);
    assert.equal(simulator.counts().submits, handedOver, 'what was handed over before the stop, and no more');
    assert.deepEqual(await s.states(), { delivered: handedOver, cancelled: cancelled.messages });
    const { charged, released } = await s.counters(campaign.id);
    const prices = await s.one<{ rest: number; gone: number }>(
      `SELECT coalesce(sum(unit_price) FILTER (WHERE (m.id & 1023) >= k.cursor), 0)::bigint AS rest,
       sum(unit_price) FILTER (WHERE (m.id & 1023) < k.cursor)::bigint AS gone
     FROM message m JOIN chunk k ON k.id = m.id >> 10`,
    );
    assert.deepEqual({ charged, released }, { charged: prices.gone, released: prices.rest });
    assert.deepEqual(await s.account(), { credit_balance: FUNDS - prices.gone, reserved: 0 });
    assert.deepEqual(await reconcile(s.owner), []);
    assert.deepEqual(await s.transaction((client) => cancelRest(client, campaign.id)), { messages: 0, amount: 0 });
  });

  test('a paused campaign rests and continues later, each message once', async (t) => {
    const s = await stage(t);
    const simulator = await s.simulator();
    const link = await s.addLink({ port: simulator.smppPort, rate: 100 });
    await s.sender();
    const campaign = await s.campaign(numbers(1_500));
    await until('some were sent', () => simulator.counts().accepted > 100);
    await setState(s, campaign.id, 'paused');
    // The time until a pause takes effect is tested in test/faults; here it only must take effect.
    await until('nothing leaves any more', async () => {
      const before = simulator.counts().submits;
      await sleep(1_500);
      const { processed } = await s.counters(campaign.id);
      return simulator.counts().submits === before && before === processed;
    });
    assert.ok(simulator.counts().submits < 1_500, 'it was paused in the middle');
    await s.owner.query('UPDATE link SET rate = 1000 WHERE id = $1', [link]);
    await setState(s, campaign.id, 'running');
    await wakeSenders(s.owner);
    await until('all are delivered', async () => (await s.counters(campaign.id)).delivered === 1_500);
    const log = logOf(simulator);
    assert.equal(log.length, 1_500);
    assert.equal(new Set(log.map(({ to }) => to)).size, 1_500);
  });

  test('a message not handed over before its validity ends expires at no cost', async (t) => {
    const s = await stage(t);
    await s.addLink({ port: 9 });
    await s.sender();
    const campaign = await s.campaign(numbers(1_200), { expiresIn: '1 second' });
    await until('it is completed', async () => {
      const { state } = await s.one<{ state: string }>('SELECT state FROM campaign WHERE id = $1', [campaign.id]);
      return state === 'completed';
    });
    const { processed, expired, released, charged } = await s.counters(campaign.id);
    assert.deepEqual(
      { processed, expired, released, charged },
      { processed: 1_200, expired: 1_200, released: 1_200 * UNIT_PRICE, charged: 0 },
    );
    assert.deepEqual(await s.states(), { expired: 1_200 });
    assert.deepEqual(await s.account(), { credit_balance: FUNDS, reserved: 0 });
  });

  test('an account that pays on delivery is charged only for delivered messages', async (t) => {
    const s = await stage(t, { chargeOnDelivery: true });
    const simulator = await s.simulator();
    await s.addLink({ port: simulator.smppPort });
    await s.sender();
    const messages = [
      ...numbers(20).map((m) => ({ ...m, text: 'x'.repeat(200), parts: 2 })),
      ...numbers(10, '9903'),
      ...numbers(10, '9904'),
      ...numbers(5, '9910'),
    ];
    const campaign = await s.campaign(messages, { shared: { charge_on_delivery: true } });
    await until('all is settled', async () => {
      const { delivered, failed, submitted } = await s.counters(campaign.id);
      return delivered === 20 && failed === 20 && submitted === 35;
    });
    const { charged, released, submitted } = await s.counters(campaign.id);
    assert.deepEqual(
      { charged, released, submitted },
      { charged: 40 * UNIT_PRICE, released: 20 * UNIT_PRICE, submitted: 35 },
    );
    assert.equal((await s.account()).reserved, 5 * UNIT_PRICE, 'those without a receipt are still open');
    assert.deepEqual(await reconcile(s.owner), []);
  });
});

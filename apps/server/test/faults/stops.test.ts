import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { reconcile } from '#modules/billing';
import { cancelRest } from '#modules/delivery';
import { logOf, stage, until } from '../delivery/stage.ts';
import { watchStandstill } from '../standstill.ts';

const seed = seedOf('FAULT_SEED');
const STOPS = 200;
const MESSAGES = 100;
const RATE = 2_000;
const EFFECT_MS = 2_000;
/** Segments that reach the carrier between two stops, so that campaigns are stopped at any moment of their life. */
const BETWEEN = 40;

test(`${STOPS} stopped or paused campaigns send nothing 2 s later (FAULT_SEED=${seed})`, async (t) => {
  const random = seededRandom(seed);
  const s = await stage(t);
  const simulator = await s.simulator({ settings: { receipt_delay_ms: 50, magic_numbers: false } });
  await s.addLink({ port: simulator.smppPort, rate: RATE, window_size: 500 });
  const campaigns: { id: number; handedOver: number; endedAt: number }[] = [];
  const number = (campaign: number, place: number) => `63917${String(campaign * MESSAGES + place).padStart(7, '0')}`;
  for (let i = 0; i < STOPS; i++) {
    const { id } = await s.campaign(Array.from({ length: MESSAGES }, (_, place) => ({ msisdn: number(i, place) })));
    campaigns.push({ id, handedOver: MESSAGES, endedAt: 0 });
  }
  await s.sender();
  const standstill = watchStandstill(t);
  const waiting = async () => {
    const { open } = await s.one<{ open: boolean }>(
      `SELECT EXISTS (SELECT FROM chunk k JOIN campaign c ON c.id = k.campaign_id
         WHERE k.state = 'open' AND c.state = 'running') AS open`,
    );
    return open;
  };
  const order = campaigns.map((campaign) => ({ campaign, at: random.next() })).sort((a, b) => a.at - b.at);
  let due = 0;
  for (const { campaign } of order) {
    due += BETWEEN;
    await until(
      'traffic goes on, or all has left',
      async () => simulator.counts().accepted >= due || !(await waiting()),
    );
    const stops = random.chance(0.5);
    await s.transaction(async (client) => {
      const { rowCount } = await client.query(
        `UPDATE campaign SET state = $2::campaign_state WHERE id = $1 AND state = 'running'`,
        [campaign.id, stops ? 'stopped' : 'paused'],
      );
      if (rowCount === 0 || !stops) return;
      campaign.handedOver -= (await cancelRest(client, campaign.id)).messages;
    });
    campaign.endedAt = Date.now();
  }
  await sleep(EFFECT_MS + 500);
  const sent = new Map<number, number>();
  for (const { to, received_at } of logOf(simulator)) {
    const index = Math.floor(Number(to.slice(5)) / MESSAGES);
    sent.set(index, (sent.get(index) ?? 0) + 1);
    const late = Date.parse(received_at) - campaigns[index]!.endedAt;
    // The carrier runs in this process too, and records the time only when it gets to read.
    assert.ok(late <= EFFECT_MS + standstill(), `a message left ${late} ms after its campaign was stopped`);
  }
  campaigns.forEach(({ handedOver }, index) => {
    assert.ok((sent.get(index) ?? 0) <= handedOver, 'what was cancelled never left');
  });
  const running = campaigns.filter((_, index) => (sent.get(index) ?? 0) < MESSAGES).length;
  // The number depends on the speed of the stops beside the traffic. At least one is needed to test anything.
  assert.ok(running > 0, 'some campaigns were in the middle of it');
  assert.deepEqual(await reconcile(s.owner), []);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinkRate } from '../../src/modules/delivery/sending/link-rate.ts';

/**
 * Runs a carrier with a hard limit and a link that sends as much as its rate allows, every 20 ms. The carrier counts
 * from zero every second, or continuously fills a bucket of a quarter of a second.
 */
function run(
  linkRate: LinkRate,
  clock: { now: number },
  limit: (second: number) => number,
  seconds: number,
  carrier: 'seconds' | 'bucket' = 'seconds',
) {
  const taken: number[] = [];
  const refused: number[] = [];
  let throttled = 0;
  let sent = 0;
  let left = 0;
  for (let second = 0; second < seconds; second++) {
    const most = limit(second);
    if (carrier === 'seconds') left = most;
    const before = throttled;
    let accepted = 0;
    for (let tick = 0; tick < 50; tick++) {
      clock.now += 20;
      if (carrier === 'bucket') left = Math.min(most / 4, left + most / 50);
      const room = Math.min(linkRate.available(), 1_000);
      linkRate.take(room);
      sent += room;
      const ok = Math.min(room, Math.floor(left));
      left -= ok;
      accepted += ok;
      linkRate.accepted(ok);
      for (let i = ok; i < room; i++) {
        linkRate.throttled();
        throttled++;
      }
    }
    taken.push(accepted);
    refused.push(throttled - before);
  }
  return { taken, refused, throttled, sent };
}

test('a link without an agreed rate finds the rate of its carrier and follows it', () => {
  const clock = { now: 0 };
  const linkRate = new LinkRate(null, () => clock.now);
  const { taken } = run(linkRate, clock, (second) => (second < 60 ? 50 : second < 120 ? 20 : 200), 240);
  const mean = (from: number, to: number) => taken.slice(from, to).reduce((a, b) => a + b, 0) / (to - from);
  assert.ok(mean(20, 60) > 45, `50 a second: ${mean(20, 60)}`);
  assert.ok(mean(80, 120) > 18, `20 a second: ${mean(80, 120)}`);
  assert.ok(mean(200, 240) > 180, `200 a second: ${mean(200, 240)}`);
});

test('a hard limit of 50 a second is used to 95 %, with under 1 % refused', () => {
  for (const carrier of ['seconds', 'bucket'] as const) {
    const clock = { now: 0 };
    const { taken, refused } = run(new LinkRate(null, () => clock.now), clock, () => 50, 180, carrier);
    const sum = (each: number[]) => each.slice(30).reduce((a, b) => a + b, 0);
    assert.ok(sum(taken) >= 150 * 50 * 0.95, `${carrier}: ${sum(taken)}`);
    assert.ok(sum(refused) < sum(taken) * 0.01, `${carrier}: ${sum(refused)} refused`);
  }
});

test('an agreed rate is kept, and reached', () => {
  const clock = { now: 0 };
  const linkRate = new LinkRate(80, () => clock.now);
  const { taken, throttled } = run(linkRate, clock, () => 1_000, 60);
  const whole = taken.reduce((a, b) => a + b, 0);
  assert.equal(throttled, 0);
  assert.ok(whole <= 80 * 60 + 20 && whole >= 80 * 60 * 0.95, String(whole));
});

test('parts sent beyond the available room are deducted later', () => {
  const clock = { now: 0 };
  const linkRate = new LinkRate(10, () => clock.now);
  linkRate.take(10);
  assert.equal(linkRate.available(), 0);
  clock.now += 900;
  assert.ok(linkRate.available() <= 2);
});

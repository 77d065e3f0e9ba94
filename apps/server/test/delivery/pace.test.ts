import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../../src/modules/delivery/sending/pace.ts';

/** A carrier with a hard limit a second, and a link that sends whatever its pace allows, every 20 ms. */
function run(pace: Pace, clock: { now: number }, limit: (second: number) => number, seconds: number) {
  const taken: number[] = [];
  let throttled = 0;
  let sent = 0;
  for (let second = 0; second < seconds; second++) {
    let left = limit(second);
    let accepted = 0;
    for (let tick = 0; tick < 50; tick++) {
      clock.now += 20;
      const room = Math.min(pace.available(), 1_000);
      pace.take(room);
      sent += room;
      const ok = Math.min(room, left);
      left -= ok;
      accepted += ok;
      pace.accepted(ok);
      for (let i = ok; i < room; i++) {
        pace.throttled();
        throttled++;
      }
    }
    taken.push(accepted);
  }
  return { taken, throttled, sent };
}

test('a link without an agreed rate finds the rate of its carrier and follows it', () => {
  const clock = { now: 0 };
  const pace = new Pace(null, () => clock.now);
  const { taken } = run(pace, clock, (second) => (second < 60 ? 50 : second < 120 ? 20 : 200), 240);
  const mean = (from: number, to: number) => taken.slice(from, to).reduce((a, b) => a + b, 0) / (to - from);
  assert.ok(mean(20, 60) > 35, `50 a second: ${mean(20, 60)}`);
  assert.ok(mean(80, 120) > 12, `20 a second: ${mean(80, 120)}`);
  assert.ok(mean(200, 240) > 140, `200 a second: ${mean(200, 240)}`);
});

test('an agreed rate is kept, and reached', () => {
  const clock = { now: 0 };
  const pace = new Pace(80, () => clock.now);
  const { taken, throttled } = run(pace, clock, () => 1_000, 60);
  const whole = taken.reduce((a, b) => a + b, 0);
  assert.equal(throttled, 0);
  assert.ok(whole <= 80 * 60 + 20 && whole >= 80 * 60 * 0.95, String(whole));
});

test('parts sent beyond the room are owed', () => {
  const clock = { now: 0 };
  const pace = new Pace(10, () => clock.now);
  pace.take(10);
  assert.equal(pace.available(), 0);
  clock.now += 900;
  assert.ok(pace.available() <= 2);
});

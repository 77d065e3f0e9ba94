import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CarrierQueue } from '../../src/modules/delivery/sending/carrier-queue.ts';

const TICK_MS = 5;

/**
 * Runs a link with endless bulk over a carrier that begins `rate` segments a second, one after another, and answers each
 * `latencyMs` later. Answers the segments of each second, and the longest time from sending to the answer in it.
 */
function run(window: number, seconds: number, carrier: (second: number) => { rate: number; latencyMs: number }) {
  let now = 0;
  const queue = new CarrierQueue(window, () => now);
  const flying: { sentAt: number; answerAt: number }[] = [];
  const perSecond: { answers: number; longest: number }[] = [];
  let inFlight = 0;
  let freeAt = 0;
  for (let second = 0; second < seconds; second++) {
    const { rate, latencyMs } = carrier(second);
    const sums = { answers: 0, longest: 0 };
    for (let tick = 0; tick < 1_000 / TICK_MS; tick++) {
      now += TICK_MS;
      let took = 0;
      let count = 0;
      while (flying[0] && flying[0].answerAt <= now) {
        const { sentAt } = flying.shift()!;
        count++;
        took += now - sentAt;
        sums.longest = Math.max(sums.longest, now - sentAt);
      }
      inFlight -= count;
      sums.answers += count;
      queue.answered(count, count === 0 ? 0 : took / count);
      for (let room = Math.min(window - inFlight, queue.room(inFlight)); room > 0; room--) {
        freeAt = Math.max(now, freeAt) + 1_000 / rate;
        flying.push({ sentAt: now, answerAt: freeAt + latencyMs });
        inFlight++;
      }
      // The link looks again until there is no room.
      queue.room(inFlight);
    }
    perSecond.push(sums);
  }
  const part = (from: number, to: number) => perSecond.slice(from, to);
  return {
    rate: (from: number, to: number) => part(from, to).reduce((sum, { answers }) => sum + answers, 0) / (to - from),
    longest: (from: number, to: number) => Math.max(...part(from, to).map(({ longest }) => longest)),
  };
}

test('a carrier that answers one after another holds a short queue, and stays busy', () => {
  for (const rate of [60, 500, 3_000]) {
    const { rate: found, longest } = run(2_000, 120, () => ({ rate, latencyMs: 10 }));
    assert.ok(found(10, 120) > 0.93 * rate, `${found(10, 120)} of ${rate} a second`);
    assert.ok(longest(25, 120) < 1_000, `${longest(25, 120)} ms at ${rate} a second`);
  }
});

test('a carrier that answers late but many together gets its whole window', () => {
  for (const latencyMs of [400, 1_200, 3_000]) {
    const { rate } = run(2_000, 160, () => ({ rate: 100_000, latencyMs }));
    const most = (2_000 / latencyMs) * 1_000;
    assert.ok(rate(60, 160) > 0.9 * most, `${rate(60, 160)} of ${most} a second at ${latencyMs} ms`);
  }
});

test('a fast carrier gets its whole window within a second', () => {
  const { rate } = run(2_000, 5, () => ({ rate: 1_000_000, latencyMs: 20 }));
  assert.ok(rate(1, 5) > 75_000, `${rate(1, 5)} a second`);
});

test('the queue gets short after a carrier became slow, and long after it recovered', () => {
  const { rate, longest } = run(2_000, 240, (second) => ({
    rate: second >= 60 && second < 150 ? 200 : 5_000,
    latencyMs: 10,
  }));
  assert.ok(longest(90, 150) < 1_000, `${longest(90, 150)} ms while it is slow`);
  assert.ok(rate(90, 150) > 0.9 * 200, `${rate(90, 150)} a second while it is slow`);
  assert.ok(rate(200, 240) > 0.9 * 5_000, `${rate(200, 240)} a second after`);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Random, seededRandom, seedOf } from '@heliograph/fault-kit';
import { LinkRate } from '../../src/modules/delivery/sending/link-rate.ts';

const RATES = [100, 250, 1_000, 20_000];
/** Intents that a link has on their way at the same time. */
const AHEAD = 2;
const RUN_MS = 120_000;

interface Written {
  at: number;
  segments: number;
}

/** Returns the maximum within a second. */
function busiest(written: readonly Written[]): number {
  let [from, within, most] = [0, 0, 0];
  for (const { at, segments } of written) {
    within += segments;
    while (at - written[from]!.at >= 1_000) within -= written[from++]!.segments;
    most = Math.max(most, within);
  }
  return most;
}

/**
 * Simulates a link with intents that wait for the database and the processor, sometimes long. Its holder changes
 * sometimes.
 */
function send(random: Random, rate: number): Written[] {
  const clock = { now: 0 };
  const next = () => new LinkRate(rate, () => clock.now);
  let linkRate = next();
  let draining = false;
  const intents: { segments: number; committedAt: number }[] = [];
  const leaving: { segments: number; at: number; left: () => void }[] = [];
  const written: Written[] = [];
  while (clock.now < RUN_MS) {
    // Mostly at the interval of timers, and sometimes after a silence.
    clock.now += random.chance(0.001) ? random.below(3_000) : 1 + random.below(20);
    while (leaving[0] && leaving[0].at <= clock.now) {
      const { segments, left } = leaving.shift()!;
      written.push({ at: clock.now, segments });
      left();
    }
    while (intents[0] && intents[0].committedAt <= clock.now && linkRate.leaveInMs(intents[0].segments) === 0) {
      const { segments } = intents.shift()!;
      const busy = random.chance(0.02) ? random.below(60) : 0;
      leaving.push({
        segments,
        at: Math.max(clock.now + busy, leaving.at(-1)?.at ?? 0),
        left: linkRate.leave(segments),
      });
    }
    draining ||= random.chance(0.002);
    // A holder that hands over first writes all that it has committed; the next one begins immediately.
    if (draining && intents.length + leaving.length === 0) {
      draining = false;
      linkRate = next();
    }
    const segments = draining || intents.length >= AHEAD ? 0 : linkRate.available();
    if (segments === 0) continue;
    linkRate.take(segments);
    const commit = random.chance(0.02) ? random.below(800) : 1 + random.below(20);
    // One session commits intents in their order.
    intents.push({ segments, committedAt: Math.max(clock.now + commit, intents.at(-1)?.committedAt ?? 0) });
  }
  return written;
}

test('no second exceeds 105 % of the rate, despite slow intents and hand-overs', () => {
  const random = seededRandom(seedOf('FAULT_SEED'));
  for (const rate of RATES) {
    const most = busiest(send(random, rate));
    assert.ok(most <= rate * 1.05, `${most} in a second at a rate of ${rate}`);
    assert.ok(most > rate * 0.9, `${most} in the busiest second at a rate of ${rate}`);
  }
});

test('a quick database lets the link reach its rate', () => {
  for (const rate of [...RATES, 1, 10]) {
    const clock = { now: 0 };
    const linkRate = new LinkRate(rate, () => clock.now);
    let total = 0;
    while (clock.now < RUN_MS) {
      clock.now += 20;
      const segments = linkRate.available();
      linkRate.take(segments);
      if (segments > 0) assert.equal(linkRate.leaveInMs(segments), 0, 'nothing waits');
      linkRate.leave(segments)();
      total += segments;
    }
    assert.ok(total >= (rate * RUN_MS * 0.99) / 1_000 - 1, `${total} in two minutes at a rate of ${rate}`);
  }
});

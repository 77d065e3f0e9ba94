import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom, seedOf } from '@heliograph/fault-kit';
import { Pace } from '../../src/modules/delivery/sending/pace.ts';

test('no second has more than 105 % of the rate, however often the link changes hands in it', () => {
  const random = seededRandom(seedOf('FAULT_SEED'));
  for (const rate of [100, 250, 1_000, 20_000]) {
    const clock = { now: 0 };
    let pace = new Pace(rate, () => clock.now);
    const sent: { at: number; segments: number }[] = [];
    let total = 0;
    while (clock.now < 120_000) {
      // Mostly as timers fire, and at times after a silence.
      clock.now += random.chance(0.01) ? random.below(3_000) : 1 + random.below(30);
      if (random.chance(0.005)) pace = new Pace(rate, () => clock.now);
      const segments = pace.available();
      pace.take(segments);
      total += segments;
      sent.push({ at: clock.now, segments });
    }
    let [from, within, most] = [0, 0, 0];
    for (const { at, segments } of sent) {
      within += segments;
      while (at - sent[from]!.at >= 1_000) within -= sent[from++]!.segments;
      most = Math.max(most, within);
    }
    assert.ok(most <= rate * 1.05, `${most} in a second at a rate of ${rate}`);
    assert.ok(total > 0);
  }
});

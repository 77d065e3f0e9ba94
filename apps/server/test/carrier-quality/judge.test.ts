import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LATENCY_BOUNDS } from '@heliograph/contract/carrier-quality/carrier-quality';
import fc from 'fast-check';
import {
  type Counts,
  declineOf,
  FIRST_PAUSE_MS,
  judge,
  type Present,
  percentile,
  type Usual,
  usualOf,
} from '../../src/modules/carrier-quality/judge.ts';
import { bucketOf } from '../../src/modules/carrier-quality/quality-sums.ts';

const latencies = (seconds: number, count: number) => {
  const all = new Array<number>(LATENCY_BOUNDS.length + 1).fill(0);
  all[bucketOf(seconds * 1_000)] = count;
  return all;
};
const counts = (messages: number, delivered: number, seconds = 5): Counts => ({
  accepted: messages,
  refused: 0,
  delivered,
  undelivered: messages - delivered,
  latencies: latencies(seconds, messages),
});
const usual = usualOf(counts(10_000, 9_500));
const GOOD: Present = { state: 'good', since: 0, cause: null, setbacks: 0 };
const NONE = { accepted: 0, refused: 0, delivered: 0, undelivered: 0, latencies: [] };

test('a decline needs a clear drop, enough messages and enough history', () => {
  assert.equal(declineOf(counts(200, 100), usual), 'delivery');
  assert.equal(declineOf(counts(200, 165), usual), null, '82 % could be 80 % by chance, but is no drop of 15 points');
  assert.equal(declineOf(counts(49, 0), usual), null, 'too few messages');
  assert.equal(declineOf(counts(200, 0), { ...usual, messages: 199 }), null, 'too little history');
  assert.equal(declineOf(counts(200, 190, 500), usual), 'latency');
  assert.equal(declineOf({ ...counts(100, 100), refused: 100 }, usual), 'refusals');
  assert.equal(declineOf({ ...counts(200, 100), undelivered: 0 }, usual), 'receipts');
});

test('a link is not accused while it delivers as usual, whatever the chance', () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  for (let run = 0; run < 5_000; run++) {
    const messages = 50 + Math.floor(random() * 150);
    let delivered = 0;
    for (let i = 0; i < messages; i++) if (random() < 0.95) delivered++;
    assert.equal(declineOf(counts(messages, delivered), usual), null, `${delivered} of ${messages}`);
  }
});

test('a declined link rests, is tried, and returns only nearly as good as before', () => {
  const declined = judge(GOOD, counts(200, 100), NONE, usual, 1_000);
  assert.deepEqual(declined, { state: 'declined', since: 1_000, cause: 'delivery', setbacks: 0 });
  assert.equal(judge(declined, NONE, NONE, usual, 1_000 + FIRST_PAUSE_MS - 1), declined, 'it rests');
  const trial = judge(declined, NONE, NONE, usual, 1_000 + FIRST_PAUSE_MS);
  assert.equal(trial.state, 'trial');
  assert.equal(judge(trial, NONE, counts(29, 29), usual, trial.since + 1).state, 'trial', 'too few to decide');
  const failed = judge(trial, NONE, counts(40, 34), usual, trial.since + 1);
  assert.deepEqual([failed.state, failed.setbacks], ['declined', 1], '85 % would be no decline, but is no recovery');
  assert.equal(
    judge(failed, NONE, NONE, usual, failed.since + FIRST_PAUSE_MS).state,
    'declined',
    'it rests twice as long',
  );
  assert.equal(judge(failed, NONE, NONE, usual, failed.since + 2 * FIRST_PAUSE_MS).state, 'trial');
  assert.deepEqual(judge(trial, NONE, counts(40, 38), usual, 5), { state: 'good', since: 5, cause: null, setbacks: 0 });
});

test('a state changes only along good, declined, trial, and by its own messages', () => {
  const some = fc.record({
    messages: fc.nat(300),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    seconds: fc.nat(900),
  });
  const made = some.map(({ messages, share, seconds }) => counts(messages, Math.round(messages * share), seconds));
  const NEXT = {
    good: ['good', 'declined'],
    declined: ['declined', 'trial', 'good'],
    trial: ['trial', 'good', 'declined'],
  };
  fc.assert(
    fc.property(fc.array(fc.tuple(made, made, fc.nat(10 * 3_600_000)), { maxLength: 40 }), (steps) => {
      let present = GOOD;
      let now = 0;
      for (const [recent, tried, passed] of steps) {
        now += passed;
        const next = judge(present, recent, tried, usual, now);
        assert.ok(NEXT[present.state].includes(next.state));
        if (next.state === present.state) assert.equal(next, present);
        else assert.equal(next.since, now);
        assert.equal(next.state === 'good', next.cause === null);
        present = next;
      }
    }),
  );
});

test('a percentile lies within the bucket that holds it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 90_000_000 }), { minLength: 1, maxLength: 400 }), (times) => {
      const all = new Array<number>(LATENCY_BOUNDS.length + 1).fill(0);
      for (const ms of times) all[bucketOf(ms)]!++;
      const sorted = times.sort((a, b) => a - b);
      const exact = sorted[Math.ceil(0.95 * sorted.length) - 1]!;
      const bucket = bucketOf(exact);
      const ms = percentile(all, 0.95)!;
      assert.ok(ms >= (LATENCY_BOUNDS[bucket - 1] ?? 0) * 1_000);
      assert.ok(ms <= (LATENCY_BOUNDS[bucket] ?? LATENCY_BOUNDS.at(-1)! * 2) * 1_000);
    }),
  );
  assert.equal(percentile([], 0.5), null);
  const none: Usual = usualOf(NONE);
  assert.deepEqual([none.messages, none.rate], [0, 0]);
});

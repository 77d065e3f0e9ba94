import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LATENCY_BOUNDS } from '@heliograph/contract/carrier-quality/carrier-quality';
import { ACCUSED_SCORE } from '@heliograph/contract/links/link-truth';
import { seededRandom } from '@heliograph/fault-kit';
import { type Evidence, truthOf } from '../../src/modules/link-truth/truth.ts';

/** One carrier: the time of a receipt in seconds, and whether it says delivered for a dead and a test phone. */
interface Carrier {
  latency(random: () => number): number;
  deadDelivered: number;
  loopMissing: number;
}

const normal = (random: () => number) => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
/** Time as it is over the air: some phones answer immediately, some are off for minutes or hours. */
const real = (median: number, spread: number, off: number) => (random: () => number) =>
  random() < off ? 60 + random() * 20_000 : 1 + (median - 1) * Math.exp(spread * normal(random));

const HONEST: Record<string, Carrier> = {
  quick: { latency: real(2.5, 0.6, 0.05), deadDelivered: 0.003, loopMissing: 0.01 },
  usual: { latency: real(5, 0.8, 0.08), deadDelivered: 0.005, loopMissing: 0.02 },
  slow: { latency: real(25, 1.1, 0.12), deadDelivered: 0, loopMissing: 0.02 },
  steady: { latency: real(4, 0.5, 0.06), deadDelivered: 0.01, loopMissing: 0 },
};
const LIARS: Record<string, Carrier> = {
  'receipts for everything': { latency: real(5, 0.8, 0.08), deadDelivered: 1, loopMissing: 0.02 },
  'receipts for a third that was never sent': { latency: real(5, 0.8, 0.08), deadDelivered: 0.34, loopMissing: 0.34 },
  'receipts after 300 ms': { latency: () => 0.3, deadDelivered: 0, loopMissing: 0 },
  'a tenth of receipts before a phone can have it': {
    latency: (random) => (random() < 0.1 ? 0.2 : real(5, 0.8, 0.08)(random)),
    deadDelivered: 0,
    loopMissing: 0,
  },
  'receipts by a timer': { latency: () => 5, deadDelivered: 0, loopMissing: 0 },
  'receipts by a timer with noise': { latency: (random) => 6 + 4 * random(), deadDelivered: 0, loopMissing: 0 },
};

/** Sends `messages` over a carrier, five of a hundred of them tests, and returns when it was accused; null if never. */
function accusedAfter(carrier: Carrier, messages: number, seed: number): number | null {
  const source = seededRandom(seed);
  const random = () => source.next();
  let latencies = LATENCY_BOUNDS.map(() => 0).concat(0);
  let older = latencies;
  const evidence: Evidence = { ...structuredClone(NOTHING), latencies };
  for (let sent = 1; sent <= messages; sent++) {
    const seconds = carrier.latency(random);
    const bucket = LATENCY_BOUNDS.findIndex((bound) => seconds <= bound);
    latencies[bucket < 0 ? LATENCY_BOUNDS.length : bucket]!++;
    if (sent % 40 === 0) {
      evidence.dead.ended++;
      if (random() < carrier.deadDelivered) evidence.dead.delivered++;
    } else if (sent % 40 === 20) {
      evidence.loop.delivered++;
      if (random() < carrier.loopMissing) evidence.loop.missing++;
    }
    // The judge looks at the newest receipts, as often as once in a hundred messages.
    if (sent % 100 === 0) {
      const newest = latencies.map((count, place) => count + older[place]!);
      if (truthOf({ ...evidence, latencies: newest }).score >= ACCUSED_SCORE) return sent;
    }
    if (sent % 1_000 === 0) {
      older = latencies;
      latencies = latencies.map(() => 0);
    }
    // Tests count for a week.
    if (sent % 50_000 === 0) Object.assign(evidence, structuredClone(NOTHING));
  }
  return null;
}
const NOTHING: Omit<Evidence, 'latencies'> = {
  dead: { ended: 0, delivered: 0 },
  own: { ended: 0, delivered: 0 },
  loop: { delivered: 0, missing: 0 },
};

test('every kind of liar is found within 2,000 messages', () => {
  for (const [kind, carrier] of Object.entries(LIARS))
    for (let seed = 1; seed <= 20; seed++) {
      const after = accusedAfter(carrier, 2_000, seed);
      assert.ok(after !== null, `${kind}, seed ${seed}`);
    }
});

test('an honest carrier is not accused in 1,000,000 messages', () => {
  for (const [kind, carrier] of Object.entries(HONEST)) assert.equal(accusedAfter(carrier, 1_000_000, 7), null, kind);
});

test('the score is the probability of the findings, and nothing is said without any', () => {
  const latencies = LATENCY_BOUNDS.map(() => 0);
  assert.deepEqual(truthOf({ ...NOTHING, latencies }), {
    score: 0,
    findings: [],
    tests: { dead: 0, own: 0, own_delivered: 0, loop: 0 },
  });
  // One of one has the probability 0.02: 17 of the score.
  const one = truthOf({ ...NOTHING, dead: { ended: 1, delivered: 1 }, latencies });
  assert.equal(one.score, 17);
  const some = truthOf({ ...NOTHING, dead: { ended: 50, delivered: 1 }, latencies });
  assert.equal(some.score, 0, 'no more than an honest carrier shows');
});

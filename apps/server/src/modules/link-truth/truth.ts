import type { LinkTruth, TruthFinding, TruthSign } from '@heliograph/contract/links/link-truth';

// Judges whether a carrier's receipts are true. Each test is an exact binomial test against a bound that honest carriers
// keep; its score is ten for each zero of the probability of such a result.

/** Facts about a link's receipts. */
export interface Evidence {
  /** Test messages to dead numbers with a final receipt, and those of them that say delivered. */
  dead: { ended: number; delivered: number };
  /** Test messages to phones of ours: with a final receipt, and delivered. */
  own: { ended: number; delivered: number };
  /** Receipts of delivery for numbers that answer by themselves, and those without an answer in time. */
  loop: { delivered: number; missing: number };
  /** Final receipts by the time since the submit, in the buckets of LATENCY_BOUNDS; the first is under a second. */
  latencies: readonly number[];
}

/** Most receipts of delivery for dead numbers: some are given to new people. */
const DEAD_ALIVE = 0.02;
/** Most answers that test phones fail to give. */
const LOOP_FAILS = 0.05;
/** Most receipts within a second of the submit: paging and handing over take longer. */
const EARLY = 0.02;
/**
 * Least receipts apart from the usual time, which is the fullest bucket and its two neighbors (a span of about four
 * times): phones are off, moving, or in use.
 */
const APART = 0.05;
/** Receipts from which times are judged. */
export const ENOUGH_TIMES = 400;

/** Judges the evidence. */
export function truthOf(evidence: Evidence): Omit<LinkTruth, 'judged_at'> {
  const { dead, own, loop, latencies } = evidence;
  const all = latencies.reduce((sum, count) => sum + count, 0);
  const fullest = latencies.reduce((best, count, place) => (count > latencies[best]! ? place : best), 0);
  const usual = latencies.slice(Math.max(0, fullest - 1), fullest + 2).reduce((sum, count) => sum + count, 0);
  const findings = [
    above('dead_delivered', dead.ended, dead.delivered, DEAD_ALIVE),
    above('loop_missing', loop.delivered, loop.missing, LOOP_FAILS),
    ...(all >= ENOUGH_TIMES
      ? [above('too_early', all, latencies[0] ?? 0, EARLY), below('too_regular', all, all - usual, APART)]
      : []),
  ].filter(({ looked_at }) => looked_at > 0);
  return {
    score: Math.max(0, ...findings.map(({ score }) => score)),
    findings,
    tests: { dead: dead.ended, own: own.ended, own_delivered: own.delivered, loop: loop.delivered },
  };
}

const above = (sign: TruthSign, n: number, found: number, share: number): TruthFinding =>
  finding(sign, n, found, share, found > n * share ? tail(n, found, share, 1) : 0);

const below = (sign: TruthSign, n: number, found: number, share: number): TruthFinding =>
  finding(sign, n, found, share, found < n * share ? tail(n, found, share, -1) : 0);

const finding = (sign: TruthSign, looked_at: number, found: number, share: number, log10: number): TruthFinding => ({
  sign,
  looked_at,
  found,
  honest_percent: share * 100,
  score: Math.max(0, Math.min(100, Math.round(-10 * log10))),
});

/** Decimal logarithm of the probability of `k` or more (`step` 1), or of `k` or fewer (-1), of `n` with chance `p`. */
function tail(n: number, k: number, p: number, step: 1 | -1): number {
  let term = logChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p);
  const first = term;
  let sum = 1;
  for (let at = k; step === 1 ? at < n : at > 0; at += step) {
    const ratio = step === 1 ? ((n - at) / (at + 1)) * (p / (1 - p)) : (at / (n - at + 1)) * ((1 - p) / p);
    term += Math.log(ratio);
    const more = Math.exp(term - first);
    sum += more;
    if (more < 1e-12) break;
  }
  return Math.min(0, (first + Math.log(sum)) / Math.LN10);
}

function logChoose(n: number, k: number): number {
  let sum = 0;
  const few = Math.min(k, n - k);
  for (let i = 1; i <= few; i++) sum += Math.log((n - few + i) / i);
  return sum;
}

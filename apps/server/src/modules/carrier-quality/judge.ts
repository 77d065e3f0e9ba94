import {
  type DECLINE_CAUSES,
  LATENCY_BOUNDS,
  type QualityState,
} from '@heliograph/contract/carrier-quality/carrier-quality';

/** Messages of some slots, and how they ended. */
export interface Counts {
  accepted: number;
  refused: number;
  delivered: number;
  undelivered: number;
  latencies: readonly number[];
}

/** Cause of a decline. */
export type Cause = (typeof DECLINE_CAUSES)[number];

/** State of a link for a network and kind of sender, with the history it is compared with. */
export interface Present {
  state: QualityState;
  /** Epoch milliseconds at which the state began. */
  since: number;
  cause: Cause | null;
  /** Number of failed trials since the decline. */
  setbacks: number;
}

/** Usual quality: of the last week, or of the week before a decline. */
export interface Usual {
  messages: number;
  rate: number;
  refused: number;
  unreported: number;
  p95_ms: number | null;
}

/** Messages of history without which nothing is judged. */
export const ENOUGH_HISTORY = 200;
/** Messages of late that may decide a decline, and messages of a trial that decide it. */
export const ENOUGH = 50;
const ENOUGH_TRIED = 30;
/** Drop of the share of delivered messages that is a decline, and the drop up to which a trial succeeds. */
const DROP = 0.15;
const RECOVERED = 0.05;
/** Receipts are late if their p95 is so many times the usual one, and longer than the time in ms. */
const TIMES_LATER = 4;
const LATER_MS = 120_000;
/** Pause before the first trial in ms. It doubles with each failed trial, up to the longest. */
export const FIRST_PAUSE_MS = 15 * 60_000;
const LONGEST_PAUSE_MS = 4 * 3_600_000;

const totalOf = ({ accepted, refused }: Counts): number => accepted + refused;

/** Returns figures of counts; shares are between 0 and 1. */
export function usualOf(counts: Counts): Usual {
  const messages = totalOf(counts);
  const share = (part: number) => (messages === 0 ? 0 : Math.max(0, part) / messages);
  return {
    messages,
    rate: share(counts.delivered),
    refused: share(counts.refused),
    unreported: share(counts.accepted - counts.delivered - counts.undelivered),
    p95_ms: percentile(counts.latencies, 0.95),
  };
}

/** Returns the time in ms within which a share of the receipts came, between the bounds of its bucket; null for none. */
export function percentile(latencies: readonly number[], share: number): number | null {
  const total = latencies.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = share * total;
  for (const [bucket, count] of latencies.entries()) {
    if (count === 0 || left > count) {
      left -= count;
      continue;
    }
    const from = LATENCY_BOUNDS[bucket - 1] ?? 0;
    const to = LATENCY_BOUNDS[bucket] ?? from * 2;
    return Math.round((from + (left / count) * (to - from)) * 1_000);
  }
  return LATENCY_BOUNDS.at(-1)! * 1_000;
}

/** Returns the highest share that `good` of `all` messages make likely (Wilson, 95 %): few messages accuse nobody. */
function likelyMost(good: number, all: number): number {
  const z = 1.96;
  const share = good / all;
  const middle = share + z ** 2 / (2 * all);
  const spread = z * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2));
  return (middle + spread) / (1 + z ** 2 / all);
}

/** Returns the cause for which recent messages are a decline against the usual quality; null for none. */
export function declineOf(recent: Counts, usual: Usual): Cause | null {
  const all = totalOf(recent);
  if (usual.messages < ENOUGH_HISTORY || all < ENOUGH) return null;
  const now = usualOf(recent);
  if (likelyMost(Math.min(all, recent.delivered), all) < usual.rate - DROP) {
    const drops = { refusals: now.refused - usual.refused, receipts: now.unreported - usual.unreported };
    const lost = usual.rate - now.rate;
    if (drops.refusals > lost / 2) return 'refusals';
    return drops.receipts > lost / 2 ? 'receipts' : 'delivery';
  }
  const later =
    now.p95_ms !== null && usual.p95_ms !== null && now.p95_ms > Math.max(LATER_MS, TIMES_LATER * usual.p95_ms);
  return later ? 'latency' : null;
}

/** Returns whether messages of a trial, or of late, are as good as before the decline, or nearly. */
function isRecovered(counts: Counts, usual: Usual): boolean {
  const { rate, p95_ms } = usualOf(counts);
  const late = p95_ms !== null && usual.p95_ms !== null && p95_ms > Math.max(LATER_MS, 2 * usual.p95_ms);
  return rate >= usual.rate - RECOVERED && !late;
}

/**
 * Judges a link for a network and kind of sender: answers its next state. `recent` has messages of late that are old
 * enough for a receipt; `tried` those of them that left since the state began. A link that declined rests, then gets a
 * trial, and is good again only if the trial is nearly as good as the usual quality: a rate between the two limits
 * changes nothing.
 */
export function judge(present: Present, recent: Counts, tried: Counts, usual: Usual, now: number): Present {
  if (present.state === 'good') {
    const cause = declineOf(recent, usual);
    return cause ? { state: 'declined', since: now, cause, setbacks: 0 } : present;
  }
  const enough = totalOf(tried) >= (present.state === 'trial' ? ENOUGH_TRIED : ENOUGH);
  if (enough && isRecovered(tried, usual)) return { state: 'good', since: now, cause: null, setbacks: 0 };
  if (present.state === 'trial') {
    return enough ? { ...present, state: 'declined', since: now, setbacks: present.setbacks + 1 } : present;
  }
  const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(10, present.setbacks));
  return now - present.since >= pause ? { ...present, state: 'trial', since: now } : present;
}

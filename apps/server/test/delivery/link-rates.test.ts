import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LinkRates } from '../../src/modules/delivery/sending/link-rates.ts';

const TICK_MS = 10;
const LATENCY_MS = 40;
const WINDOW = 1_000;
/** Part of one second's rate that fits into the carrier's bucket. */
const BURST = 0.25;
/** Pauses before a throttled segment is tried again. */
const AGAIN_MS = { otp: 100, bulk: 250 } as const;

interface Segment {
  class: 'otp' | 'bulk';
  acceptedAt: number;
  dueAt: number;
}

/**
 * Runs one link with endless bulk and `codes` one-time codes a second against a carrier that throttles; `rate` is the
 * carrier's by second. Answers when each code was accepted and how long it waited until the carrier took it.
 */
function run(rate: (second: number) => number, seconds: number, codes: number) {
  let now = 0;
  let tokens = 0;
  let made = 0;
  let tries = 0;
  const rates = new LinkRates(null, () => now);
  const flying: { segment: Segment; at: number; isTaken: boolean }[] = [];
  const waiting: Record<Segment['class'], Segment[]> = { otp: [], bulk: [] };
  const taken: { acceptedAt: number; waited: number }[] = [];
  const send = (name: Segment['class'], most: number) => {
    const due = waiting[name].filter(({ dueAt }) => dueAt <= now).slice(0, most);
    waiting[name] = waiting[name].filter((each) => !due.includes(each));
    while (name === 'bulk' && due.length < most) due.push({ class: 'bulk', acceptedAt: now, dueAt: now });
    rates.take(due.length, name === 'otp' ? due.length : 0);
    for (const segment of due) {
      const isTaken = tokens >= 1;
      if (isTaken) tokens--;
      flying.push({ segment, at: now + LATENCY_MS, isTaken });
      if (name === 'otp') tries++;
    }
  };
  while (now < seconds * 1_000) {
    now += TICK_MS;
    const allowed = rate(now / 1_000);
    tokens = Math.min(Math.max(1, allowed * BURST), tokens + (allowed * TICK_MS) / 1_000);
    for (; made < (now / 1_000) * codes; made++) waiting.otp.push({ class: 'otp', acceptedAt: now, dueAt: now });
    while (flying[0] && flying[0].at <= now) {
      const { segment, isTaken } = flying.shift()!;
      if (!isTaken) {
        rates.throttled(segment.class);
        segment.dueAt = now + AGAIN_MS[segment.class];
        waiting[segment.class].push(segment);
        continue;
      }
      rates.accepted(segment.class);
      if (segment.class === 'otp') taken.push({ acceptedAt: segment.acceptedAt, waited: now - segment.acceptedAt });
    }
    send('otp', Math.max(0, Math.min(WINDOW - flying.length, rates.availableToUrgent())));
    send('bulk', Math.max(0, Math.min(WINDOW - flying.length, rates.available())));
  }
  return { taken, tries };
}

test('codes leave within half a second beside bulk on a throttled link', () => {
  for (const rate of [30, 50, 500]) {
    const { taken } = run(() => rate, 120, 20);
    const waits = taken.map(({ waited }) => waited).sort((a, b) => a - b);
    assert.ok(taken.length > 120 * 20 - 50, `${taken.length} were taken at ${rate} a second`);
    assert.ok(waits[Math.floor(waits.length * 0.99)]! < 500, `p99 ${waits[Math.floor(waits.length * 0.99)]} ms`);
    assert.ok(waits.at(-1)! < 1_000, `the last after ${waits.at(-1)} ms`);
  }
});

test('codes wait no longer once a carrier that took little takes more again', () => {
  // Four slumps in a row: the same limit is met again and again.
  const isSlump = (second: number) => second % 30 >= 20;
  const { taken, tries } = run((second) => (isSlump(second) ? 5 : 100), 120, 20);
  const later = taken.filter(({ acceptedAt }) => acceptedAt % 30_000 > 8_000 && !isSlump(acceptedAt / 1_000));
  const longest = Math.max(...later.map(({ waited }) => waited));
  assert.ok(later.length > 900, `${later.length} codes`);
  assert.ok(longest < 500, `${longest} ms`);
  assert.ok(tries < 4 * taken.length, `${tries} tries of ${taken.length} codes`);
});

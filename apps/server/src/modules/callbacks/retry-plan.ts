const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long after each try the next one is due, in seconds: thirteen tries over three days. */
const DELAYS = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  12 * HOUR,
  20 * HOUR,
  24 * HOUR,
];
/** A receiver that asks for more is asked again after so long. */
const LONGEST = 24 * HOUR;
/** Receivers that were down together are not called again together. */
const JITTER = 0.2;

/** What a Retry-After says, in seconds; 0 where it says nothing that can be read. */
function asked(retryAfter: string | null, now: number): number {
  if (retryAfter === null) return 0;
  const seconds = /^\d{1,9}$/.test(retryAfter.trim()) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1_000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), LONGEST) : 0;
}

/**
 * Seconds until the next try after `tries` that failed, or null where that was the last one. A receiver's Retry-After
 * (seconds or a date) makes it later, never earlier. `random` is from 0 to 1.
 */
export function nextTry(tries: number, retryAfter: string | null, random: number, now: number): number | null {
  const delay = DELAYS[tries - 1];
  if (delay === undefined) return null;
  return Math.max(delay, asked(retryAfter, now)) * (1 + JITTER * random);
}

const SECOND = 1;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Delays in seconds after each try until the next one: thirteen tries over three days. */
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
/** Maximum delay that a receiver can request. */
const LONGEST = 24 * HOUR;
/** Random part of a delay. Receivers that failed together are not called again at the same moment. */
const JITTER = 0.2;

/** Reads the seconds in a Retry-After header. Returns 0 if it holds nothing readable. */
function asked(retryAfter: string | null, now: number): number {
  if (retryAfter === null) return 0;
  const seconds = /^\d{1,9}$/.test(retryAfter.trim()) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1_000;
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds), LONGEST) : 0;
}

/**
 * Returns the seconds until the next try after `tries` failed ones, or null after the last. A receiver's Retry-After
 * (seconds or a date) can make it later, never earlier. `random` is from 0 to 1.
 */
export function nextTry(tries: number, retryAfter: string | null, random: number, now: number): number | null {
  const delay = DELAYS[tries - 1];
  if (delay === undefined) return null;
  return Math.max(delay, asked(retryAfter, now)) * (1 + JITTER * random);
}

import type { OutboundAnswer } from '#platform/outbound/agent';

/** Times at which a kind of delivery is tried again. */
export interface Ladder {
  /** Delays in seconds after each try until the next one. */
  readonly delays: readonly number[];
  /** Share of a delay that is added at random. Receivers that failed together are not called again at one moment. */
  readonly jitter: number;
  /** Maximum seconds by which a receiver's Retry-After can delay the next try. */
  readonly longest: number;
  /** Tells if no try can succeed after this answer. */
  isFinal(answer: { status: number | null; fault: string | null }): boolean;
}

/** Reads the seconds in a Retry-After header. Returns 0 if it holds nothing readable. */
function asked(retryAfter: string | null, now: number): number {
  if (retryAfter === null) return 0;
  const seconds = /^\d{1,9}$/.test(retryAfter.trim()) ? Number(retryAfter) : (Date.parse(retryAfter) - now) / 1_000;
  return Number.isFinite(seconds) ? Math.max(0, seconds) : 0;
}

/**
 * Returns the seconds until the next try after `tries` failed ones, or null after the last. A receiver's Retry-After
 * (seconds or a date) can make it later, never earlier. `random` is from 0 to 1.
 */
export function nextTry(
  { delays, jitter, longest }: Pick<Ladder, 'delays' | 'jitter' | 'longest'>,
  tries: number,
  retryAfter: OutboundAnswer['retry_after'],
  random: number,
  now: number,
): number | null {
  const delay = delays[tries - 1];
  if (delay === undefined) return null;
  return Math.max(delay, Math.min(longest, asked(retryAfter, now))) * (1 + jitter * random);
}

import { BusinessError } from '#platform/errors';
import { TokenBucket } from '#platform/structures/token-bucket';

const SECOND = 1_000;

/** Maximum seconds of allowance that messages let in by other processes can use up in advance. */
const MOST_OWED_SECONDS = 3;

/** Remainder of a corporation's allowance for the current second. */
export interface Allowance {
  /** Messages per second. */
  limit: number;
  remaining: number;
}

/**
 * Limits the messages per second that a corporation's programs hand in to this process. A call is let in while anything
 * is left of the second's allowance. If it brings more than that, the next call waits for the excess, for at most a
 * second.
 */
export class ApiThroughput {
  readonly #buckets = new Map<number, TokenBucket>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Takes the messages of a call from the allowance. A `rate` of null means no limit. Throws `too_many_requests` with
   * the seconds to wait.
   */
  take(corporation_id: number, rate: number | null, messages: number): Allowance | null {
    if (rate === null) return null;
    const bucket = this.#fill(corporation_id, rate);
    if (bucket.waitMs > 0)
      throw new BusinessError('too_many_requests', {
        retryAfter: Math.max(1, Math.ceil(bucket.waitMs / SECOND)),
        allowance: { name: 'messages', limit: rate, seconds: 1 },
      });
    return { limit: rate, remaining: Math.max(0, Math.floor(bucket.take(messages, -rate))) };
  }

  /** Deducts messages that another process let in. Calls wait for them a few seconds at most. */
  spend(corporation_id: number, rate: number | null, messages: number): void {
    if (rate === null) return;
    const bucket = this.#fill(corporation_id, rate);
    bucket.take(Math.min(messages, rate), -rate * MOST_OWED_SECONDS);
  }

  #fill(corporation_id: number, rate: number): TokenBucket {
    const now = this.#now();
    const bucket = this.#buckets.get(corporation_id) ?? new TokenBucket(rate, rate, now);
    this.#buckets.set(corporation_id, bucket);
    bucket.set(rate, rate, now);
    return bucket;
  }
}

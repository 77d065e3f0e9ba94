import { BusinessError } from '#platform/errors';
import { TokenBucket } from '#platform/token-bucket';

const SECOND = 1_000;

/** What other processes let in together is waited for, for no longer. */
const MOST_OWED_SECONDS = 3;

/** How much of a second's allowance is left to a corporation. */
export interface Allowance {
  /** Messages a second. */
  limit: number;
  remaining: number;
}

/**
 * How many messages a second the programs of a corporation may hand in, in this process. A call is let in as long as
 * anything is left of the second; what it brings beyond that is waited for by the next, for a second at most.
 */
export class ApiThroughput {
  readonly #buckets = new Map<number, TokenBucket>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Takes the messages of a call. Throws `too_many_requests` with the seconds to wait; `rate` null is no limit. */
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

  /** Takes what another process let in. It is waited for, for some seconds at most. */
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

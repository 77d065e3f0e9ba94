const SECOND = 1_000;

/**
 * Permits that arrive at a rate and are kept up to a maximum. The count may go below zero: permits used beyond it are
 * paid back before the next one is given. Times are in milliseconds on a clock that never goes back.
 */
export class TokenBucket {
  #rate: number;
  #most: number;
  #tokens: number;
  #filledAt: number;

  /** `rate` in permits a second; at most `most` are kept. It begins with `tokens`, by default the maximum. */
  constructor(rate: number, most: number, now: number, tokens = most) {
    this.#rate = rate;
    this.#most = most;
    this.#tokens = tokens;
    this.#filledAt = now;
  }

  /** Changes the rate and the maximum from now on. */
  set(rate: number, most: number, now: number): void {
    this.fill(now);
    this.#rate = rate;
    this.#most = most;
    this.#tokens = Math.min(this.#tokens, most);
  }

  /** Answers the permits available now, a fraction too; below zero if some are owed. */
  fill(now: number): number {
    this.#tokens = Math.min(this.#most, this.#tokens + ((now - this.#filledAt) * this.#rate) / SECOND);
    this.#filledAt = now;
    return this.#tokens;
  }

  /**
   * Takes permits, below zero but not below `least`, and answers the remaining ones; a negative count gives permits
   * back.
   */
  take(count: number, least = Number.NEGATIVE_INFINITY): number {
    this.#tokens = Math.max(least, this.#tokens - count);
    return this.#tokens;
  }

  /** Milliseconds until there is a whole permit, as of the last `fill`; 0 or less if there is one. */
  get waitMs(): number {
    return ((1 - this.#tokens) * SECOND) / this.#rate;
  }
}

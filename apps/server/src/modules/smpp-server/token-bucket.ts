/** So many seconds of its rate a bucket holds at most. */
const BURST_SECONDS = 1;

/** Lets so many messages a second through, with a burst of a second's. */
export class TokenBucket {
  #rate: number;
  #tokens: number;
  #filledAt: number;

  /** `now` in milliseconds on a clock that never goes back. */
  constructor(rate: number, now: number) {
    this.#rate = rate;
    this.#tokens = Math.max(1, rate * BURST_SECONDS);
    this.#filledAt = now;
  }

  /** Messages a second from now on. */
  set rate(rate: number) {
    this.#rate = rate;
  }

  /** Takes one; false where the rate is used up. */
  take(now: number): boolean {
    const room = Math.max(1, this.#rate * BURST_SECONDS);
    this.#tokens = Math.min(room, this.#tokens + ((now - this.#filledAt) / 1_000) * this.#rate);
    this.#filledAt = now;
    if (this.#tokens < 1) return false;
    this.#tokens--;
    return true;
  }
}

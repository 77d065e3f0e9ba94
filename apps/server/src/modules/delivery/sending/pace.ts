const SECOND = 1_000;
/** What may leave at once after a silence, as a share of a second's rate. */
const BURST = 0.05;
/** Only one slow-down for all answers that one burst caused. */
const EPOCH_MS = 1_000;
const PAUSE_MS = 500;
const GROWTH_A_SECOND = 1.05;
/** So far above the last known good rate, the carrier is trusted again. */
const FORGET = 4;

/**
 * How many segments a link may take now: its agreed rate, and below it what the carrier shows it can take. An answer
 * "throttled" pauses the link and halves the rate, which then grows by 5 % a second.
 */
export class Pace {
  readonly #agreed: number;
  readonly #now: () => number;
  #learned = Number.POSITIVE_INFINITY;
  #forgetAt = Number.POSITIVE_INFINITY;
  #tokens: number;
  #filledAt: number;
  #pausedUntil = 0;
  #slowedAt = Number.NEGATIVE_INFINITY;
  #countFrom: number;
  #counted = 0;
  #lastSecond = 0;

  /** `rate` in segments a second; null for no limit. `now` in milliseconds on a clock that never goes back. */
  constructor(rate: number | null, now: () => number = () => performance.now()) {
    this.#agreed = rate ?? Number.POSITIVE_INFINITY;
    this.#now = now;
    this.#filledAt = now();
    this.#countFrom = this.#filledAt;
    this.#tokens = Math.max(1, Math.min(this.#agreed * BURST, Number.MAX_SAFE_INTEGER));
  }

  /** Segments a second that are allowed at present. */
  get rate(): number {
    return Math.min(this.#agreed, this.#learned);
  }

  /** Segments that may leave now; more may be taken when the last message has several parts, and is owed then. */
  available(): number {
    const now = this.#now();
    if (now < this.#pausedUntil) return 0;
    this.#grow(now);
    const { rate } = this;
    if (rate === Number.POSITIVE_INFINITY) return rate;
    this.#tokens = Math.min(this.#tokens + ((now - this.#filledAt) * rate) / SECOND, Math.max(1, rate * BURST));
    this.#filledAt = now;
    return this.#tokens < 1 ? 0 : Math.floor(this.#tokens);
  }

  /** Milliseconds until `available` is likely more than 0. */
  waitMs(): number {
    const now = this.#now();
    if (now < this.#pausedUntil) return this.#pausedUntil - now;
    return this.rate === Number.POSITIVE_INFINITY ? 0 : Math.max(1, ((1 - this.#tokens) * SECOND) / this.rate);
  }

  take(segments: number): void {
    this.#tokens -= segments;
    this.#count(this.#now());
    this.#counted += segments;
  }

  /** What was taken and did not leave after all. */
  giveBack(segments: number): void {
    this.#tokens += segments;
  }

  /** The carrier said that it gets too much. */
  throttled(): void {
    const now = this.#now();
    this.#pausedUntil = Math.max(this.#pausedUntil, now + PAUSE_MS);
    if (now - this.#slowedAt < EPOCH_MS) return;
    this.#slowedAt = now;
    this.#count(now);
    const seen = Math.max(this.#lastSecond, this.#counted);
    const from = Math.min(this.rate, Math.max(seen, 2));
    this.#forgetAt = from * FORGET;
    this.#learned = Math.max(1, from / 2);
    this.#tokens = Math.min(this.#tokens, 0);
    this.#filledAt = now + PAUSE_MS;
  }

  /** Nothing leaves for so long. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + milliseconds);
  }

  #grow(now: number): void {
    if (this.#learned === Number.POSITIVE_INFINITY || now <= this.#filledAt) return;
    this.#learned *= GROWTH_A_SECOND ** ((now - this.#filledAt) / SECOND);
    if (this.#learned >= Math.min(this.#forgetAt, this.#agreed)) this.#learned = Number.POSITIVE_INFINITY;
    if (this.rate === Number.POSITIVE_INFINITY) this.#tokens = 0;
  }

  #count(now: number): void {
    if (now - this.#countFrom < SECOND) return;
    this.#lastSecond = now - this.#countFrom < 2 * SECOND ? this.#counted : 0;
    this.#counted = 0;
    this.#countFrom = now;
  }
}

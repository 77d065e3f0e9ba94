const SECOND = 1_000;
/** What may leave at once after a silence, as a share of a second's rate. */
const BURST = 0.25;
/** Only one slow-down for all answers that one burst caused. */
const EPOCH_MS = 1_000;
const PAUSE_MS = 500;
/** Growth a second: a share of the rate, and at least so many segments. */
const GROWTH = 0.05;
const LEAST_GROWTH = 2;
/** What the carrier took in a second tells its rate, where it is more than a handful. */
const TELLING = 10;
const SHARE_OF_TAKEN = 0.95;
/** A link that takes less has its rate agreed; below it, refusals tell nothing of the rate. */
const LEAST_RATE = 10;
/** So far above the last known good rate, the carrier is trusted again. */
const FORGET = 4;

/** Counts by the second: `last` is the second before this one. */
class PerSecond {
  #from = 0;
  #current = 0;
  #last = 0;

  add(count: number, now: number): void {
    this.#turn(now);
    this.#current += count;
  }

  /** The larger of this second so far and the one before. */
  seen(now: number): number {
    this.#turn(now);
    return Math.max(this.#current, this.#last);
  }

  #turn(now: number): void {
    const elapsed = now - this.#from;
    if (elapsed < SECOND) return;
    this.#last = elapsed < 2 * SECOND ? this.#current : 0;
    this.#current = 0;
    this.#from = now;
  }
}

/**
 * How many segments a link may take now: its agreed rate, and below it what the carrier shows it can take. An answer
 * "throttled" pauses the link and brings the rate down to what the carrier took meanwhile, or to half; then it grows
 * by 5 % a second.
 */
export class Pace {
  readonly #agreed: number;
  readonly #now: () => number;
  readonly #sent = new PerSecond();
  readonly #accepted = new PerSecond();
  #learned = Number.POSITIVE_INFINITY;
  #forgetAt = Number.POSITIVE_INFINITY;
  #tokens: number;
  #filledAt: number;
  #pausedUntil = 0;
  #slowedAt = Number.NEGATIVE_INFINITY;

  /** `rate` in segments a second; null for no limit. `now` in milliseconds on a clock that never goes back. */
  constructor(rate: number | null, now: () => number = () => performance.now()) {
    this.#agreed = rate ?? Number.POSITIVE_INFINITY;
    this.#now = now;
    this.#filledAt = now();
    this.#tokens = rate === null ? 0 : Math.max(1, rate * BURST);
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
    return Math.max(0, Math.floor(this.#tokens));
  }

  /** Milliseconds until `available` is likely more than 0. */
  waitMs(): number {
    const now = this.#now();
    if (now < this.#pausedUntil) return this.#pausedUntil - now;
    return this.rate === Number.POSITIVE_INFINITY ? 0 : Math.max(1, ((1 - this.#tokens) * SECOND) / this.rate);
  }

  take(segments: number): void {
    if (this.rate !== Number.POSITIVE_INFINITY) this.#tokens -= segments;
    this.#sent.add(segments, this.#now());
  }

  /** What was taken and did not leave after all. */
  giveBack(segments: number): void {
    if (this.rate !== Number.POSITIVE_INFINITY) this.#tokens += segments;
    this.#sent.add(-segments, this.#now());
  }

  /** The carrier took so many. */
  accepted(segments: number): void {
    this.#accepted.add(segments, this.#now());
  }

  /** The carrier said that it gets too much. */
  throttled(): void {
    const now = this.#now();
    this.#pausedUntil = Math.max(this.#pausedUntil, now + PAUSE_MS);
    if (now - this.#slowedAt < EPOCH_MS) return;
    this.#slowedAt = now;
    const taken = this.#accepted.seen(now);
    const from = Math.min(this.rate, Math.max(1, this.#sent.seen(now)));
    this.#learned = Math.max(LEAST_RATE, taken >= TELLING ? Math.min(from, taken * SHARE_OF_TAKEN) : from / 2);
    this.#forgetAt = Math.max(from, LEAST_RATE) * FORGET;
    this.#tokens = 0;
    this.#filledAt = now + PAUSE_MS;
  }

  /** Nothing leaves for so long. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + milliseconds);
  }

  #grow(now: number): void {
    if (this.#learned === Number.POSITIVE_INFINITY || now <= this.#filledAt) return;
    this.#learned += (Math.max(LEAST_GROWTH, this.#learned * GROWTH) * (now - this.#filledAt)) / SECOND;
    if (this.#learned >= Math.min(this.#forgetAt, this.#agreed)) this.#learned = Number.POSITIVE_INFINITY;
  }
}

import { TokenBucket } from '#platform/token-bucket';
import { LastSecond } from './last-second.ts';

const SECOND = 1_000;
/** What may be taken at once after a silence, as a share of a second's rate. */
const BURST = 0.03;
/**
 * What leaves in a second beyond the agreed rate at most, as a share of it: what was taken in one second may leave in the
 * next, when its intent has waited for the database.
 */
const BEYOND_RATE = 0.02;
/** A new holder begins so much later, in which its predecessor's last intents may still have left. */
const BEHIND_PREDECESSOR_MS = 60;
/** The shortest wait for a token. */
const WAIT_SECONDS = 0.02;
/** Only one slow-down for all answers that one burst caused. */
const EPOCH_MS = 1_000;
const PAUSE_MS = 250;
/** What the carrier took in a second tells its rate, where it is more than a handful. */
const TELLING = 10;
const SHARE_OF_TAKEN = 0.95;
/** A carrier that still takes most of what it gets is only a little too slow: a small step down is enough. */
const MOST_TAKEN = 0.7;
const STEP_DOWN = 0.96;
/** A link that takes less has its rate agreed; below it, refusals tell nothing of the rate. */
const LEAST_RATE = 10;
/** After a slow-down the rate stays for a while, the longer the more often the same limit was met. */
const FIRST_HOLD_MS = 4_000;
const LONGEST_HOLD_MS = 32_000;
/** Then it grows slowly up to where it met the limit, and so far beyond as a limit that is still there allows; */
const SLOW_GROWTH = 0.01;
const BEYOND = 1.1;
/** from there on the limit is gone, and the rate grows by a share a second, and at least by so many segments. */
const FAST_GROWTH = 0.1;
const LEAST_GROWTH = 2;
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
 * "throttled" pauses the link for a moment and brings the rate down: by a small step where the carrier takes most of it,
 * else to what the carrier took meanwhile, or to half. There it stays for a while, and then probes upward.
 */
export class Pace {
  readonly #agreed: number;
  readonly #now: () => number;
  readonly #sent = new PerSecond();
  readonly #accepted = new PerSecond();
  #learned = Number.POSITIVE_INFINITY;
  #forgetAt = Number.POSITIVE_INFINITY;
  #bucket: TokenBucket;
  /** Moment up to which the learned rate has grown. */
  #grownAt: number;
  readonly #left = new LastSecond();
  #pausedUntil = 0;
  #slowedAt = Number.NEGATIVE_INFINITY;
  /** The rate at which the carrier last said that it gets too much. */
  #limit = Number.POSITIVE_INFINITY;
  #hold = FIRST_HOLD_MS;

  /** `rate` in segments a second; null for no limit. `now` in milliseconds on a clock that never goes back. */
  constructor(rate: number | null, now: () => number = () => performance.now()) {
    this.#agreed = rate ?? Number.POSITIVE_INFINITY;
    this.#now = now;
    this.#grownAt = now() + BEHIND_PREDECESSOR_MS;
    this.#bucket = this.#emptyBucket();
  }

  /** Segments a second that are allowed at present. */
  get rate(): number {
    return Math.min(this.#agreed, this.#learned);
  }

  /** Whether the carrier's answers hold the link below its agreed rate. */
  get isSlowed(): boolean {
    return this.#learned < this.#agreed;
  }

  /** Segments that may leave now; more may be taken when the last message has several parts, and is owed then. */
  available(): number {
    const now = this.#now();
    if (now < this.#pausedUntil) return 0;
    this.#grow(now);
    const { rate } = this;
    if (rate === Number.POSITIVE_INFINITY) return rate;
    this.#bucket.set(rate, mostTokens(rate), now);
    return Math.max(0, Math.floor(this.#bucket.fill(now)));
  }

  /** Milliseconds until `available` is likely more than 0. */
  waitMs(): number {
    const now = this.#now();
    if (now < this.#pausedUntil) return this.#pausedUntil - now;
    return this.rate === Number.POSITIVE_INFINITY ? 0 : Math.max(1, this.#bucket.waitMs);
  }

  take(segments: number): void {
    if (this.rate !== Number.POSITIVE_INFINITY) this.#bucket.take(segments);
    this.#sent.add(segments, this.#now());
  }

  /** What was taken and did not leave after all. */
  giveBack(segments: number): void {
    if (this.rate !== Number.POSITIVE_INFINITY) this.#bucket.take(-segments);
    this.#sent.add(-segments, this.#now());
  }

  /** Milliseconds that so many segments, which were taken, have to wait until no second has more than was agreed and a little. */
  leaveInMs(segments: number): number {
    if (this.#agreed === Number.POSITIVE_INFINITY) return 0;
    return this.#left.waitMs(segments, this.#agreed + Math.max(1, this.#agreed * BEYOND_RATE), this.#now());
  }

  /** They leave now. What is answered is called once their bytes are written: on a busy machine that is a little later. */
  leave(segments: number): () => void {
    if (this.#agreed === Number.POSITIVE_INFINITY) return () => undefined;
    const written = this.#left.add(segments, this.#now());
    return () => written(this.#now());
  }

  /** The carrier took so many. */
  accepted(segments: number): void {
    this.#accepted.add(segments, this.#now());
  }

  /** The carrier said that it gets too much. */
  throttled(): void {
    const now = this.#now();
    this.#pausedUntil = Math.max(this.#pausedUntil, now + PAUSE_MS);
    const sinceLast = now - this.#slowedAt;
    if (sinceLast < EPOCH_MS) return;
    this.#slowedAt = now;
    const taken = this.#accepted.seen(now);
    const from = Math.min(this.rate, Math.max(1, this.#sent.seen(now)));
    // Met again after the rate was held: the limit is still there.
    if (sinceLast > this.#hold) this.#hold = Math.min(LONGEST_HOLD_MS, this.#hold * 2);
    const little = taken >= this.rate * MOST_TAKEN;
    const before = this.rate;
    this.#learned = Math.max(LEAST_RATE, little ? before * STEP_DOWN : lowered(from, taken));
    // After a fall the limit is unknown: it may be anywhere above.
    this.#limit = little ? before : this.#learned;
    this.#forgetAt = Math.max(from, LEAST_RATE) * FORGET;
    this.#grownAt = now + PAUSE_MS;
    this.#bucket = this.#emptyBucket();
  }

  /** Nothing leaves for so long. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + milliseconds);
  }

  /** One that begins to fill from `#grownAt` on. */
  #emptyBucket(): TokenBucket {
    return new TokenBucket(this.rate, mostTokens(this.rate), this.#grownAt, 0);
  }

  #grow(now: number): void {
    if (this.#learned === Number.POSITIVE_INFINITY || now <= this.#grownAt) return;
    const seconds = (now - this.#grownAt) / SECOND;
    this.#grownAt = now;
    if (now - this.#slowedAt < this.#hold) return;
    if (this.#learned < this.#limit * BEYOND) this.#learned += this.#learned * SLOW_GROWTH * seconds;
    else {
      this.#hold = FIRST_HOLD_MS;
      this.#learned += Math.max(LEAST_GROWTH, this.#learned * FAST_GROWTH) * seconds;
    }
    if (this.#learned >= Math.min(this.#forgetAt, this.#agreed)) this.#learned = Number.POSITIVE_INFINITY;
  }
}

/** A slow link may owe a whole segment, and what the next wait brings: else each wait would cost it a part of its rate. */
const mostTokens = (rate: number) => Math.max(rate * BURST, 1 + rate * WAIT_SECONDS);

/** A rate in segments a second below `from`, by what the carrier took of it in a second. */
const lowered = (from: number, taken: number) => (taken >= TELLING ? Math.min(from, taken * SHARE_OF_TAKEN) : from / 2);

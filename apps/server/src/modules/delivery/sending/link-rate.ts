import { TokenBucket } from '#platform/structures/token-bucket';
import { LastSecond } from './last-second.ts';

const SECOND = 1_000;
/** Maximum that may be taken together after a silence, as a share of a second's rate. */
const BURST = 0.03;
/**
 * Maximum excess over the agreed rate in a second, as a share of it. Segments taken in one second may leave in the next
 * if their intent waited for the database.
 */
const BEYOND_RATE = 0.02;
/** Delay of a new holder, because its predecessor's last intents may still be leaving. */
const BEHIND_PREDECESSOR_MS = 60;
/** Shortest wait for a token. */
const WAIT_SECONDS = 0.02;
/** Time in which all throttled answers count as one, because one burst caused them. */
const EPOCH_MS = 1_000;
/** Number of accepted segments in a second from which they show the carrier's rate. */
const TELLING = 10;
const SHARE_OF_TAKEN = 0.95;
/** Share above which a carrier is only a little too slow: a small step down is enough. */
const MOST_TAKEN = 0.7;
const STEP_DOWN = 0.96;
/** Lowest learned rate. Slower links have an agreed rate; below this, refusals say nothing about the rate. */
const LEAST_RATE = 10;
/** Factor of the limit up to which a rate grows slowly. */
const BEYOND = 1.1;
/** Factor above the last known good rate at which the carrier is trusted again. */
const FORGET = 4;

/** Times and growth with which a rate follows its carrier. */
export interface Tempo {
  /** Pause after an answer "throttled", in milliseconds. */
  pauseMs: number;
  /** Hold after a slow-down: it grows from the first to the second time when the same limit is met again. */
  holdMs: readonly [number, number];
  /** Slow growth after the hold, as a share per second, up to the limit and a little beyond it. */
  slowGrowth: number;
  /** Fast growth above that, because the limit is gone: a share per second, and at least this number of segments. */
  fastGrowth: number;
  leastGrowth: number;
}

/** Tempo of bulk: it rarely meets the limit, so few of its segments are throttled. */
export const PATIENT: Tempo = {
  pauseMs: 250,
  holdMs: [4_000, 32_000],
  slowGrowth: 0.01,
  fastGrowth: 0.1,
  leastGrowth: 2,
};

/** Tempo of urgent messages: people wait for them, so they find room within a second or two after it is there. */
export const EAGER: Tempo = {
  pauseMs: 100,
  holdMs: [500, 1_000],
  slowGrowth: 0.2,
  fastGrowth: 0.5,
  leastGrowth: 10,
};

/** Counter by the second: `last` is the second before this one. */
class PerSecond {
  #from = 0;
  #current = 0;
  #last = 0;

  add(count: number, now: number): void {
    this.#turn(now);
    this.#current += count;
  }

  /** Answers the larger count: of this second until now, or of the one before. */
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
 * Speed of a link: its agreed rate, or less if the carrier shows that it takes less. An answer "throttled" pauses the
 * link for a moment and lowers the rate. If the carrier takes most segments, the step is small. Otherwise the rate
 * falls to what it took meanwhile, or to half. The rate stays there for a while, and then probes upward.
 */
export class LinkRate {
  readonly #agreed: number;
  readonly #now: () => number;
  readonly #tempo: Tempo;
  readonly #sent = new PerSecond();
  readonly #accepted = new PerSecond();
  #learned = Number.POSITIVE_INFINITY;
  #forgetAt = Number.POSITIVE_INFINITY;
  #bucket: TokenBucket;
  /** Time up to which the learned rate has grown. */
  #grownAt: number;
  readonly #left = new LastSecond();
  #pausedUntil = 0;
  #slowedAt = Number.NEGATIVE_INFINITY;
  /** Rate at which the carrier last answered "throttled". */
  #limit = Number.POSITIVE_INFINITY;
  #hold: number;

  /**
   * `rate` is in segments per second, null for no limit. `now` answers milliseconds on a clock that never goes back.
   */
  constructor(rate: number | null, now: () => number = () => performance.now(), tempo = PATIENT) {
    this.#agreed = rate ?? Number.POSITIVE_INFINITY;
    this.#now = now;
    this.#tempo = tempo;
    [this.#hold] = tempo.holdMs;
    this.#grownAt = now() + BEHIND_PREDECESSOR_MS;
    this.#bucket = this.#emptyBucket();
  }

  /** Segments per second that are allowed now. */
  get rate(): number {
    return Math.min(this.#agreed, this.#learned);
  }

  /** Whether the carrier's answers hold the link below its agreed rate. */
  get isSlowed(): boolean {
    return this.#learned < this.#agreed;
  }

  /**
   * Answers how many segments may leave now. More may be taken if the last message has several parts; the excess is
   * then owed.
   */
  available(): number {
    const now = this.#now();
    if (now < this.#pausedUntil) return 0;
    this.#grow(now);
    const { rate } = this;
    if (rate === Number.POSITIVE_INFINITY) return rate;
    this.#bucket.set(rate, mostTokens(rate), now);
    return Math.max(0, Math.floor(this.#bucket.fill(now)));
  }

  /** Answers the milliseconds until `available` is probably more than 0. */
  waitMs(): number {
    const now = this.#now();
    if (now < this.#pausedUntil) return this.#pausedUntil - now;
    return this.rate === Number.POSITIVE_INFINITY ? 0 : Math.max(1, this.#bucket.waitMs);
  }

  take(segments: number): void {
    if (this.rate !== Number.POSITIVE_INFINITY) this.#bucket.take(segments);
    this.#sent.add(segments, this.#now());
  }

  /** Returns segments that were taken but did not leave. */
  giveBack(segments: number): void {
    if (this.rate !== Number.POSITIVE_INFINITY) this.#bucket.take(-segments);
    this.#sent.add(-segments, this.#now());
  }

  /**
   * Answers the milliseconds that `segments` taken segments must wait, so that no second exceeds the agreed rate by
   * more than a little.
   */
  leaveInMs(segments: number): number {
    if (this.#agreed === Number.POSITIVE_INFINITY) return 0;
    return this.#left.waitMs(segments, this.#agreed + Math.max(1, this.#agreed * BEYOND_RATE), this.#now());
  }

  /**
   * Counts segments that leave now. Call the returned function when their bytes are written: on a busy machine that is
   * a little later.
   */
  leave(segments: number): () => void {
    if (this.#agreed === Number.POSITIVE_INFINITY) return () => undefined;
    const written = this.#left.add(segments, this.#now());
    return () => written(this.#now());
  }

  /** Counts segments that the carrier took. */
  accepted(segments: number): void {
    this.#accepted.add(segments, this.#now());
  }

  /** Largest count of segments that left in this second until now, or in the one before. */
  get sentLately(): number {
    return this.#sent.seen(this.#now());
  }

  /** Slows down after an answer "throttled". */
  throttled(): void {
    const now = this.#now();
    const { pauseMs, holdMs } = this.#tempo;
    this.pause(pauseMs);
    const sinceLast = now - this.#slowedAt;
    if (sinceLast < EPOCH_MS) return;
    this.#slowedAt = now;
    const taken = this.#accepted.seen(now);
    const from = Math.min(this.rate, Math.max(1, this.#sent.seen(now)));
    // The limit was met again after the hold, so it still exists.
    if (sinceLast > this.#hold) this.#hold = Math.min(holdMs[1], this.#hold * 2);
    const little = taken >= this.rate * MOST_TAKEN;
    const before = this.rate;
    this.#learned = Math.max(LEAST_RATE, little ? before * STEP_DOWN : lowered(from, taken));
    // After a fall the limit is unknown: it may be at any higher rate.
    this.#limit = little ? before : this.#learned;
    this.#forgetAt = Math.max(from, LEAST_RATE) * FORGET;
    this.#grownAt = now + pauseMs;
    this.#bucket = this.#emptyBucket();
  }

  /** Lets nothing leave for this time. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#now() + milliseconds);
  }

  /** Makes a bucket that begins to fill at `#grownAt`. */
  #emptyBucket(): TokenBucket {
    return new TokenBucket(this.rate, mostTokens(this.rate), this.#grownAt, 0);
  }

  #grow(now: number): void {
    if (this.#learned === Number.POSITIVE_INFINITY || now <= this.#grownAt) return;
    const seconds = (now - this.#grownAt) / SECOND;
    this.#grownAt = now;
    if (now - this.#slowedAt < this.#hold) return;
    const { holdMs, slowGrowth, fastGrowth, leastGrowth } = this.#tempo;
    if (this.#learned < this.#limit * BEYOND) this.#learned += this.#learned * slowGrowth * seconds;
    else {
      [this.#hold] = holdMs;
      this.#learned += Math.max(leastGrowth, this.#learned * fastGrowth) * seconds;
    }
    if (this.#learned >= Math.min(this.#forgetAt, this.#agreed)) this.#learned = Number.POSITIVE_INFINITY;
  }
}

/**
 * Answers the size of the bucket. A slow link may owe a whole segment and the tokens of the next wait, or each wait
 * would lower its rate.
 */
const mostTokens = (rate: number) => Math.max(rate * BURST, 1 + rate * WAIT_SECONDS);

/** Answers a rate in segments per second below `from`, by what the carrier took in a second. */
const lowered = (from: number, taken: number) => (taken >= TELLING ? Math.min(from, taken * SHARE_OF_TAKEN) : from / 2);

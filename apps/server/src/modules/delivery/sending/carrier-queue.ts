/** Time of an answer up to which a carrier holds no queue that an urgent message would notice. */
const SHORT_MS = 300;
/** First limit, and the least. */
const FIRST = 200;
const LEAST = 2;
/** Time after which a round ends, even if fewer answers came than fit in flight. */
const ROUND_MS = 1_000;
/** Time without any answer after which more may leave, once there were answers. */
const QUIET_MS = 5_000;
/** Factors of growth: until the first growth was in vain, and later. */
const FIRST_GROWTH = 2;
const GROWTH = 1.25;
/** Factor of one step down. */
const STEP = 0.5;
/** Least gain of a rate that shows that more in flight helps, and the share below which fewer harm. */
const GAIN = 1.1;
const LOSS = 0.85;
/** Time until a change shows, as a factor of the wait for an answer before it. */
const SETTLE = 1.1;
/** Time for which a finding holds. */
const HOLD_MS = 60_000;

/** A limit, the answers a second that it brought, and their mean wait. */
interface Finding {
  limit: number;
  rate: number;
  tookMs: number;
}

/**
 * Limit of the bulk in flight on a link. A carrier that answers slowly may work on many segments together, or on one
 * after another. In the second case a full window only makes a queue there, in which an urgent message would wait. So
 * the limit grows while answers come soon, or while more in flight brings more answers. It falls as long as fewer in
 * flight bring as many.
 */
export class CarrierQueue {
  readonly #window: number;
  readonly #now: () => number;
  #limit: number;
  #answers = 0;
  #tookMs = 0;
  #began: number;
  #pressed = false;
  /** Time of the last answer, or of the last growth without any. */
  #quietSince: number;
  #isHeard = false;
  /** Time until which answers to segments from before the last change come. */
  #settledAt = 0;
  /** True until more in flight was in vain for the first time. */
  #isFirst = true;
  /** Finding before a trial of a larger or smaller limit. */
  #before: Finding | undefined;
  /** Times until which more in flight is known to be in vain, and fewer to harm. */
  #vainUntil = 0;
  #neededUntil = 0;

  /** `window` is that of all binds. `now` answers milliseconds on a clock that never goes back. */
  constructor(window: number, now: () => number = () => performance.now()) {
    this.#window = window;
    this.#now = now;
    this.#limit = Math.min(window, FIRST);
    this.#began = this.#quietSince = now();
  }

  /** Maximum number of segments in flight with which bulk may leave. */
  get limit(): number {
    return this.#limit;
  }

  /** Answers how many more segments of bulk may leave, with so many in flight. */
  room(inFlight: number): number {
    const room = Math.max(0, Math.floor(this.#limit) - inFlight);
    if (room === 0) this.#press();
    return room;
  }

  /** Notes that bulk waits for the limit. A carrier that gives no answers shows nothing, so more may leave. */
  #press(): void {
    this.#pressed = true;
    const now = this.#now();
    if (now - this.#quietSince < (this.#isHeard ? QUIET_MS : ROUND_MS)) return;
    this.#quietSince = now;
    this.#set(this.#limit * FIRST_GROWTH);
  }

  /** Takes `count` answers, whose segments waited `tookMs` milliseconds for them on average. */
  answered(count: number, tookMs: number): void {
    if (count === 0) return;
    this.#answers += count;
    this.#tookMs += count * tookMs;
    const now = this.#now();
    this.#quietSince = now;
    this.#isHeard = true;
    const elapsed = now - this.#began;
    const meanMs = this.#tookMs / this.#answers;
    const isSettling = now < this.#settledAt;
    if (!isSettling && (elapsed < meanMs || (this.#answers < this.#limit && elapsed < ROUND_MS))) return;
    if (!isSettling && this.#pressed) this.#judge(meanMs, now);
    this.#answers = 0;
    this.#tookMs = 0;
    this.#began = now;
    this.#pressed = false;
  }

  #set(limit: number): void {
    this.#limit = Math.min(this.#window, Math.max(LEAST, limit));
  }

  /** Ends a round in which the limit was reached. */
  #judge(tookMs: number, now: number): void {
    const before = this.#before;
    this.#before = undefined;
    // Answers come in bursts, so the rate follows from the limit and the wait, which are steady.
    const rate = (this.#limit * 1_000) / Math.max(1, tookMs);
    if (tookMs <= SHORT_MS) {
      if (this.#isFirst) this.#set(this.#limit * FIRST_GROWTH);
      else if (tookMs < SHORT_MS * LOSS) this.#set(this.#limit * GROWTH + 1);
      return;
    }
    const grew = before !== undefined && before.limit < this.#limit;
    if (grew && rate < before.rate * GAIN) {
      this.#isFirst = false;
      this.#vainUntil = now + HOLD_MS;
      this.#set(before.limit);
      return;
    }
    // If answers take longer with fewer in flight, the carrier itself became slower.
    if (before && !grew && rate < before.rate * LOSS && tookMs < before.tookMs * GAIN) {
      this.#neededUntil = now + HOLD_MS;
      this.#set(before.limit);
      return;
    }
    const isNeeded = now < this.#neededUntil;
    const finding = { limit: this.#limit, rate, tookMs };
    if ((this.#isFirst || isNeeded) && now >= this.#vainUntil && this.#limit < this.#window)
      this.#try(this.#limit * (this.#isFirst ? FIRST_GROWTH : GROWTH), finding);
    else if (!isNeeded) this.#try(Math.max(this.#limit * STEP, (rate * SHORT_MS) / 1_000), finding);
  }

  #try(limit: number, before: Finding): void {
    this.#before = before;
    this.#settledAt = this.#now() + before.tookMs * SETTLE;
    this.#set(limit);
  }
}

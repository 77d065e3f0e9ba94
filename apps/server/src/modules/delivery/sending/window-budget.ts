import { setTimeout as sleep } from 'node:timers/promises';
import type { Outcome } from '@heliograph/smpp';
import type { OutcomeWriter } from '../outcomes/outcome-writer.ts';
import { CarrierQueue } from './carrier-queue.ts';
import type { CarrierSessions } from './carrier-sessions.ts';
import type { Link } from './link.ts';
import type { LinkRates, Reservation } from './link-rates.ts';

/** Share of free places below which a window in use waits a moment for more: fewer, larger commits. */
const WORTHWHILE = 0.25;
const GATHER_MS = 3;
const SLICE_LIMIT = 2_000;
/** Minimum number of unrecorded answers that a link may have beside a full window. A crash makes at most these and a window uncertain. */
const LEAST_UNRECORDED = 500;
/**
 * Share of the window that bulk leaves free, and its maximum in places, so that an urgent message need not wait for an
 * answer.
 */
const KEPT_SHARE = 0.05;
const MOST_KEPT = 50;
/** Shortest wait for the next token; shorter ones would only make slices of one message. */
const SHORTEST_WAIT_MS = 20;

/** Room for segments on a link now: limited by its windows, its rate and the number that a crash may make uncertain. */
export class WindowBudget {
  readonly #link: Pick<Link, 'id' | 'window_size' | 'binds'>;
  readonly #sessions: CarrierSessions;
  readonly #rates: LinkRates;
  readonly #writer: OutcomeWriter;
  readonly #onMore: () => void;
  /** Places of each window that bulk leaves free. */
  readonly #kept: number;
  readonly #queue: CarrierQueue;
  #reserved = 0;
  #gatherUntil = 0;
  #tokenTimer: NodeJS.Timeout | undefined;

  /** `onMore` is called when there may be more room after a wait. */
  constructor(
    link: Pick<Link, 'id' | 'window_size' | 'binds'>,
    sessions: CarrierSessions,
    rates: LinkRates,
    writer: OutcomeWriter,
    onMore: () => void,
  ) {
    this.#link = link;
    this.#sessions = sessions;
    this.#rates = rates;
    this.#writer = writer;
    this.#onMore = onMore;
    this.#kept = Math.min(MOST_KEPT, Math.floor(link.window_size * KEPT_SHARE));
    this.#queue = new CarrierQueue(link.window_size * link.binds - this.#kept);
  }

  /** Number of urgent segments that may be claimed now. */
  get free(): number {
    return this.#freeBut(0, this.#rates.availableToUrgent());
  }

  /** Number of bulk segments that may be claimed now; some places stay free for urgent ones. */
  get freeForBulk(): number {
    const free = this.#freeBut(this.#kept, this.#rates.available());
    return Math.min(free, this.#queue.room(this.#sessions.inFlight + this.#reserved));
  }

  /** Takes the answers of the carrier, which show how much in flight helps. */
  answered(outcomes: readonly Outcome<unknown>[]): void {
    let answers = 0;
    let took = 0;
    for (const outcome of outcomes) {
      if (outcome.kind !== 'answered') continue;
      answers++;
      took += outcome.took;
    }
    this.#queue.answered(answers, took / answers);
  }

  #freeBut(kept: number, allowed: number): number {
    const { id, window_size, binds } = this.#link;
    const open = this.#sessions.inFlight + this.#writer.unrecordedOf(id);
    const recordable = window_size * binds + Math.max(window_size, LEAST_UNRECORDED) - open;
    const places = Math.min(this.#sessions.free, recordable) - this.#reserved - kept;
    return Math.max(0, Math.min(places, allowed, SLICE_LIMIT));
  }

  /** Answers whether the free room is worth a commit, or the wait for more is over. */
  isWorthwhile(free: number): boolean {
    if (this.#sessions.inFlight === 0) return true;
    const window = Math.min(this.#link.window_size, this.#queue.limit);
    const most = Math.min(window * WORTHWHILE, this.#rates.rate * WORTHWHILE, SLICE_LIMIT / 2);
    return free >= Math.max(1, most) || this.#gathered();
  }

  /** Answers whether the wait for more room is over; the first call of a series starts the wait. */
  #gathered(): boolean {
    const now = performance.now();
    if (this.#gatherUntil === 0) {
      this.#gatherUntil = now + GATHER_MS;
      setTimeout(this.#onMore, GATHER_MS);
      return false;
    }
    if (now < this.#gatherUntil) return false;
    this.#gatherUntil = 0;
    return true;
  }

  /** Waits until the rate allows more, if the rate is the limit. */
  waitForTokens(): void {
    if (this.#tokenTimer || this.#sessions.free <= this.#reserved || this.#rates.available() > 0) return;
    this.#tokenTimer = setTimeout(
      () => {
        this.#tokenTimer = undefined;
        this.#onMore();
      },
      Math.max(SHORTEST_WAIT_MS, this.#rates.waitMs()),
    );
  }

  reserve(parts: number, urgentParts: number): Reservation {
    this.#reserved += parts;
    return this.#rates.take(parts, urgentParts);
  }

  /**
   * Resolves when `segments` of the reserved segments may leave, right after `ready` has passed. They must leave in the
   * same turn of the event loop; then call the returned function.
   */
  async turn(segments: number, ready: () => Promise<void> | undefined): Promise<() => void> {
    for (;;) {
      const waiting = ready();
      if (waiting) await waiting;
      const wait = this.#rates.leaveInMs(segments);
      if (wait === 0) break;
      await sleep(wait);
    }
    const written = this.#rates.leave(segments);
    // Sessions write at the end of the turn.
    return () => setImmediate(written);
  }

  /** Ends a reservation; `left` of its segments were sent, `leftUrgent` of them urgent. */
  unreserve(reservation: Reservation, left: number, leftUrgent: number): void {
    this.#reserved -= reservation.parts;
    this.#rates.giveBack(reservation, left, leftUrgent);
  }

  stop(): void {
    clearTimeout(this.#tokenTimer);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Journal } from '../outcomes/journal.ts';
import type { Binds } from './binds.ts';
import type { Link } from './link.ts';
import type { Paces, Reservation } from './paces.ts';

/** While answers are on their way, a window that is less than this share free waits a moment to be freer: fewer, larger commits. */
const WORTHWHILE = 0.25;
const GATHER_MS = 3;
const SLICE_LIMIT = 2_000;
/**
 * Answers not recorded yet, beyond which nothing new leaves, where the window is smaller: a crash makes no more than
 * these and a window uncertain.
 */
const LEAST_UNRECORDED = 500;
/** Share of the window, and places at most, that bulk leaves free: an urgent message waits for no answer. */
const KEPT_SHARE = 0.05;
const MOST_KEPT = 50;
/** Finer waits for the next token would only make slices of one message. */
const SHORTEST_WAIT_MS = 20;

/** How many segments a link may be handed now: what is free of its windows, its rate and of what a crash may cost. */
export class Room {
  readonly #link: Link;
  readonly #binds: Binds;
  readonly #pace: Paces;
  readonly #journal: Journal;
  readonly #onMore: () => void;
  #reserved = 0;
  #gatherUntil = 0;
  #tokenTimer: NodeJS.Timeout | undefined;

  /** `onMore` is called when there may be more room after a wait. */
  constructor(link: Link, binds: Binds, pace: Paces, journal: Journal, onMore: () => void) {
    this.#link = link;
    this.#binds = binds;
    this.#pace = pace;
    this.#journal = journal;
    this.#onMore = onMore;
  }

  /** Urgent segments that may be claimed now. */
  get free(): number {
    return this.#freeBut(0, this.#pace.availableToUrgent());
  }

  /** The same for bulk, which leaves some places to what is urgent. */
  get freeForBulk(): number {
    const kept = Math.min(MOST_KEPT, Math.floor(this.#link.window_size * KEPT_SHARE));
    return this.#freeBut(kept, this.#pace.available());
  }

  #freeBut(kept: number, allowed: number): number {
    const recordable = Math.max(this.#link.window_size, LEAST_UNRECORDED) - this.#journal.unrecorded;
    const places = Math.min(this.#binds.free - this.#reserved, recordable) - kept;
    return Math.max(0, Math.min(places, allowed, SLICE_LIMIT));
  }

  /** Whether so much is free that a commit of its own is worth it, or a moment was waited for more. */
  isWorthwhile(free: number): boolean {
    if (this.#binds.inFlight === 0) return true;
    const most = Math.min(this.#link.window_size * WORTHWHILE, this.#pace.rate * WORTHWHILE, SLICE_LIMIT / 2);
    return free >= Math.max(1, most) || this.#gathered();
  }

  /** Whether room was gathered long enough; the first call of a series starts the wait. */
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

  /** Waits for the rate to allow more, where it is the rate that allows none. */
  waitForTokens(): void {
    if (this.#tokenTimer || this.#binds.free <= this.#reserved || this.#pace.available() > 0) return;
    this.#tokenTimer = setTimeout(
      () => {
        this.#tokenTimer = undefined;
        this.#onMore();
      },
      Math.max(SHORTEST_WAIT_MS, this.#pace.waitMs()),
    );
  }

  reserve(parts: number, urgentParts: number): Reservation {
    this.#reserved += parts;
    return this.#pace.take(parts, urgentParts);
  }

  /**
   * Resolves when so many of what was reserved may leave, and `ready` was just then; they leave in the same turn of the event loop,
   * and then what is answered is called.
   */
  async turn(segments: number, ready: () => Promise<void> | undefined): Promise<() => void> {
    for (;;) {
      const waiting = ready();
      if (waiting) await waiting;
      const wait = this.#pace.leaveInMs(segments);
      if (wait === 0) break;
      await sleep(wait);
    }
    const written = this.#pace.leave(segments);
    // Sessions write at the end of the turn.
    return () => setImmediate(written);
  }

  /** Ends a reservation of which `left` segments were sent. */
  unreserve(reservation: Reservation, left: number): void {
    this.#reserved -= reservation.parts;
    this.#pace.giveBack(reservation, left);
  }

  stop(): void {
    clearTimeout(this.#tokenTimer);
  }
}

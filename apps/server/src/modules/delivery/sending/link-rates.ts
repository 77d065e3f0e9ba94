import type { MessageClass } from '#platform/database/schema';
import { EAGER, LinkRate } from './link-rate.ts';
import { isUrgent } from './message-class.ts';

/** Answers of a carrier that decide how fast a link is. */
export type Paced = Pick<LinkRates, 'accepted' | 'throttled' | 'pause'>;

/** Pace of the virtual carrier: its answers are about one message of one customer, and slow nobody else. */
export const STEADY: Paced = { accepted() {}, throttled() {}, pause() {} };

/** Segments reserved to leave: `urgent` of them are urgent, and `beyond` of those are above the link's own rate. */
export interface Reservation {
  parts: number;
  urgent: number;
  beyond: number;
}

/**
 * Speed of one link. A carrier that throttles bulk slows the whole link. Urgent messages then have their own rate,
 * which only the answers to urgent messages slow. Neither exceeds the agreed rate.
 */
export class LinkRates {
  readonly #link: LinkRate;
  readonly #urgent: LinkRate;

  /**
   * `agreed` is in segments per second; null for no limit. `now` answers milliseconds on a clock that never goes back.
   */
  constructor(agreed: number | null, now: () => number = () => performance.now()) {
    this.#link = new LinkRate(agreed, now);
    this.#urgent = new LinkRate(agreed, now, EAGER);
  }

  /** Segments per second that are allowed now. */
  get rate(): number {
    return this.#link.rate;
  }

  /** Answers how many segments of any class may leave now. */
  available(): number {
    return this.#link.available();
  }

  /** Answers how many urgent segments may leave now. */
  availableToUrgent(): number {
    const available = this.#link.available();
    return this.#link.isSlowed ? Math.max(available, this.#urgent.available()) : available;
  }

  /** Answers the milliseconds until any segment may leave. */
  waitMs(): number {
    return this.#link.isSlowed ? Math.min(this.#link.waitMs(), this.#urgent.waitMs()) : this.#link.waitMs();
  }

  take(parts: number, urgentParts: number): Reservation {
    const isSlowed = this.#link.isSlowed;
    const beyond = isSlowed ? Math.max(0, Math.min(urgentParts, parts - this.#link.available())) : 0;
    this.#link.take(parts - beyond);
    if (urgentParts > 0) this.#urgent.take(urgentParts);
    return { parts, urgent: urgentParts, beyond };
  }

  /** Ends a reservation; only `left` of its segments left, `leftUrgent` of them urgent. */
  giveBack({ parts, urgent, beyond }: Reservation, left: number, leftUrgent: number): void {
    this.#link.giveBack(Math.max(0, parts - left - beyond));
    if (urgent > leftUrgent) this.#urgent.giveBack(urgent - leftUrgent);
  }

  leaveInMs(segments: number): number {
    return this.#link.leaveInMs(segments);
  }

  leave(segments: number): () => void {
    return this.#link.leave(segments);
  }

  /** Counts a segment of this class that the carrier took. */
  accepted(messageClass: MessageClass): void {
    this.#link.accepted(1);
    if (isUrgent(messageClass)) this.#urgent.accepted(1);
  }

  /** Slows down after the carrier throttled a segment of this class. */
  throttled(messageClass: MessageClass): void {
    const others = this.#link.sentLately - this.#urgent.sentLately;
    this.#link.throttled();
    if (!isUrgent(messageClass)) return;
    // Bulk filled the carrier, so bulk gives way, and urgent messages keep their rate.
    if (others > this.#urgent.sentLately) this.#urgent.pause(EAGER.pauseMs);
    else this.#urgent.throttled();
  }

  /** Lets nothing leave for a while. */
  pause(milliseconds: number): void {
    this.#link.pause(milliseconds);
    this.#urgent.pause(milliseconds);
  }
}

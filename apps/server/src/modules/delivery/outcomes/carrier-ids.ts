import type { Segment } from '../segment.ts';
import { SegmentTable } from './segment-table.ts';

/** Size of one generation of segments that wait in memory for receipts of one link; at most twice as many are kept. */
const GENERATION = 500_000;
/** Number of segments that were read from the database and wait for receipts. */
const RECALLED = 200_000;

/**
 * Newest segments of a link by the carrier's id: nearly every receipt finds its message here. Older ones, and those
 * sent before this process began, are looked up in the database.
 */
export class CarrierIds {
  #young = new SegmentTable();
  #old = new SegmentTable();
  #recalled = new SegmentTable();

  add(carrierId: string, segment: Segment): void {
    this.#young.set(carrierId, segment);
    if (this.#young.size < GENERATION) return;
    this.#old = this.#young;
    this.#young = new SegmentTable();
  }

  /** Adds a segment that the database knew. They have room of their own, so that they never displace newer ones. */
  recall(carrierId: string, segment: Segment): void {
    if (this.find(carrierId)) return;
    if (this.#recalled.size >= RECALLED) this.#recalled = new SegmentTable();
    this.#recalled.set(carrierId, segment);
  }

  /**
   * Removes a segment after its final receipt; another receipt for it is looked up in the database. False if it is not
   * here.
   */
  forget(carrierId: string): boolean {
    return this.#young.delete(carrierId) || this.#old.delete(carrierId) || this.#recalled.delete(carrierId);
  }

  /** Answers the segment, without its text. */
  find(carrierId: string): Segment | undefined {
    return this.#young.get(carrierId) ?? this.#old.get(carrierId) ?? this.#recalled.get(carrierId);
  }

  /** Answers the last digits of the segment's recipient. */
  recipientTail(carrierId: string): string | undefined {
    return this.#young.tail(carrierId) ?? this.#old.tail(carrierId) ?? this.#recalled.tail(carrierId);
  }
}

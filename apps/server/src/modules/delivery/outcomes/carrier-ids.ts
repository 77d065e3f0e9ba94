import type { Segment } from '../segment.ts';
import { SegmentTable } from './segment-table.ts';

/** Size of one generation of segments that wait in memory for receipts of one link; at most twice as many are kept. */
const GENERATION = 500_000;

/**
 * Newest segments of a link by the carrier's id: nearly every receipt finds its message here. Older ones, and those
 * sent before this process began, are looked up in the database.
 */
export class CarrierIds {
  #young = new SegmentTable();
  #old = new SegmentTable();

  add(carrierId: string, segment: Segment): void {
    this.#young.set(carrierId, segment);
    if (this.#young.size < GENERATION) return;
    this.#old = this.#young;
    this.#young = new SegmentTable();
  }

  /** Removes a segment after its final receipt; another receipt for it is looked up in the database. */
  forget(carrierId: string): void {
    if (!this.#young.delete(carrierId)) this.#old.delete(carrierId);
  }

  /** Answers the segment, without its recipient and text. */
  find(carrierId: string): Segment | undefined {
    return this.#young.get(carrierId) ?? this.#old.get(carrierId);
  }

  /** Answers the last digits of the segment's recipient. */
  recipientTail(carrierId: string): string | undefined {
    return this.#young.tail(carrierId) ?? this.#old.tail(carrierId);
  }
}

import type { Segment } from '../segment.ts';
import { SegmentTable } from './segment-table.ts';

/** Segments of one link whose receipts are still awaited in memory; twice as many are kept at most. */
const GENERATION = 500_000;

/**
 * The newest segments of a link by the carrier's id: nearly every receipt finds its message here. What is older, or was
 * sent before this process began, is looked up in the database.
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

  /** The segment has its final receipt; another one will be looked up. */
  forget(carrierId: string): void {
    if (!this.#young.delete(carrierId)) this.#old.delete(carrierId);
  }

  /** The segment, without its recipient and text. */
  find(carrierId: string): Segment | undefined {
    return this.#young.get(carrierId) ?? this.#old.get(carrierId);
  }

  /** The last digits of the recipient of the segment. */
  recipientTail(carrierId: string): string | undefined {
    return this.#young.tail(carrierId) ?? this.#old.tail(carrierId);
  }
}

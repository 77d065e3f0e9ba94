import type { Segment } from '../segment.ts';

/** Segments of one link whose receipts are still awaited in memory; twice as many are kept at most. */
const GENERATION = 150_000;
/** Slots at first, a power of two. They double whenever half of them are taken, so that the table of a quiet link stays
 * small enough for the processor's own memory. */
const SLOTS = 2 ** 12;

/**
 * Segments by carrier id with linear probing: ten times as fast as a Map of strings, which this is on the path of every
 * message twice.
 */
class Generation {
  size = 0;
  #mask = SLOTS - 1;
  #ids = new Array<string | undefined>(SLOTS).fill(undefined);
  #segments = new Array<Segment | undefined>(SLOTS).fill(undefined);

  /** The slot that holds the id, or the free one where it would go. */
  #slot(id: string): number {
    let slot = hash(id) & this.#mask;
    for (let present = this.#ids[slot]; present !== undefined && present !== id; present = this.#ids[slot])
      slot = (slot + 1) & this.#mask;
    return slot;
  }

  set(id: string, segment: Segment): void {
    const slot = this.#slot(id);
    if (this.#ids[slot] === undefined) this.size++;
    this.#ids[slot] = id;
    this.#segments[slot] = segment;
    if (this.size * 2 > this.#mask) this.#grow();
  }

  #grow(): void {
    const [ids, segments, slots] = [this.#ids, this.#segments, this.#ids.length * 2];
    this.#mask = slots - 1;
    this.#ids = new Array<string | undefined>(slots).fill(undefined);
    this.#segments = new Array<Segment | undefined>(slots).fill(undefined);
    for (const [index, id] of ids.entries()) {
      if (id === undefined) continue;
      const slot = this.#slot(id);
      this.#ids[slot] = id;
      this.#segments[slot] = segments[index];
    }
  }

  get(id: string): Segment | undefined {
    return this.#segments[this.#slot(id)];
  }

  delete(id: string): boolean {
    let free = this.#slot(id);
    if (this.#ids[free] === undefined) return false;
    this.size--;
    // Those after it move up where their search would otherwise end at the gap.
    for (let slot = (free + 1) & this.#mask; ; slot = (slot + 1) & this.#mask) {
      const next = this.#ids[slot];
      if (next === undefined) break;
      if (((slot - hash(next)) & this.#mask) < ((slot - free) & this.#mask)) continue;
      this.#ids[free] = next;
      this.#segments[free] = this.#segments[slot];
      free = slot;
    }
    this.#ids[free] = undefined;
    this.#segments[free] = undefined;
    return true;
  }
}

/** FNV-1a over the characters, mixed once more: the ids of one carrier often differ in their last ones alone. */
function hash(id: string): number {
  let mixed = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) mixed = Math.imul(mixed ^ id.charCodeAt(i), 0x01000193);
  return mixed ^ (mixed >>> 15);
}

/**
 * The newest segments of a link by the carrier's id: nearly every receipt finds its message here. What is older, or was
 * sent before this process began, is looked up in the database.
 */
export class CarrierIds {
  #young = new Generation();
  #old = new Generation();

  add(carrierId: string, segment: Segment): void {
    this.#young.set(carrierId, segment);
    if (this.#young.size < GENERATION) return;
    this.#old = this.#young;
    this.#young = new Generation();
  }

  /** The segment has its final receipt; another one will be looked up. */
  forget(carrierId: string): void {
    if (!this.#young.delete(carrierId)) this.#old.delete(carrierId);
  }

  find(carrierId: string): Segment | undefined {
    return this.#young.get(carrierId) ?? this.#old.get(carrierId);
  }
}

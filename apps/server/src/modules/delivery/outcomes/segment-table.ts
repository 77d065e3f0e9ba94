import { chunkOf } from '../message-id.ts';
import type { ChunkContext, Segment } from '../segment.ts';

/**
 * Initial rows, a power of two. They double when all are taken. So the table of a quiet link stays small enough for the
 * processor's cache.
 */
const ROWS = 2 ** 12;
const NONE = -1;

/** Number of a recipient's last digits that a receipt is compared with. */
const TAIL_DIGITS = 7;

/** Two hashes of 32 bits each, compared together. */
interface Hashes {
  low: number;
  high: number;
}

/** Seed that differs in each process, so that nobody can choose colliding ids. */
const SEED = (Math.random() * 2 ** 32) | 0;

/**
 * Hashes an id by two series of multiplications, mixed at the end, because ids of one carrier often differ in one
 * character.
 */
export function hashOf(id: string, into: Hashes): void {
  let a = SEED ^ 0x2545_f491;
  let b = SEED ^ 0x6c62_272e;
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i);
    a = Math.imul(a ^ code, 0x85eb_ca6b);
    b = Math.imul(b ^ code, 0xc2b2_ae35);
  }
  a = Math.imul(a ^ (a >>> 16), 0x7feb_352d) ^ Math.imul(b ^ (b >>> 13), 0x846c_a68b);
  b = Math.imul(b ^ (b >>> 15), 0x2c1b_3c6d) ^ Math.imul(a ^ (a >>> 14), 0x297a_2d39);
  into.low = a ^ (a >>> 16);
  into.high = b ^ (b >>> 15);
}

/** Makes the columns of the table, one value in each for a row. */
function columns(rows: number) {
  return {
    low: new Int32Array(rows),
    high: new Int32Array(rows),
    /** Message ids. */
    message: new Float64Array(rows),
    answeredAt: new Float64Array(rows),
    unitPrice: new Float64Array(rows),
    /** Part, parts and reference + 1, see `shapeOf`. */
    shape: new Int32Array(rows),
    /** Number of the recipient, which has no leading zeros; in a free row, the next free row. */
    msisdn: new Float64Array(rows),
  };
}
type Columns = ReturnType<typeof columns>;

const shapeOf = ({ part, message: { parts, reference } }: Segment) => (reference + 1) * 2 ** 12 + parts * 2 ** 6 + part;

/**
 * Segments by carrier id, in columns of numbers: the garbage collector has nothing to visit, and a million take 54 MB.
 * An id is known by 64 bits of hash, so one in 2^64 would be taken for another.
 */
export class SegmentTable {
  /** Number of segments. */
  size = 0;
  #rows = ROWS;
  #columns: Columns = columns(ROWS);
  /** Row of each slot; linear probing, at most half full. */
  #slots = new Int32Array(2 * ROWS).fill(NONE);
  /** First row that was never used. */
  #fresh = 0;
  #free = NONE;
  readonly #chunks = new Map<number, { context: ChunkContext; segments: number }>();
  readonly #hashes: Hashes = { low: 0, high: 0 };

  /** Answers the slot that holds the id, or the free slot for it. */
  #slot(id: string): number {
    hashOf(id, this.#hashes);
    return this.#slotOf(this.#hashes.low, this.#hashes.high);
  }

  #slotOf(low: number, high: number): number {
    const mask = this.#slots.length - 1;
    const { low: lows, high: highs } = this.#columns;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const row = this.#slots[slot]!;
      if (row === NONE || (lows[row] === low && highs[row] === high)) return slot;
    }
  }

  set(id: string, segment: Segment): void {
    const slot = this.#slot(id);
    const present = this.#slots[slot]!;
    if (present !== NONE) this.#release(present);
    const row = present === NONE ? this.#take() : present;
    this.#slots[slot] = row;
    const { message } = segment;
    const to = this.#columns;
    to.low[row] = this.#hashes.low;
    to.high[row] = this.#hashes.high;
    to.message[row] = message.id;
    to.answeredAt[row] = message.answered_at;
    to.unitPrice[row] = message.unit_price;
    to.shape[row] = shapeOf(segment);
    to.msisdn[row] = Number(message.msisdn);
    const chunk = this.#chunks.get(message.chunk.id);
    if (chunk) chunk.segments++;
    else this.#chunks.set(message.chunk.id, { context: message.chunk, segments: 1 });
    if (present === NONE && ++this.size === this.#rows) this.#grow();
  }

  #take(): number {
    if (this.#free === NONE) return this.#fresh++;
    const row = this.#free;
    this.#free = this.#columns.msisdn[row]!;
    return row;
  }

  /** Releases a row; its chunk is removed with the chunk's last segment. */
  #release(row: number): void {
    const id = chunkOf(this.#columns.message[row]!);
    const chunk = this.#chunks.get(id)!;
    if (--chunk.segments === 0) this.#chunks.delete(id);
  }

  #grow(): void {
    const from = this.#columns;
    this.#rows *= 2;
    const to = columns(this.#rows);
    for (const name of Object.keys(from) as (keyof Columns)[]) to[name].set(from[name]);
    this.#columns = to;
    this.#slots = new Int32Array(2 * this.#rows).fill(NONE);
    // All rows are in use, because only then it grows.
    for (let row = 0; row < this.#fresh; row++) this.#slots[this.#slotOf(to.low[row]!, to.high[row]!)] = row;
  }

  /** Answers a new copy of the stored segment, without its text. */
  get(id: string): Segment | undefined {
    const row = this.#slots[this.#slot(id)]!;
    if (row === NONE) return undefined;
    const from = this.#columns;
    const shape = from.shape[row]!;
    const message = from.message[row]!;
    return {
      message: {
        id: message,
        chunk: this.#chunks.get(chunkOf(message))!.context,
        msisdn: String(from.msisdn[row]!),
        text: null,
        parts: (shape >> 6) & 63,
        unit_price: from.unitPrice[row]!,
        reference: (shape >> 12) - 1,
        answered_at: from.answeredAt[row]!,
      },
      part: shape & 63,
      tries: 0,
    };
  }

  /** Answers the last seven digits of the segment's recipient. */
  tail(id: string): string | undefined {
    const row = this.#slots[this.#slot(id)]!;
    return row === NONE ? undefined : String(this.#columns.msisdn[row]!).slice(-TAIL_DIGITS);
  }

  delete(id: string): boolean {
    let free = this.#slot(id);
    const row = this.#slots[free]!;
    if (row === NONE) return false;
    this.size--;
    this.#release(row);
    this.#columns.msisdn[row] = this.#free;
    this.#free = row;
    const mask = this.#slots.length - 1;
    // Later entries move up if their search would otherwise end at the gap.
    for (let slot = (free + 1) & mask; ; slot = (slot + 1) & mask) {
      const next = this.#slots[slot]!;
      if (next === NONE) break;
      if (((slot - this.#columns.low[next]!) & mask) < ((slot - free) & mask)) continue;
      this.#slots[free] = next;
      free = slot;
    }
    this.#slots[free] = NONE;
    return true;
  }
}

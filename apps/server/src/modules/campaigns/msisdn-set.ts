const FIRST_CAPACITY = 1 << 12;
const MAX_LOAD = 0.6;
/** Powers of ten up to 10^15, the longest MSISDN. */
const POWERS = Array.from({ length: 16 }, (_, digits) => 10 ** digits);

/**
 * The numbers seen so far, for millions of them: open addressing in one typed array takes some 16 bytes a number where
 * a Set of texts takes over 80.
 */
export class MsisdnSet {
  #slots = new Float64Array(FIRST_CAPACITY);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Adds a number of at most 15 digits; answers false where it was there. */
  add(msisdn: string): boolean {
    // The length is part of the key: a leading zero makes another number.
    const key = Number(msisdn) + POWERS[msisdn.length]!;
    if (this.#size >= this.#slots.length * MAX_LOAD) this.#grow();
    if (!place(this.#slots, key)) return false;
    this.#size++;
    return true;
  }

  #grow(): void {
    const wider = new Float64Array(this.#slots.length * 2);
    for (const key of this.#slots) if (key !== 0) place(wider, key);
    this.#slots = wider;
  }
}

function place(slots: Float64Array, key: number): boolean {
  const mask = slots.length - 1;
  const low = key % 4_294_967_296;
  let hash = Math.imul(low ^ Math.imul((key - low) / 4_294_967_296, 0x9e3779b1), 0x85ebca6b);
  hash ^= hash >>> 15;
  for (let at = hash & mask; ; at = (at + 1) & mask) {
    const found = slots[at]!;
    if (found === key) return false;
    if (found === 0) {
      slots[at] = key;
      return true;
    }
  }
}

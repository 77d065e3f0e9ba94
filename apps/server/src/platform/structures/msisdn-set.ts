const FIRST_CAPACITY = 1 << 6;
const MAX_LOAD = 0.6;
/** Powers of ten up to 10^15, the longest MSISDN. */
const POWERS = Array.from({ length: 16 }, (_, digits) => 10 ** digits);

/**
 * Set of numbers, for millions of them. Open addressing in one typed array takes about 16 bytes a number; a Set of
 * texts takes over 80. Numbers have at most 15 digits.
 */
export class MsisdnSet {
  #slots = new Float64Array(FIRST_CAPACITY);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(msisdn: string): boolean {
    const key = msisdnKey(msisdn);
    return this.#slots[placeOf(this.#slots, key)] === key;
  }

  /** Adds a number; answers false if it was there. */
  add(msisdn: string): boolean {
    if (this.#size >= this.#slots.length * MAX_LOAD) this.#grow();
    const key = msisdnKey(msisdn);
    const place = placeOf(this.#slots, key);
    if (this.#slots[place] === key) return false;
    this.#slots[place] = key;
    this.#size++;
    return true;
  }

  /** Takes a number out; answers false if it was not there. */
  delete(msisdn: string): boolean {
    const slots = this.#slots;
    const key = msisdnKey(msisdn);
    let gap = placeOf(slots, key);
    if (slots[gap] !== key) return false;
    const mask = slots.length - 1;
    // Numbers after it move up if the gap would hide them from their search.
    for (let at = (gap + 1) & mask; slots[at] !== 0; at = (at + 1) & mask) {
      const home = hashOf(slots[at]!) & mask;
      if (((at - home) & mask) < ((at - gap) & mask)) continue;
      slots[gap] = slots[at]!;
      gap = at;
    }
    slots[gap] = 0;
    this.#size--;
    return true;
  }

  #grow(): void {
    const wider = new Float64Array(this.#slots.length * 2);
    for (const key of this.#slots) if (key !== 0) wider[placeOf(wider, key)] = key;
    this.#slots = wider;
  }
}

/**
 * Returns a number that stands for an MSISDN of at most 15 digits; it is below 2^51. The length is part of it: a leading
 * zero makes another MSISDN.
 */
export const msisdnKey = (msisdn: string): number => Number(msisdn) + POWERS[msisdn.length]!;

/** Returns the MSISDN for which a key stands. */
export const msisdnOf = (key: number): string => String(key).slice(1);

function hashOf(key: number): number {
  const low = key % 4_294_967_296;
  const hash = Math.imul(low ^ Math.imul((key - low) / 4_294_967_296, 0x9e3779b1), 0x85ebca6b);
  return hash ^ (hash >>> 15);
}

/** Answers the place at which the key is, or would be. */
function placeOf(slots: Float64Array, key: number): number {
  const mask = slots.length - 1;
  for (let at = hashOf(key) & mask; ; at = (at + 1) & mask) {
    const found = slots[at];
    if (found === key || found === 0) return at;
  }
}

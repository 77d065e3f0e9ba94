const DIGITS = 10;
const NONE = -1;

/** Prefixes with a value each; the longest prefix of a number is found by one walk along its digits. */
export class PrefixTree {
  /** Ten places a node: the next node for each digit; 0 is the root and therefore means none. */
  readonly #next: Int32Array;
  readonly #values: Int32Array;
  readonly size: number;

  /** `prefixes` are digits only; `values` are whole numbers from 0, one for each prefix. */
  constructor(prefixes: readonly string[], values: readonly number[]) {
    const most = 1 + prefixes.reduce((sum, prefix) => sum + prefix.length, 0);
    let next = new Int32Array(Math.min(most, 1024) * DIGITS);
    let stored = new Int32Array(Math.min(most, 1024)).fill(NONE);
    let nodes = 1;
    for (const [i, prefix] of prefixes.entries()) {
      let node = 0;
      for (let at = 0; at < prefix.length; at++) {
        const place = node * DIGITS + digitAt(prefix, at);
        if (next[place] === 0) {
          if (nodes === stored.length) {
            next = grown(next, 0);
            stored = grown(stored, NONE);
          }
          next[place] = nodes++;
        }
        node = next[place]!;
      }
      stored[node] = values[i]!;
    }
    this.#next = next.slice(0, nodes * DIGITS);
    this.#values = stored.slice(0, nodes);
    this.size = prefixes.length;
  }

  /** The value of the longest prefix of `digits`; undefined if none matches. */
  find(digits: string): number | undefined {
    const next = this.#next;
    const values = this.#values;
    let found = values[0]!;
    let node = 0;
    for (let at = 0; at < digits.length; at++) {
      const digit = digits.charCodeAt(at) - 48;
      if (digit < 0 || digit > 9) break;
      node = next[node * DIGITS + digit]!;
      if (node === 0) break;
      if (values[node] !== NONE) found = values[node]!;
    }
    return found === NONE ? undefined : found;
  }
}

function digitAt(prefix: string, at: number): number {
  const digit = prefix.charCodeAt(at) - 48;
  if (digit < 0 || digit > 9) throw new RangeError(`not a prefix: ${prefix}`);
  return digit;
}

function grown(array: Int32Array<ArrayBuffer>, filler: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2).fill(filler);
  larger.set(array);
  return larger;
}

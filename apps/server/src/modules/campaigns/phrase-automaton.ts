import { coarse, KIND, kindOf, letterOf, letterTable } from './letter-table.ts';

/** Columns of a state: one for each letter, from 1 to 26. */
const COLUMNS = 32;
const OTHER = 30;
const COMPOUND = 31;
const SIGN = 64;

/** Column of each UTF-16 unit; 0 is skipped. Signs are marked, because they are read both ways. */
let columns: ReturnType<typeof makeColumns> | undefined;

function makeColumns() {
  const withSigns = new Uint8Array(0x10000);
  for (const [unit, entry] of letterTable().entries()) {
    const kind = kindOf(entry);
    if (kind === KIND.other) withSigns[unit] = OTHER;
    else if (kind === KIND.compound) withSigns[unit] = COMPOUND;
    else if (kind === KIND.sign) withSigns[unit] = SIGN | coarse(letterOf(entry));
    else withSigns[unit] = coarse(letterOf(entry));
  }
  const withoutSigns = withSigns.map((column) => ((column & SIGN) !== 0 ? 0 : column));
  return { withSigns, withoutSigns };
}

/** Returns letters as the automaton reads them: i and l are one, and a repeated letter counts once. */
export function readingOf(letters: readonly number[]): number[] {
  const all = letters.map(coarse);
  return all.filter((letter, index) => letter !== all[index - 1]);
}

/**
 * Receives a hit of a scan: the phrase and the positions of its first and last unit. `signs` tells if signs are letters
 * in this reading.
 */
type OnHit = (phrase: number, start: number, end: number, signs: boolean) => boolean;

/**
 * Finds many phrases in one walk over a text (Aho and Corasick, as a full table). Gaps are skipped and repeated letters
 * are taken once. So each hit is only possible and must be confirmed.
 */
export class PhraseAutomaton {
  readonly #next: Int32Array;
  /** Phrases that end in each state. */
  readonly #ends: readonly (readonly number[])[];
  /** Flags of the states in which any phrase ends (1). */
  readonly #isEnd: Uint8Array;
  readonly #lengths: readonly number[];
  readonly #columns: ReturnType<typeof makeColumns>;
  #places = new Int32Array(256);

  /** `phrases` are readings of their letters. */
  constructor(phrases: readonly (readonly number[])[]) {
    columns ??= makeColumns();
    this.#columns = columns;
    this.#lengths = phrases.map(({ length }) => length);
    const size = 1 + phrases.reduce((sum, { length }) => sum + length, 0);
    const next = new Int32Array(size * COLUMNS);
    const ends: number[][] = [[]];
    let states = 1;
    for (const [phrase, letters] of phrases.entries()) {
      let state = 0;
      for (const letter of letters) {
        const cell = state * COLUMNS + letter;
        if (next[cell] === 0) {
          next[cell] = states;
          ends[states++] = [];
        }
        state = next[cell]!;
      }
      ends[state]!.push(phrase);
    }
    const fallback = new Int32Array(states);
    const queue = [0];
    for (let at = 0; at < queue.length; at++) {
      const state = queue[at]!;
      ends[state]!.push(...(state === 0 ? [] : ends[fallback[state]!]!));
      for (let letter = 1; letter <= 26; letter++) {
        const cell = state * COLUMNS + letter;
        const behind = state === 0 ? 0 : next[fallback[state]! * COLUMNS + letter]!;
        const child = next[cell]!;
        if (child === 0) {
          next[cell] = behind;
          continue;
        }
        fallback[child] = behind;
        queue.push(child);
      }
    }
    this.#next = next;
    this.#isEnd = Uint8Array.from(ends, (each) => (each.length > 0 ? 1 : 0));
    this.#ends = ends;
  }

  /**
   * Walks over a text, with signs as letters and then without. Returns true as soon as `onHit` does. Returns undefined
   * if the text must be decomposed first.
   */
  scan(text: string, onHit: OnHit): boolean | undefined {
    const signs = this.#walk(text, this.#columns.withSigns, true, onHit);
    return signs === 'signs' ? this.#walk(text, this.#columns.withoutSigns, false, onHit) === true : signs;
  }

  /** Returns 'signs' if there was no hit and the text has signs. */
  #walk(text: string, columns: Uint8Array, signs: boolean, onHit: OnHit): boolean | 'signs' | undefined {
    if (this.#places.length < text.length) this.#places = new Int32Array(text.length * 2);
    const places = this.#places;
    const next = this.#next;
    const isEnd = this.#isEnd;
    let state = 0;
    let count = 0;
    let last = 0;
    let seen = 0;
    for (let at = 0; at < text.length; at++) {
      const column = columns[text.charCodeAt(at)]!;
      if (column === 0) continue;
      seen |= column;
      const letter = column & 31;
      if (letter >= OTHER) {
        if (letter === COMPOUND) return undefined;
        state = 0;
        last = 0;
        continue;
      }
      if (letter === last) continue;
      last = letter;
      places[count++] = at;
      state = next[state * COLUMNS + letter]!;
      if (isEnd[state] === 0) continue;
      for (const phrase of this.#ends[state]!)
        if (onHit(phrase, places[count - this.#lengths[phrase]!]!, at, signs)) return true;
    }
    return (seen & SIGN) !== 0 && signs ? 'signs' : false;
  }
}

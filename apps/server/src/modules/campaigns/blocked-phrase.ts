import { I_OR_L, isCapital, KIND, kindOf, letterOf, letterTable } from './letter-table.ts';

/** Word or phrase of Latin letters and digits, in the form used for the search. */
export interface BlockedPhrase {
  letters: readonly number[];
  /** Digit that must stand at a place exactly; NaN for letters. */
  digits: readonly number[];
  /** Marks the places at which a word begins. */
  begins: readonly boolean[];
}

const I = 9;
const L = 12;
/** Letters that words seldom double. A second one counts as stretching, as a third one does for any letter. */
const SELDOM_DOUBLED = new Set([...'ahijkquvwxy'].map((letter) => letter.charCodeAt(0) - 96));
/** Short words that show that the next piece is a separate word: "the rapist", "an other", "now here". */
const COMMON = new Set(
  `a i o e y an as at be by do go he if in is it me my no of on or so to up us we am are and but can day for get has her
  here him his how its let may new not now off old one our out per say see she sir sit the two use was way who why you
  all any big out over under sa na ng ang si ni ay kay mga ako siya de la el en un una le les du des der die das und il lo`.split(
    /\s+/,
  ),
);

/** Kind of gap between two letters. */
type Gap = 'none' | 'mark' | 'space' | 'apostrophe' | 'sentence';

const isLetter = (kind: number) => kind === KIND.latin || kind === KIND.lookalike || kind === KIND.other;

/** Returns the phrase without its gaps. Returns null if it has no letters, or letters that look like no Latin one. */
export function phraseOf(folded: string): BlockedPhrase | null {
  const table = letterTable();
  const letters: number[] = [];
  const digits: number[] = [];
  const begins: boolean[] = [];
  let gap = true;
  for (const [at, unit] of [...folded].entries()) {
    const entry = table[unit.charCodeAt(0)]!;
    const kind = kindOf(entry);
    if (kind === KIND.other) return null;
    // A sign inside a word stands for a letter. Elsewhere it is only a sign.
    const inside =
      kind === KIND.sign &&
      isLetter(kindOf(table[folded.charCodeAt(at - 1)] ?? 0)) &&
      isLetter(kindOf(table[folded.charCodeAt(at + 1)] ?? 0));
    if (kind === KIND.latin || kind === KIND.lookalike || kind === KIND.digit || inside) {
      letters.push(letterOf(entry));
      digits.push(kind === KIND.digit ? Number(unit) : Number.NaN);
      begins.push(gap);
      gap = false;
    } else if (kind !== KIND.invisible) gap = true;
  }
  return letters.length > 0 ? { letters, digits, begins } : null;
}

/**
 * Confirms a possible hit. The phrase must stand there as whole words, and be spelled so that a reader sees it. A clean
 * text must not be spelled so. `signs` tells if signs are read as letters.
 */
export function isPhraseAt(text: string, start: number, phrase: BlockedPhrase, signs: boolean): boolean {
  // The last letter of the word before may be the same. Then the search took both as one letter.
  for (let at = start; at >= 0; at = new Reading(text, signs).nextAlike(at))
    if (new Reading(text, signs).matches(at, phrase)) return true;
  return false;
}

class Reading {
  readonly #text: string;
  readonly #signs: boolean;
  readonly #table = letterTable();
  #latin = 0;
  #lookalikes = 0;
  #digits = 0;
  #signsRead = 0;
  #capitals = 0;
  #smallLForI = false;

  constructor(text: string, signs: boolean) {
    this.#text = text;
    this.#signs = signs;
  }

  matches(start: number, { letters, digits, begins }: BlockedPhrase): boolean {
    if (this.#isWithinWord(start, -1)) return false;
    const gaps: { at: number; gap: Gap }[] = [];
    let at = start;
    for (let place = 0; place < letters.length; ) {
      const letter = letters[place]!;
      let run = 1;
      while (letters[place + run] === letter && !begins[place + run]) run++;
      for (let each = 0; each < run; each++, place++) {
        if (place > 0) {
          const next = this.#nextLetter(at);
          if (next < 0) return false;
          const gap = this.#gap(at, next);
          if (begins[place]) {
            if (gap === 'sentence') return false;
          } else if (gap !== 'none') gaps.push({ at: next, gap });
          at = next;
        }
        if (!this.#reads(at, letters[place]!, digits[place]!)) return false;
      }
      // Joined words share the letter at which they meet: "busstop".
      if (place < letters.length && letters[place] === letter && this.#isJoined(at)) continue;
      at = this.#stretch(at, run);
      if (at < 0) return false;
    }
    if (this.#isWithinWord(at, 1)) return false;
    const words = begins.filter(Boolean).length;
    return this.#isPlausible(letters.length) && this.#isSpelled(gaps, letters.length, words, start, at);
  }

  /** Returns the next letter if it is the same, or a value below 0 if it is another. */
  nextAlike(at: number): number {
    const next = this.#nextLetter(at);
    const letter = (place: number) => letterOf(this.#table[this.#text.charCodeAt(place)]!);
    return next >= 0 && alike(letter(next), letter(at)) ? next : -1;
  }

  /** Tells if the same letter follows once, in the same word, with a different letter after it. */
  #isJoined(at: number): boolean {
    const next = this.nextAlike(at);
    return next >= 0 && this.#gap(at, next) === 'none' && this.nextAlike(next) < 0;
  }

  /** Tells if a letter stands directly before or behind a unit. */
  #isWithinWord(at: number, step: 1 | -1): boolean {
    for (let next = at + step; ; next += step) {
      const kind = kindOf(this.#table[this.#text.charCodeAt(next)] ?? 0);
      if (kind !== KIND.invisible) return isLetter(kind);
    }
  }

  /** Returns the next unit that is a letter in this reading, or a value below 0 if none follows. */
  #nextLetter(at: number): number {
    for (let next = at + 1; next < this.#text.length; next++) {
      const kind = kindOf(this.#table[this.#text.charCodeAt(next)]!);
      if (kind === KIND.other) return -1;
      if (kind === KIND.latin || kind === KIND.lookalike || kind === KIND.digit || (kind === KIND.sign && this.#signs))
        return next;
    }
    return -1;
  }

  #reads(at: number, want: number, digit: number): boolean {
    const entry = this.#table[this.#text.charCodeAt(at)]!;
    const kind = kindOf(entry);
    const letter = letterOf(entry);
    if (kind === KIND.latin) this.#latin++;
    else if (kind === KIND.lookalike) this.#lookalikes++;
    else if (kind === KIND.digit) this.#digits++;
    else this.#signsRead++;
    if (!Number.isNaN(digit)) {
      this.#latin++;
      return kind === KIND.digit && this.#text.charCodeAt(at) === 48 + digit;
    }
    if (isCapital(entry) && letter !== I) this.#capitals++;
    if (letter === want) return true;
    if (letter === I_OR_L) return want === I || want === L;
    // A capital i looks like an l anywhere. A small l looks like an i only among capitals.
    if (want === L && letter === I) return isCapital(entry);
    if (want !== I || letter !== L) return false;
    this.#smallLForI = true;
    return true;
  }

  /**
   * Returns the last unit of a letter that is repeated more than its `run`. Returns a value below 0 if the repetition
   * is a different spelling.
   */
  #stretch(at: number, run: number): number {
    const entryAt = this.#table[this.#text.charCodeAt(at)]!;
    const letter = letterOf(entryAt);
    let end = at;
    let extra = 0;
    for (let next = at + 1; next < this.#text.length; next++) {
      const entry = this.#table[this.#text.charCodeAt(next)]!;
      const kind = kindOf(entry);
      if (kind === KIND.invisible) continue;
      if (!(kind === KIND.latin || kind === KIND.lookalike) || letterOf(entry) !== letter) break;
      // After a small i, a capital one is an l.
      if (letter === I && isCapital(entry) !== isCapital(entryAt)) break;
      end = next;
      extra++;
    }
    return extra === 0 || run + extra >= 3 || SELDOM_DOUBLED.has(letter) ? end : -1;
  }

  #gap(from: number, to: number): Gap {
    let gap: Gap = 'none';
    let ends = false;
    for (let at = from + 1; at < to; at++) {
      const unit = this.#text[at]!;
      if (kindOf(this.#table[unit.charCodeAt(0)]!) === KIND.invisible) continue;
      if (/\s/.test(unit)) gap = 'space';
      else if (unit === "'" || unit === '’') gap = gap === 'none' ? 'apostrophe' : gap;
      else if (gap !== 'space') gap = 'mark';
      if (/[.!?。！？]/.test(unit)) ends = true;
    }
    if (gap !== 'space' || !ends) return gap;
    const [before, behind] = [from, to].map((at) => isCapital(this.#table[this.#text.charCodeAt(at)]!));
    return behind && !before ? 'sentence' : gap;
  }

  /**
   * Tells if the reading makes sense. Text with digits and signs only is a number or a price. Text with letters of
   * another script only is a word in that script.
   */
  #isPlausible(length: number): boolean {
    if (this.#smallLForI && this.#capitals === 0) return false;
    const letters = this.#latin + this.#lookalikes;
    const substitutes = this.#digits + this.#signsRead;
    if (substitutes > 0 && letters < Math.min(2, length) && !(letters > 0 && this.#digits === 0)) return false;
    if (substitutes > letters && letters < 3 && this.#digits > 0) return false;
    return this.#latin > 0 || this.#digits + this.#signsRead > 0 || length >= 5;
  }

  /** Tells if the gaps inside the words leave the phrase readable, and do not just separate other words. */
  #isSpelled(
    gaps: readonly { at: number; gap: Gap }[],
    length: number,
    words: number,
    start: number,
    end: number,
  ): boolean {
    if (gaps.length === 0) return true;
    if (gaps.length === length - words) return length >= 3;
    if (gaps.some(({ gap }) => gap === 'apostrophe' || gap === 'sentence')) return false;
    const spaces = gaps.filter(({ gap }) => gap === 'space');
    if (spaces.length === 0) return true;
    if (length < 5) return false;
    const pieces = this.#text
      .slice(start, end + 1)
      .toLowerCase()
      .split(/\s+/);
    return !pieces.some((piece) => COMMON.has(piece.replace(/[^\p{L}\p{N}]/gu, '')));
  }
}

const alike = (one: number, other: number) =>
  one === other || ([I, L, I_OR_L].includes(one) && [I, L, I_OR_L].includes(other));

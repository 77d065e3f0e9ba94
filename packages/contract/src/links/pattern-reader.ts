/** Tells whether the code of a character fits. */
export type Fits = (code: number) => boolean;
/** Place between two characters: an end of the text, an end of a word, or neither. */
export type Edge = 'start' | 'end' | 'word' | 'inside';
/** A regular expression as its parts. `first` marks the first group, the only one that is noted. */
export type Part =
  | { kind: 'character'; fits: Fits }
  | { kind: 'edge'; edge: Edge }
  | { kind: 'sequence' | 'either'; parts: Part[] }
  | { kind: 'group'; part: Part; first: boolean }
  | { kind: 'repeat'; part: Part; least: number; most: number; lazy: boolean };
/** Characters that both cases of a letter share. */
const folded = (code: number): number => {
  const upper = String.fromCharCode(code).toUpperCase();
  const other = upper.length === 1 ? upper.charCodeAt(0) : code;
  return code >= 128 && other < 128 ? code : other;
};
const isDigit: Fits = (code) => code >= 48 && code <= 57;
export const isWord: Fits = (code) =>
  isDigit(code) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95;
const isSpace: Fits = (code) => /\s/.test(String.fromCharCode(code));
const isBreak: Fits = (code) => code === 10 || code === 13 || code === 0x2028 || code === 0x2029;
const not =
  (fits: Fits): Fits =>
  (code) =>
    !fits(code);
const CLASSES: Readonly<Record<string, Fits>> = {
  d: isDigit,
  D: not(isDigit),
  w: isWord,
  W: not(isWord),
  s: isSpace,
  S: not(isSpace),
};
const CONTROLS: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, 0: 0 };

/** Thrown for a text that is no expression, or one that cannot take linear time. */
export class Unreadable extends Error {}

/** Reader of an expression. Looking around and references to groups are not read, because they are not linear. */
export class PatternReader {
  readonly #source: string;
  #at = 0;
  #groups = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Reads the whole expression. Throws Unreadable. */
  read(): Part {
    const part = this.#either();
    if (this.#at < this.#source.length) throw new Unreadable();
    return part;
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source) ?? undefined;
    if (found) this.#at = pattern.lastIndex;
    return found;
  }

  #either(): Part {
    const parts = [this.#sequence()];
    while (this.#take('|')) parts.push(this.#sequence());
    return parts.length === 1 ? parts[0]! : { kind: 'either', parts };
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.#source.length && !/[|)]/.test(this.#source[this.#at]!)) parts.push(this.#repeated());
    return { kind: 'sequence', parts };
  }

  #repeated(): Part {
    const part = this.#single();
    const [sign, least, comma, most] = this.#match(/[*+?]|\{(\d{1,3})(,)?(\d{1,3})?\}/y) ?? [];
    if (sign === undefined) return part;
    if (part.kind === 'edge') throw new Unreadable();
    const lazy = this.#take('?');
    if (/^[*+?{]/.test(this.#source.slice(this.#at))) throw new Unreadable();
    const end = comma === undefined ? Number(least) : most === undefined ? Number.POSITIVE_INFINITY : Number(most);
    const [from, to] =
      sign === '*'
        ? [0, Number.POSITIVE_INFINITY]
        : sign === '+'
          ? [1, Number.POSITIVE_INFINITY]
          : sign === '?'
            ? [0, 1]
            : [Number(least), end];
    if (from > to) throw new Unreadable();
    return { kind: 'repeat', part, least: from, most: to, lazy };
  }

  #single(): Part {
    if (this.#take('^')) return { kind: 'edge', edge: 'start' };
    if (this.#take('$')) return { kind: 'edge', edge: 'end' };
    if (this.#take('\\b')) return { kind: 'edge', edge: 'word' };
    if (this.#take('\\B')) return { kind: 'edge', edge: 'inside' };
    if (this.#take('.')) return { kind: 'character', fits: not(isBreak) };
    if (this.#take('(')) return this.#group();
    if (this.#take('[')) return { kind: 'character', fits: this.#class() };
    if (/[*+?{}\]]/.test(this.#source[this.#at]!)) throw new Unreadable();
    return { kind: 'character', fits: this.#range(this.#character(), undefined) };
  }

  #group(): Part {
    const captures = !this.#take('?:');
    if (captures && this.#source[this.#at] === '?') throw new Unreadable();
    if (captures) this.#groups++;
    const first = captures && this.#groups === 1;
    const part = this.#either();
    if (!this.#take(')')) throw new Unreadable();
    return { kind: 'group', part, first };
  }

  /** Reads one character, or a class such as `\d`. */
  #character(): number | Fits {
    if (!this.#take('\\')) return this.#source.charCodeAt(this.#at++);
    const [, hex] = this.#match(/x([0-9a-f]{2})|u([0-9a-f]{4})/iy)?.filter((each) => each !== undefined) ?? [];
    if (hex !== undefined) return Number.parseInt(hex, 16);
    const name = this.#source[this.#at++];
    if (name === undefined) throw new Unreadable();
    const known = CLASSES[name] ?? CONTROLS[name];
    if (known !== undefined) return known;
    if (/[A-Za-z0-9]/.test(name)) throw new Unreadable();
    return name.charCodeAt(0);
  }

  #range(from: number | Fits, to: number | undefined): Fits {
    if (typeof from === 'function') return from;
    if (to === undefined || to === from) {
      const wanted = folded(from);
      return (code) => folded(code) === wanted;
    }
    if (to < from) throw new Unreadable();
    const within: Fits = (code) => code >= from && code <= to;
    return (code) => {
      if (within(code)) return true;
      const text = String.fromCharCode(code);
      const others = [text.toUpperCase(), text.toLowerCase()];
      return others.some((other) => other.length === 1 && within(other.charCodeAt(0)));
    };
  }

  #class(): Fits {
    const negated = this.#take('^');
    const some: Fits[] = [];
    while (!this.#take(']')) {
      if (this.#at >= this.#source.length) throw new Unreadable();
      const from = this.#character();
      const isRange = this.#source[this.#at] === '-' && (this.#source[this.#at + 1] ?? ']') !== ']';
      if (isRange) this.#at++;
      const to = isRange ? this.#character() : undefined;
      if (isRange && (typeof from === 'function' || typeof to === 'function')) throw new Unreadable();
      some.push(this.#range(from, to as number | undefined));
    }
    const fits: Fits = (code) => some.some((each) => each(code));
    return negated ? not(fits) : fits;
  }
}

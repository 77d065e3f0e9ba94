import { compileText, FIELD_KEY } from '../kernel/merge-fields.ts';

/** Place of a template that a value fills. */
export interface Blank {
  /** Placeholder as it is written, such as `{1}`. */
  written: string;
  /** `field` takes each recipient's own value or that of their contact; the others are filled before a text is sent. */
  kind: 'field' | 'text' | 'digits';
  /** Lengths of the value, in UTF-16 units. */
  min: number;
  max: number;
}

const FIELD_LENGTH = 100;
const NUMBERED_LENGTH = 60;
/** Maximum lengths that `{text:N}` and `{digits:N}` may ask for. */
export const LONGEST_BLANK = { text: 300, digits: 20 } as const;

const PLACEHOLDER = /\{(?:(?!(?:text|digits)\})([a-z][a-z0-9_]{0,39})|([1-9])|(text|digits):(\d{1,3}))\}/g;
/** Placeholder with a length that is none, such as `{text:many}`. */
const ALMOST = /\{(?:text|digits)(?::[^}]*)?\}/;
/** Characters that no value has. Braces show a placeholder that nobody filled. */
const NO_VALUE = /[\p{Cc}\u2028\u2029{}]/u;

/** Cuts a template at its placeholders: literals have even positions, and are empty between two placeholders. */
export function cutTemplate(template: string): (string | Blank)[] {
  const pieces: (string | Blank)[] = [];
  let last = 0;
  for (const match of template.matchAll(PLACEHOLDER)) {
    const [written, field, , kind, length] = match;
    const max = kind ? Number(length) : field ? FIELD_LENGTH : NUMBERED_LENGTH;
    if (kind && (max < 1 || max > LONGEST_BLANK[kind as 'text' | 'digits'])) continue;
    const blank: Blank = {
      written,
      kind: field ? 'field' : ((kind ?? 'text') as 'text' | 'digits'),
      // A recipient without a value leaves a field empty.
      min: field ? 0 : 1,
      max,
    };
    pieces.push(template.slice(last, match.index), blank);
    last = match.index + written.length;
  }
  pieces.push(template.slice(last));
  return pieces;
}

/** Returns the keys of contact fields that a template uses. Whether its corporation has them, only the server knows. */
export const contactKeysOf = (template: string): readonly string[] => compileText(template).unknown;

/** Tells if every placeholder of a template is one that the program knows, or can be the key of a contact field. */
export const hasKnownPlaceholders = (template: string): boolean =>
  contactKeysOf(template).every((key) => FIELD_KEY.test(key)) &&
  cutTemplate(template).every((piece) => typeof piece !== 'string' || !ALMOST.test(piece));

/** Returns the placeholders that are filled before a text is sent, each once. Fields of recipients are not among them. */
export const blanksOf = (template: string): Blank[] => {
  const blanks = cutTemplate(template).filter((piece) => typeof piece !== 'string' && piece.kind !== 'field');
  return [...new Map((blanks as Blank[]).map((blank) => [blank.written, blank])).values()];
};

/** Tells if a value fits a placeholder. */
export const fitsBlank = ({ kind, min, max }: Blank, value: string): boolean =>
  value.length >= min && value.length <= max && (kind === 'digits' ? /^\d*$/.test(value) : !NO_VALUE.test(value));

/** Fills the placeholders of a template with values by how they are written; those without a value stay. */
export const fillTemplate = (template: string, values: Readonly<Record<string, string>>): string =>
  cutTemplate(template)
    .map((piece) => (typeof piece === 'string' ? piece : (values[piece.written] ?? piece.written)))
    .join('');

/** Returns a text with one form of line break: programs and browsers send different ones. */
const plainLines = (text: string) => text.replaceAll('\r\n', '\n');

/**
 * Compiled template. Its time is linear in the length of the text for each piece of the template: there is no
 * backtracking.
 */
export class TemplateMatcher {
  readonly #pieces: readonly (string | Blank)[];
  /** Borders of each literal after the first, for the search of it. */
  readonly #borders: readonly Uint16Array[];

  constructor(template: string) {
    this.#pieces = cutTemplate(plainLines(template));
    this.#borders = this.#pieces.map((piece) => bordersOf(typeof piece === 'string' ? piece : ''));
  }

  /** Tells if a text is the template with its placeholders filled, or with `isBeginning` begins so. */
  matches(text: string, isBeginning = false): boolean {
    const plain = plainLines(text);
    const first = this.#pieces[0] as string;
    if (!plain.startsWith(first) || (!isBeginning && !plain.endsWith(this.#pieces.at(-1) as string))) return false;
    let ends: Uint8Array | null = new Uint8Array(plain.length + 1);
    ends[first.length] = 1;
    for (let i = 1; ends && i < this.#pieces.length; i += 2) {
      ends = afterBlank(ends, this.#pieces[i] as Blank, plain);
      const literal = this.#pieces[i + 1] as string;
      if (literal !== '') ends = afterLiteral(ends, literal, this.#borders[i + 1]!, plain);
    }
    return ends !== null && (isBeginning || ends[plain.length] === 1);
  }
}

/** Returns, for each beginning of a text, the length of its longest end that is a beginning too. */
function bordersOf(text: string): Uint16Array {
  const borders = new Uint16Array(text.length);
  let length = 0;
  for (let at = 1; at < text.length; at++) {
    while (length > 0 && text[at] !== text[length]) length = borders[length - 1]!;
    if (text[at] === text[length]) length++;
    borders[at] = length;
  }
  return borders;
}

/** Returns the places where a value can end that begins at one of `begins`. */
function afterBlank(begins: Uint8Array, { kind, min, max }: Blank, text: string): Uint8Array {
  const ends = new Uint8Array(begins.length);
  let begin = -1;
  /** Place behind the last character that no value has. */
  let clear = 0;
  for (let at = 0; at <= text.length; at++) {
    if (at > 0 && !isOfValue(kind, text.charAt(at - 1))) clear = at;
    // The latest beginning is the best one: its value is the shortest that is long enough.
    if (at >= min && begins[at - min] === 1) begin = at - min;
    if (begin >= clear && at - begin <= max) ends[at] = 1;
  }
  return ends;
}

const isOfValue = (kind: Blank['kind'], character: string): boolean =>
  kind === 'digits' ? character >= '0' && character <= '9' : !NO_VALUE.test(character);

/** Returns the places behind a literal that begins at one of `begins`; null if there is none. */
function afterLiteral(begins: Uint8Array, literal: string, borders: Uint16Array, text: string): Uint8Array | null {
  const ends = new Uint8Array(begins.length);
  let found = false;
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    while (length > 0 && (length === literal.length || text[at] !== literal[length])) length = borders[length - 1]!;
    if (text[at] === literal[length]) length++;
    if (length < literal.length || begins[at + 1 - length] !== 1) continue;
    ends[at + 1] = 1;
    found = true;
  }
  return found ? ends : null;
}

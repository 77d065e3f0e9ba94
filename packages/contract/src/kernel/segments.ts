/**
 * Splits a text into SMS parts, by 3GPP TS 23.038. The browser's count, the quote's price and the sender use this one
 * rule. A split is never inside an escape pair or a surrogate pair. The rule ignores grapheme clusters on purpose:
 * their tables differ between browsers and servers, so the shown parts would differ from the charged ones.
 */

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENSION = '\f^{}\\[~]|€';

/** Septets of a UTF-16 unit in GSM 03.38: 1, 2 with an escape, 0 if it is not in the alphabet. */
const SEPTETS = new Uint8Array(65_536);
for (const character of BASIC) SEPTETS[character.charCodeAt(0)] = 1;
SEPTETS[0x1b] = 0; // The escape itself is not a character that can be sent.
for (const character of EXTENSION) SEPTETS[character.charCodeAt(0)] = 2;

export const MAX_PARTS = 10;
export type Encoding = 'gsm' | 'ucs2';

/**
 * Maximum units (septets or UTF-16 units) of a single part and of each of several, by encoding; 8-bit reference UDH.
 */
export const PART_UNITS = { gsm: { one: 160, many: 153 }, ucs2: { one: 70, many: 67 } } as const;

export interface Segmentation {
  encoding: Encoding;
  /** Septets for gsm, UTF-16 units for ucs2. */
  units: number;
  parts: string[];
  /** Units left in the last part. */
  remaining: number;
}

/** Returns the encoding of a text: `gsm` if every character is in the alphabet or its extension, else `ucs2`. */
export function encodingOf(text: string): Encoding {
  for (let i = 0; i < text.length; i++) if (SEPTETS[text.charCodeAt(i)] === 0) return 'ucs2';
  return 'gsm';
}

/**
 * Splits a text into parts; an empty text is one empty part. Each of several leaves `free` units for a longer header.
 */
export function segment(text: string, free = 0): Segmentation {
  const encoding = encodingOf(text);
  const { one, many: most } = PART_UNITS[encoding];
  const limits = { one, many: most - free };
  const units = encoding === 'gsm' ? septets(text) : text.length;
  if (units <= limits.one) return { encoding, units, parts: [text], remaining: limits.one - units };
  const parts: string[] = [];
  let used = 0;
  let start = 0;
  for (let i = 0; i < text.length; ) {
    const wide = encoding === 'ucs2' && isPair(text, i);
    const cost = encoding === 'gsm' ? SEPTETS[text.charCodeAt(i)]! : wide ? 2 : 1;
    if (used + cost > limits.many) {
      parts.push(text.slice(start, i));
      start = i;
      used = 0;
    }
    used += cost;
    i += wide ? 2 : 1;
  }
  parts.push(text.slice(start));
  return { encoding, units, parts, remaining: limits.many - used };
}

/** Returns the number of parts of a text and its encoding, without building the parts. */
export function countParts(text: string): { parts: number; encoding: Encoding } {
  const { length } = text;
  let units = 0;
  let at = 0;
  for (; at < length; at++) {
    const cost = SEPTETS[text.charCodeAt(at)]!;
    if (cost === 0) break;
    units += cost;
  }
  const encoding = at < length ? 'ucs2' : 'gsm';
  if (encoding === 'ucs2') units = length;
  const limits = PART_UNITS[encoding];
  if (units <= limits.one) return { parts: 1, encoding };
  let parts = 1;
  let used = 0;
  for (let i = 0; i < length; ) {
    const wide = encoding === 'ucs2' && isPair(text, i);
    const cost = encoding === 'gsm' ? SEPTETS[text.charCodeAt(i)]! : wide ? 2 : 1;
    if (used + cost > limits.many) {
      parts++;
      used = 0;
    }
    used += cost;
    i += wide ? 2 : 1;
  }
  return { parts, encoding };
}

function septets(text: string): number {
  let sum = 0;
  for (let i = 0; i < text.length; i++) sum += SEPTETS[text.charCodeAt(i)]!;
  return sum;
}

function isPair(text: string, i: number): boolean {
  const unit = text.charCodeAt(i);
  if (unit < 0xd800 || unit > 0xdbff) return false;
  const next = text.charCodeAt(i + 1);
  return next >= 0xdc00 && next <= 0xdfff;
}

/** Characters that force Unicode, with their usual plain replacement; all others have no harmless replacement. */
const REPLACEMENTS: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '‛': "'",
  '`': "'",
  '´': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '–': '-',
  '—': '-',
  '‐': '-',
  '‑': '-',
  '−': '-',
  '…': '...',
  '•': '*',
  '·': '.',
  '\u00a0': ' ',
  '\u2009': ' ',
  '\u202f': ' ',
  '\u200b': '',
  '\u200d': '',
  '\ufeff': '',
  '\t': ' ',
  ç: 'c',
  á: 'a',
  â: 'a',
  ã: 'a',
  í: 'i',
  î: 'i',
  ï: 'i',
  ó: 'o',
  ô: 'o',
  õ: 'o',
  ú: 'u',
  û: 'u',
  ê: 'e',
  ë: 'e',
  Á: 'A',
  À: 'A',
  Â: 'A',
  Ã: 'A',
  È: 'E',
  Ê: 'E',
  Ë: 'E',
  Í: 'I',
  Ì: 'I',
  Î: 'I',
  Ï: 'I',
  Ó: 'O',
  Ò: 'O',
  Ô: 'O',
  Õ: 'O',
  Ú: 'U',
  Ù: 'U',
  Û: 'U',
  ý: 'y',
  ÿ: 'y',
  Ý: 'Y',
  '₱': 'PHP',
};

export interface UnicodeCharacter {
  /** UTF-16 offset in the text. */
  index: number;
  character: string;
  /** Harmless replacement in GSM 03.38; undefined if there is none. */
  replacement: string | undefined;
}

/** Returns the characters of a text that are outside GSM 03.38, in order, at most `limit` of them. */
export function unicodeCharacters(text: string, limit = 100): UnicodeCharacter[] {
  const found: UnicodeCharacter[] = [];
  for (let i = 0; i < text.length && found.length < limit; ) {
    const character = isPair(text, i) ? text.slice(i, i + 2) : text[i]!;
    if (SEPTETS[text.charCodeAt(i)] === 0) found.push({ index: i, character, replacement: REPLACEMENTS[character] });
    i += character.length;
  }
  return found;
}

/** Replaces every character outside GSM 03.38 that has a harmless replacement. */
export function toGsm(text: string): string {
  let out = '';
  for (const character of text)
    out += SEPTETS[character.charCodeAt(0)] === 0 ? (REPLACEMENTS[character] ?? character) : character;
  return out;
}

/**
 * Returns the plain form of a text, with every character outside GSM 03.38 replaced, and the set of replaced
 * characters. If a character has no harmless replacement, returns only the first such character as `stuck`.
 */
export function plainForm(text: string): { plain: string; replaced: ReadonlySet<string> } | { stuck: string } {
  const replaced = new Set<string>();
  let plain = '';
  let last = 0;
  for (let i = 0; i < text.length; i++) {
    if (SEPTETS[text.charCodeAt(i)] !== 0) continue;
    const character = text[i]!;
    const replacement = REPLACEMENTS[character];
    if (replacement === undefined) return { stuck: isPair(text, i) ? text.slice(i, i + 2) : character };
    replaced.add(character);
    plain += text.slice(last, i) + replacement;
    last = i + 1;
  }
  return { plain: plain + text.slice(last), replaced };
}

/** Returns the harmless replacement of a character in GSM 03.38; undefined if there is none. */
export const replacementOf = (character: string): string | undefined => REPLACEMENTS[character];

// Table of the letters that readers see in characters: look-alikes of other scripts, letters in boxes, digits and signs
// that stand for letters. (UTS 39 calls the look-alikes confusables.) Accents and widths follow Unicode's compatibility
// decomposition (NFKD).

/** Kind of a character for a reader of Latin letters. */
export const KIND = {
  /** Separates words, or stands between letters. */
  gap: 0,
  /** Invisible; it separates nothing. */
  invisible: 1,
  latin: 2,
  /** Letter of another script that looks like a Latin one. */
  lookalike: 3,
  digit: 4,
  /** Sign that may stand for a letter, or be only a sign. */
  sign: 5,
  /** Letter that looks like no Latin one. */
  other: 6,
  /** Several letters in one character, or half of a pair. The text must be decomposed first. */
  compound: 7,
} as const;

/** Letter that stands for i as well as for l. */
export const I_OR_L = 27;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

const LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'аɑαΑАᎪᗅꓮᴀƛΛⱯⱥӑ',
  b: 'ЬьвВβΒᏴᗷꓐʙƄƀɓб',
  c: 'сСϲϹᴄᏟᑕꓚↄ',
  d: 'ԁɗđĐᎠᗞꓓᴅժ',
  e: 'еЕєЄεΕҽɛᎬꓰᴇэЭ',
  f: 'ƒꓝϝҒғᖴϜ',
  g: 'ɡցᏀꓖɢԌԍ',
  h: 'һҺհнНΗᎻꓧʜħĦ',
  i: 'іІıιΙɩᎥꓲɪӀ',
  j: 'јЈϳʝꓙᴊյ',
  k: 'кКκΚқҚҝᏦꓗᴋ',
  l: 'ӏłŁʟᏞꓡւ',
  m: 'мМΜᎷꓟᴍ',
  n: 'пПոηղΝꓠɴŋиИռ',
  o: 'оОοΟσօՕøØɵөӨᴏꓳ०๐',
  p: 'рРρΡꓑᴘᏢƿ',
  q: 'ԛԚգզɋ',
  r: 'гГᴦɾʀᎡꓣяЯ',
  s: 'ѕЅꓢᏚƽʂ',
  t: 'тТτΤꓔᎢᴛŧŦ',
  u: 'υսμꓴᴜʊ',
  v: 'ѵѴνᴠꓦᏙ',
  w: 'ԝԜωшШщЩᏔꓪᴡѡ',
  x: 'хХχΧꓫҳ',
  y: 'уУγΥүҮꓬʏყ',
  z: 'ᴢꓜᏃʐƶΖ',
};
const DIGITS = ['o', '1', 'z', 'e', 'a', 's', 'g', 't', 'b', 'g'] as const;
const SIGNS: Readonly<Record<string, string>> = {
  '@': 'a',
  $: 's',
  '!': '1',
  '|': '1',
  '+': 't',
  '€': 'e',
  '£': '1',
  '¢': 'c',
  '¥': 'y',
  '₱': 'p',
  '§': 's',
  '†': 't',
  '×': 'x',
  '(': 'c',
};

/** Marks over and under letters that change no word: Latin, Greek, Cyrillic, and the points of Hebrew and Arabic. */
const MARKS =
  /[\u0300-\u036f]|[\u0483-\u0489]|[\u0591-\u05c7]|[\u0610-\u061a]|\u0640|[\u064b-\u065f]|\u0670|[\u1ab0-\u1aff]|[\u1dc0-\u1dff]|[\u20d0-\u20ff]|[\ufe20-\ufe2f]/gu;
const UNSEEN = /[\p{Cf}\p{Variation_Selector}\u3164\uffa0]|\u034f|\u115f|\u1160|\u17b4|\u17b5/gu;
const LETTER = /^[\p{L}\p{M}\p{N}]/u;
const UPPER = /^\p{Lu}/u;

const indexOf = (letter: string) => (letter === '1' ? I_OR_L : LETTERS.indexOf(letter) + 1);

/** An entry holds the kind, if it is a capital, and the letter from 1 (27 stands for i or l; 0 for none). */
export const kindOf = (entry: number): number => entry >> 8;
export const isCapital = (entry: number): boolean => (entry & 128) !== 0;
export const letterOf = (entry: number): number => entry & 31;
/** Treats the letters l and i as one, because they look alike. */
export const coarse = (letter: number): number => (letter === I_OR_L || letter === 12 ? 9 : letter);

let table: Uint16Array | undefined;

/** Returns the entries of all UTF-16 units. They are made at the first call. */
export function letterTable(): Uint16Array {
  table ??= makeTable();
  return table;
}

function makeTable(): Uint16Array {
  const entries = new Uint16Array(0x10000);
  const known = new Map<string, number>();
  const learn = (character: string, letter: string) =>
    known.set(character, (KIND.lookalike << 8) | (UPPER.test(character) ? 128 : 0) | indexOf(letter));
  for (const [letter, others] of Object.entries(LOOKALIKES)) for (const other of others) learn(other, letter);
  // Characters that are not listed in the other case look like the same letter there.
  for (const [letter, others] of Object.entries(LOOKALIKES))
    for (const other of others.toLowerCase() + others.toUpperCase()) if (!known.has(other)) learn(other, letter);
  for (const [index, letter] of [...LETTERS].entries()) {
    known.set(letter, (KIND.latin << 8) | (index + 1));
    known.set(letter.toUpperCase(), (KIND.latin << 8) | 128 | (index + 1));
  }
  for (const [digit, letter] of DIGITS.entries()) known.set(String(digit), (KIND.digit << 8) | indexOf(letter));
  for (const [sign, letter] of Object.entries(SIGNS)) known.set(sign, (KIND.sign << 8) | indexOf(letter));
  for (let unit = 0; unit < 0x10000; unit++) entries[unit] = entryOf(String.fromCharCode(unit), known);
  return entries;
}

function entryOf(character: string, known: ReadonlyMap<string, number>): number {
  if (character >= '\ud800' && character <= '\udfff') return (isEmoji(character) ? KIND.gap : KIND.compound) << 8;
  const found = known.get(character);
  if (found !== undefined) return found;
  const base = decompose(character);
  if (base === '') return KIND.invisible << 8;
  const first = known.get(base);
  if (first !== undefined) return first;
  if (base.length > 1 && /[A-Za-z0-9]/.test(base)) return KIND.compound << 8;
  return (LETTER.test(base) ? KIND.other : KIND.gap) << 8;
}

/** Tells if a half of a pair never makes a letter: most emoji, and the units that follow a first half. */
const isEmoji = (unit: string) => unit === '\ud83d' || unit === '\ud83e' || unit >= '\udc00';

/** Letters in circles, boxes and flags that have no decomposition. Each stands for the letter in it. */
const BOXED = /[\u{1f130}-\u{1f149}\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu;
const BOXES = [0x1f1e6, 0x1f170, 0x1f150, 0x1f130];

/** Pairs that remain, and halves of pairs. */
const PAIRS = /[\u{10000}-\u{10ffff}\ud800-\udfff]/gu;
const OTHER_LETTER = '一';

function unboxed(character: string): string {
  const point = character.codePointAt(0)!;
  const from = BOXES.find((box) => point >= box)!;
  return LETTERS[point - from]!;
}

/** Returns a text without characters that a reader does not see or notice. Each of its units has its own entry. */
export function decompose(text: string): string {
  return text
    .replace(BOXED, unboxed)
    .normalize('NFKD')
    .replace(PAIRS, (pair) => (LETTER.test(pair) ? OTHER_LETTER : '·'))
    .replace(MARKS, '')
    .replace(UNSEEN, '');
}

import type { TextEncoding } from '@heliograph/contract/kernel/file-reading';
import { FREQUENT } from './frequent-characters.ts';

/** Function that answers how likely a character is in a language, as a logarithm. */
type Likelihood = (character: string, before: string, after: string) => number;

const IMPOSSIBLE = Math.log(1e-7);
const FOREIGN = /\P{ASCII}/u;
const LETTER = /\p{L}/u;
const LATIN = /[A-Za-z]/;
const [HAN, HANGUL, KANA] = [/\p{Script=Han}/u, /[\uac00-\ud7a3]/, /[\u3041-\u30fa\u30fc]/];
/** Punctuation of full width, which comes with Chinese, Japanese and Korean. */
const WIDE = /[\u3000-\u303f\u30fb\uff01-\uff5e\uffe5]/;
const HALF_KANA = /[\uff61-\uff9f]/;

const chances = (
  rules: readonly (readonly [RegExp | ReadonlySet<string>, share: number, among: number])[],
): Likelihood => {
  const table = rules.map(([of, share, among]) => [of, Math.log(share / among)] as const);
  return (character, before, after) => {
    const found = table.find(([of]) => (of instanceof RegExp ? of.test(character) : of.has(character)));
    // A single character within a Latin word is more likely a sign of that word.
    const lone = LATIN.test(before) && !FOREIGN.test(after);
    return (found?.[1] ?? IMPOSSIBLE) + (lone ? Math.log(0.01) : 0);
  };
};

const han = (language: keyof typeof FREQUENT, others: number): Likelihood => {
  const frequent = new Set(FREQUENT[language]);
  return chances([
    [frequent, 0.88, frequent.size],
    [HAN, 0.06, others],
    [WIDE, 0.05, 60],
  ]);
};

const kanji = new Set(FREQUENT.japanese);
const syllables = new Set(FREQUENT.korean);

const RUSSIAN = [/[оеаинтсрвлкмдпуяыьгзбчйхж]/i, /[эёщфцюшъ]/i] as const;
/** Letters of a word have one case, except the first; none is next to a Latin one. */
const cyrillic: Likelihood = (character, before, after) => {
  if (!LETTER.test(character)) return Math.log(0.02 / 60);
  const common = RUSSIAN[0].test(character)
    ? Math.log(0.9 / 25)
    : Math.log(RUSSIAN[1].test(character) ? 0.06 / 8 : 0.04 / 20);
  const odd = LATIN.test(before) || LATIN.test(after) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(character));
  return odd ? common + Math.log(0.001) : common;
};

const ACCENTED = new Set('éèêëáàâäãåçñóòôöõúùûüíìîïßæøýÿÉÈÁÀÂÄÅÇÑÓÖÕÚÜÍØÆŠšŽžœŒ');
const SIGNS = new Set('’‘“”–—…€£©®°«»¿¡·');
/** Letters with accents are next to those without; signs are next to blanks and digits. */
const latin: Likelihood = (character, before, after) => {
  const letter = LETTER.test(character);
  const common = ACCENTED.has(character)
    ? Math.log(0.7 / 30)
    : SIGNS.has(character)
      ? Math.log(0.2 / 20)
      : Math.log(0.1 / 60);
  const beside = LATIN.test(before) || LATIN.test(after);
  const run = FOREIGN.test(before) || FOREIGN.test(after);
  const shouted = /\p{Lu}/u.test(character) && /\p{Ll}/u.test(before);
  return common + (letter && !beside ? Math.log(0.1) : 0) + (run ? Math.log(0.3) : 0) + (shouted ? Math.log(0.01) : 0);
};

const LANGUAGES: readonly (readonly [TextEncoding, Likelihood])[] = [
  ['windows-1252', latin],
  ['windows-1251', cyrillic],
  ['gbk', han('simplified', 6_000)],
  ['big5', han('traditional', 11_000)],
  [
    'shift_jis',
    chances([
      [KANA, 0.4, 120],
      [kanji, 0.45, kanji.size],
      [HAN, 0.05, 6_000],
      [WIDE, 0.04, 60],
      [HALF_KANA, 0.03, 60],
    ]),
  ],
  [
    'euc-kr',
    chances([
      [syllables, 0.85, syllables.size],
      [HANGUL, 0.1, 2_000],
      [WIDE, 0.04, 60],
      [HAN, 0.01, 4_800],
    ]),
  ],
];

/** Chance of an ASCII character, which other encodings may read as half of one of their characters. */
const PLAIN = Math.log(1 / 40);

/**
 * Answers the likeliest encoding of text that is not Unicode: the bytes are read in each encoding, and the results are
 * compared.
 */
export function likeliestEncoding(sample: Uint8Array): TextEncoding {
  let best: TextEncoding = 'windows-1252';
  let most = Number.NEGATIVE_INFINITY;
  for (const [encoding, likelihood] of LANGUAGES) {
    const chance = chanceOf(sample, encoding, likelihood);
    if (chance > most) [best, most] = [encoding, chance];
  }
  return best;
}

function chanceOf(sample: Uint8Array, encoding: TextEncoding, likelihood: Likelihood): number {
  const characters = [...new TextDecoder(encoding).decode(sample)];
  let chance = 0;
  for (const [at, character] of characters.entries())
    chance += FOREIGN.test(character)
      ? likelihood(character, characters[at - 1] ?? '', characters[at + 1] ?? '')
      : PLAIN;
  return chance;
}

import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { type BlockedPhrase, isPhraseAt, phraseOf } from './blocked-phrase.ts';
import { coarse, decompose, KIND, kindOf, letterOf, letterTable } from './letter-table.ts';
import { PhraseAutomaton, readingOf } from './phrase-automaton.ts';

/** Tells if a text, as a person will read it, contains something that may not be sent. */
export type BlockedWords = (text: string) => boolean;

/** Last words that were prepared. Replies need them many times a second, and they seldom change. */
let ready: { of: string; words: BlockedWords } | undefined;

/** Returns the operator's blocked words and phrases, prepared once for many texts. */
export async function readBlockedWords(db: Kysely<Database>): Promise<BlockedWords> {
  const texts = (await db.selectFrom('blacklist_text').select('text').orderBy('id').execute()).map(({ text }) => text);
  const of = JSON.stringify(texts);
  if (ready?.of !== of) ready = { of, words: blockedWords(texts) };
  return ready.words;
}

/**
 * Finds words and phrases as whole words, in any case, width or alphabet that looks the same. It also finds accents,
 * invisible characters, and digits and signs used as letters. Letters may be repeated, separated or masked by stars.
 */
export function blockedWords(words: readonly string[]): BlockedWords {
  const phrases: BlockedPhrase[] = [];
  const foreign: string[] = [];
  for (const word of new Set(words.map((each) => decompose(each).toLowerCase().trim()))) {
    if (word === '') continue;
    const phrase = phraseOf(word);
    if (phrase) phrases.push(phrase);
    else foreign.push(word);
  }
  const inLatin = latinWords(phrases);
  const inOthers = foreignWords(foreign);
  const masked = maskedWords(phrases);
  if (phrases.length === 0 && foreign.length === 0) return () => false;
  return (text) => inLatin(text) || masked(text) || inOthers(text);
}

function latinWords(phrases: readonly BlockedPhrase[]): BlockedWords {
  if (phrases.length === 0) return () => false;
  const automaton = new PhraseAutomaton(phrases.map(({ letters }) => readingOf(letters)));
  const found = (text: string) =>
    automaton.scan(text, (phrase, start, _end, signs) => isPhraseAt(text, start, phrases[phrase]!, signs));
  return (text) => found(text) ?? found(decompose(text)) ?? false;
}

const MASKED = /[\p{L}\p{N}][\p{L}\p{N}*]*\*[\p{L}\p{N}*]*[\p{L}\p{N}]/gu;

/** Finds words with stars in place of inner letters, such as `c*s*no`: at most half of the letters. */
function maskedWords(phrases: readonly BlockedPhrase[]): BlockedWords {
  const single = phrases.filter(({ begins, letters }) => letters.length >= 3 && !begins.slice(1).includes(true));
  const byLength = Map.groupBy(single, ({ letters }) => letters.length);
  return (text) => {
    if (!text.includes('*') || single.length === 0) return false;
    const table = letterTable();
    for (const [word] of decompose(text).matchAll(MASKED)) {
      const stars = word.split('*').length - 1;
      if (stars * 2 > word.length) continue;
      const isSame = ({ letters }: BlockedPhrase) =>
        letters.every(
          (letter, at) => word[at] === '*' || coarse(letterOf(table[word.charCodeAt(at)]!)) === coarse(letter),
        );
      if (byLength.get(word.length)?.some(isSame)) return true;
    }
    return false;
  };
}

/** Scripts without gaps between words. A word may stand anywhere in them. */
const CONTINUOUS =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const SPECIAL = /[.*+?^${}()|[\]\\/-]/g;
const ASCII = /^[\0-\x7f]*$/;
const SIGNIFICANT = /[\p{L}\p{M}\p{N}]/u;

/**
 * Finds words of other scripts and of signs only. One regular expression over skeletons is enough, because they are
 * rare beside Latin ones.
 */
function foreignWords(words: readonly string[]): BlockedWords {
  if (words.length === 0) return () => false;
  const pattern = new RegExp(words.map(patternOf).join('|'), 'u');
  const ofSigns = words.some((word) => ASCII.test(word));
  return (text) => (ofSigns || !ASCII.test(text)) && pattern.test(skeleton(decompose(text)));
}

/** Returns a text in small letters. Letters that look like a Latin one become that letter. */
function skeleton(text: string): string {
  const table = letterTable();
  let made = '';
  for (const character of text.normalize('NFC').toLowerCase()) {
    const entry = table[character.charCodeAt(0)]!;
    made += kindOf(entry) === KIND.lookalike ? String.fromCharCode(96 + coarse(letterOf(entry))) : character;
  }
  return made;
}

function patternOf(word: string): string {
  const characters = [...skeleton(word)];
  const literal = (each: string) => each.replace(SPECIAL, '\\$&');
  if (!characters.some((each) => SIGNIFICANT.test(each))) return literal(word);
  const letters = characters.filter((each) => SIGNIFICANT.test(each)).map(literal);
  if (CONTINUOUS.test(word)) return letters.map((each) => `${each}+`).join('[^\\p{L}\\p{N}]*');
  const parts = word.split(/[^\p{L}\p{M}\p{N}]+/u).filter(Boolean);
  const tight = parts
    .map((part) => [...skeleton(part)].map(literal).join('[^\\p{L}\\p{N}\\s]*'))
    .join('[^\\p{L}\\p{N}]*');
  const spaced = letters.join('[^\\p{L}\\p{N}]+');
  return `(?<![\\p{L}\\p{N}])(?:${tight}|${spaced})(?![\\p{L}\\p{N}])`;
}

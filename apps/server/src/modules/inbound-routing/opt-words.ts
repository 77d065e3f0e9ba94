import { nameKey } from '@heliograph/contract/kernel/name-key';
import type { Locale } from '@heliograph/contract/kernel/scope';

/** Wish in a text to stop or to resume messages. */
export interface OptWord {
  kind: 'opt_out' | 'opt_in';
  /** Word that was recognized. */
  word: string;
  /** Language of the word, and so of an answer to it. */
  locale: Locale;
}

/** Folds texts for comparison like names: without regard to case, width and the composition of letters. */
export const fold = nameKey;

const EDGES = /^[\p{P}\p{S}\p{Z}\p{Cf}]+|[\p{P}\p{S}\p{Z}\p{Cf}]+$/gu;
const bare = (text: string): string => fold(text).replace(EDGES, '');

/** Returns the first word of a text, folded, without the signs around it. Returns an empty text if there is none. */
export const firstWord = (text: string): string => bare(text.trimStart().split(/\s/u, 1)[0] ?? '');

/** Returns the text after the first word, folded, without the signs around it. */
export const restOf = (text: string): string => bare(text.trimStart().replace(/^\S+/u, ''));

/** Returns the whole text, folded, with single spaces. */
export const wholeOf = (text: string): string => bare(text).replace(/\s+/gu, ' ');

// A first word is enough if no ordinary sentence begins with it. Other words must be the whole text, except for a
// polite word: "end of the month" is no wish to end.
const FIRST: Readonly<Record<string, Locale>> = {
  stop: 'en',
  stopall: 'en',
  unsubscribe: 'en',
  optout: 'en',
  'opt-out': 'en',
  退订: 'cn',
  退訂: 'zh',
  tigil: 'fp',
  itigil: 'fp',
};
const ALONE: Readonly<Record<string, Locale>> = {
  'opt out': 'en',
  cancel: 'en',
  end: 'en',
  quit: 'en',
  revoke: 'en',
  td: 'cn',
  停止: 'cn',
  取消: 'cn',
  取消订阅: 'cn',
  取消訂閱: 'zh',
  hinto: 'fp',
  ihinto: 'fp',
  'ayaw ko na': 'fp',
};
const BACK: Readonly<Record<string, Locale>> = {
  start: 'en',
  unstop: 'en',
  恢复: 'cn',
  订阅: 'cn',
  恢復: 'zh',
  訂閱: 'zh',
  simula: 'fp',
  magsimula: 'fp',
};
const COURTESY = /(?: (?:all|please|pls|now|sms|text|texts|messages|thanks|thank you|na|po|lahat))+$/u;

const own = (words: Readonly<Record<string, Locale>>, word: string): Locale | undefined =>
  Object.hasOwn(words, word) ? words[word] : undefined;

/**
 * Tells if a text opts out or in. It knows the words that apply everywhere, in all four languages, and the keywords
 * (folded) of senders. Returns null for every other text.
 */
export function optWordOf(text: string, keywords: ReadonlySet<string> = new Set()): OptWord | null {
  const word = firstWord(text);
  const locale = own(FIRST, word);
  if (locale) return { kind: 'opt_out', word, locale };
  if (word !== '' && keywords.has(word)) return { kind: 'opt_out', word, locale: 'en' };
  const whole = wholeOf(text);
  for (const said of [whole, whole.replace(COURTESY, '')]) {
    const out = own(ALONE, said);
    if (out) return { kind: 'opt_out', word: said, locale: out };
    const back = own(BACK, said);
    if (back) return { kind: 'opt_in', word: said, locale: back };
  }
  return null;
}

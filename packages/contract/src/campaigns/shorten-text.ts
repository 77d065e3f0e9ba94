/** Rules by which a text gets shorter, the most harmless first. */
export const SHORTENING_RULES = ['spaces', 'repeated', 'units', 'months', 'contractions', 'phrases', 'and'] as const;
export type ShorteningRule = (typeof SHORTENING_RULES)[number];

/** One change that makes a text shorter: the characters at a place, in UTF-16 units, and what they become. */
export interface Shortening {
  rule: ShorteningRule;
  at: number;
  from: string;
  to: string;
}

/** Placeholders and web addresses, which no rule changes. */
const FIXED = /\{[^{}\n]*\}|\bhttps?:\/\/\S+|\bwww\.\S+|\S+@\S+/gi;

const MONTHS = ['January', 'February', 'March', 'April', 'August', 'September', 'October', 'November', 'December'];
const UNITS: Readonly<Record<string, string>> = {
  percent: '%',
  ' percent': '%',
  ' minutes': ' min',
  ' hours': ' hrs',
  ' kilometers': ' km',
  ' kilograms': ' kg',
};
const CONTRACTIONS: Readonly<Record<string, string>> = {
  'do not': "don't",
  'does not': "doesn't",
  'did not': "didn't",
  'is not': "isn't",
  'are not': "aren't",
  'was not': "wasn't",
  'has not': "hasn't",
  'have not': "haven't",
  'will not': "won't",
  cannot: "can't",
  'can not': "can't",
  'you are': "you're",
  'we are': "we're",
  'it is': "it's",
  'that is': "that's",
  'you have': "you've",
  'we have': "we've",
  'you will': "you'll",
  'we will': "we'll",
};
const PHRASES: Readonly<Record<string, string>> = {
  'in order to': 'to',
  'due to the fact that': 'because',
  'at this moment': 'now',
  'at this time': 'now',
  'as soon as possible': 'ASAP',
  'for more information': 'for more info',
  'please be informed that': 'please note:',
  'on or before': 'by',
  'prior to': 'before',
  approximately: 'about',
  receive: 'get',
  telephone: 'tel.',
};

const anyOf = (words: readonly string[]) => words.toSorted((a, b) => b.length - a.length).join('|');
/** Pattern of each rule, and what it puts in the place of a match; undefined leaves the match as it is. */
const RULES: readonly [ShorteningRule, RegExp, (match: RegExpExecArray, text: string) => string | undefined][] = [
  ['spaces', /^\s+|\s+$/g, () => ''],
  ['spaces', /[ \t]+(?=\n)/g, () => ''],
  ['spaces', /\n{3,}/g, () => '\n\n'],
  ['spaces', /[ \t]{2,}/g, () => ' '],
  ['repeated', /([!?])\1+/g, (match) => match[1]],
  ['units', new RegExp(`(?<=\\d)(?:${anyOf(Object.keys(UNITS))})\\b`, 'gi'), (match) => UNITS[match[0].toLowerCase()]],
  [
    'months',
    new RegExp(`(?<=\\d )(?:${anyOf(MONTHS)})\\b|\\b(?:${anyOf(MONTHS)})(?= \\d)`, 'g'),
    (match) => match[0].slice(0, 3),
  ],
  ['contractions', new RegExp(`\\b(?:${anyOf(Object.keys(CONTRACTIONS))})\\b`, 'gi'), contraction],
  ['phrases', new RegExp(`\\b(?:${anyOf(Object.keys(PHRASES))})\\b`, 'gi'), (match) => alike(match[0], PHRASES)],
  ['and', /(?<=\S )and(?= \S)/g, () => '&'],
];

/** Returns the shorter form with the capital of the written one; undefined for a text all in capitals. */
function alike(written: string, forms: Readonly<Record<string, string>>): string | undefined {
  const form = forms[written.toLowerCase()];
  if (form === undefined || written === written.toUpperCase()) return undefined;
  const first = written.charAt(0);
  return first === first.toUpperCase() ? form.charAt(0).toUpperCase() + form.slice(1) : form;
}

/** Returns a contraction, but not before the end of a sentence, where people write both words. */
function contraction(match: RegExpExecArray, text: string): string | undefined {
  const next = text.charAt(match.index + match[0].length);
  const isWhole = match[0].toLowerCase().endsWith('not');
  return isWhole || next === ' ' ? alike(match[0], CONTRACTIONS) : undefined;
}

/**
 * Finds changes that make an English text shorter without changing what it says, in their order; none overlaps another.
 * Placeholders and web addresses stay as they are. What rules cannot know, such as whether the tone fits, a person
 * decides: nothing is changed by itself.
 */
export function shorteningsOf(text: string): Shortening[] {
  const taken = [...text.matchAll(FIXED)].map(({ index, 0: found }) => [index, index + found.length] as const);
  const changes: Shortening[] = [];
  const isFree = (from: number, to: number) => taken.every(([begin, end]) => to <= begin || from >= end);
  for (const [rule, pattern, shorten] of RULES) {
    for (const match of text.matchAll(pattern)) {
      const [from] = match;
      const to = shorten(match, text);
      if (to === undefined || to.length >= from.length || !isFree(match.index, match.index + from.length)) continue;
      taken.push([match.index, match.index + from.length]);
      changes.push({ rule, at: match.index, from, to });
    }
  }
  return changes.toSorted((a, b) => a.at - b.at);
}

/** Returns a text with changes of `shorteningsOf` made. */
export function withShortenings(text: string, changes: readonly Shortening[]): string {
  let shorter = '';
  let last = 0;
  for (const { at, from, to } of changes) {
    shorter += text.slice(last, at) + to;
    last = at + from.length;
  }
  return shorter + text.slice(last);
}

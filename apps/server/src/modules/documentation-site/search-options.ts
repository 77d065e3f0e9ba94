// Options with which the index is written and read. This file is also a script of the site, so it uses nothing else.

/** Chinese has no spaces, so each of its characters is a word. Names of fields and calls stay whole. */
const WORD = /\p{Script=Han}|[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu;

/** Words in nearly every text, which would make long texts come first. */
const STOP_WORDS = new Set(['a', 'an', 'and', 'for', 'in', 'is', 'of', 'or', 'the', 'to', 'with', 'ang', 'ng', 'sa']);

export const SEARCH_OPTIONS = {
  fields: ['title', 'plain'],
  storeFields: ['title', 'part'],
  tokenize: (text: string): string[] => text.match(WORD) ?? [],
  processTerm(term: string): string | null {
    const word = term.toLowerCase();
    return STOP_WORDS.has(word) ? null : word;
  },
  searchOptions: { boost: { title: 6 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' as const },
};

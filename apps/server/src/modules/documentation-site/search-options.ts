// Options with which the index is written and read. This file is also a script of the site, so it uses nothing else.

/** Chinese has no spaces, so each of its characters is a word. Names of fields and calls stay whole. */
const WORD = /\p{Script=Han}|[\p{L}\p{N}_]+(?:[.-][\p{L}\p{N}_]+)*/gu;

export const SEARCH_OPTIONS = {
  fields: ['title', 'plain'],
  storeFields: ['title', 'part'],
  tokenize: (text: string): string[] => text.match(WORD) ?? [],
  searchOptions: { boost: { title: 4 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' as const },
};

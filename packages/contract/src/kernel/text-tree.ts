import { LOCALE_TAGS, LOCALES, type Locale } from './scope.ts';

/** Texts of a language by the steps of their keys. */
export type TextTree = { [key: string]: string | TextTree };

/** Adds the texts of a file to those of others; branches of the same name grow together. */
export function mergeTexts(into: TextTree, from: TextTree): TextTree {
  for (const [key, value] of Object.entries(from)) {
    const present = into[key];
    into[key] = typeof value === 'object' && typeof present === 'object' ? mergeTexts(present, value) : value;
  }
  return into;
}

/** Returns all texts of a language: those of its files, and the names of the languages in it as fields of the language lines. */
export function textsOf(locale: Locale, files: readonly TextTree[]): TextTree {
  const names = new Intl.DisplayNames(LOCALE_TAGS[locale], { type: 'language' });
  // English of the United States is named English.
  const named = LOCALES.map((code) => [code, names.of(LOCALE_TAGS[code].replace(/-[A-Z]{2}$/, '')) ?? code] as const);
  const languages: TextTree = { resources: { languages: { fields: Object.fromEntries(named) } } };
  return files.reduce(mergeTexts, languages);
}

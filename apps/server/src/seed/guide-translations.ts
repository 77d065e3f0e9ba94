import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TRANSLATED } from '@heliograph/contract/documentation/article';
import type { Locale } from '@heliograph/contract/kernel/scope';

export type Translated = Exclude<Locale, 'en'>;

/** Text of an article in one language; `source` is Markdown. */
export interface Words {
  title: string;
  source: string;
}

/** Folder of the English articles, with one of translations for each language. */
export const GUIDE_FOLDER = join(import.meta.dirname, 'guide');

const FORM = /^(?:<!-- of ([\w-]+) -->\n)?# (.+)\n([\s\S]*)$/;

/** Returns the mark of an English article, by which a translation says what it translates. */
export const markOf = ({ title, source }: Words): string =>
  createHash('sha256').update(`${title}\n${source}`).digest('base64url').slice(0, 12);

/** Returns the path of a translation. */
export const translationPath = (locale: Translated, key: string, folder = GUIDE_FOLDER): string =>
  join(folder, locale, `${key}.md`);

/** Reads a translation, with the mark of the English text that it translates, empty before it is marked; undefined if there is none. */
export function readTranslation(
  locale: Translated,
  key: string,
  folder?: string,
): (Words & { mark: string }) | undefined {
  const path = translationPath(locale, key, folder);
  if (!existsSync(path)) return undefined;
  const [, mark = '', title, source] = FORM.exec(readFileSync(path, 'utf8')) ?? [];
  if (title === undefined || source === undefined) throw new Error(`${path} does not begin with its title`);
  return { mark, title, source: source.trim() };
}

/** Returns the translations of an article as it is now. One of an older text is left out: English is right then. */
export function translationsOf(key: string, english: Words, folder?: string): Partial<Record<Translated, Words>> {
  const mark = markOf(english);
  return Object.fromEntries(
    TRANSLATED.flatMap((locale) => {
      const found = readTranslation(locale, key, folder);
      return found?.mark === mark ? [[locale, { title: found.title, source: found.source }]] : [];
    }),
  );
}

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import { LOCALE_TAGS, LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { type TextTree, textsOf } from '@heliograph/contract/kernel/text-tree';
import { createInstance } from 'i18next';

const folder = join(dirname(fileURLToPath(import.meta.resolve('@heliograph/contract/registry'))), '../messages');

function readMessages(locale: Locale): TextTree {
  const files = readdirSync(join(folder, locale)).sort();
  return textsOf(
    locale,
    files.map((file) => JSON.parse(readFileSync(join(folder, locale, file), 'utf8')) as TextTree),
  );
}

const program = Object.fromEntries(LOCALES.map((locale) => [locale, readMessages(locale)])) as Record<Locale, TextTree>;
const translations = (locale: Locale) => structuredClone(program[locale]);

const i18n = createInstance();
await i18n.init({
  resources: Object.fromEntries(LOCALES.map((locale) => [LOCALE_TAGS[locale], { translation: translations(locale) }])),
  fallbackLng: LOCALE_TAGS.en,
  load: 'currentOnly',
  interpolation: { escapeValue: false },
  showSupportNotice: false,
} as Parameters<typeof i18n.init>[0]);

/** Answers a sentence of the message files in a language, in English if the language lacks it. */
export function translate(locale: Locale, key: MessageKey, params: Record<string, string | number> = {}): string {
  return i18n.t(key, { lng: LOCALE_TAGS[locale], ...params });
}

/** Whether the program has a text of this key. */
export const hasText = (key: string): boolean => i18n.exists(key, { lng: LOCALE_TAGS.en });

/** The language a request asks for: the `locale` cookie, else the profile's, else English. */
export function chooseLocale(cookie: string | undefined, profile: string | undefined): Locale {
  for (const wanted of [cookie, profile]) {
    if ((LOCALES as readonly (string | undefined)[]).includes(wanted)) return wanted as Locale;
  }
  return 'en';
}

/** A text in every language, by its whole key. */
export type Line = { key: string } & Record<Locale, string>;

function flat(tree: TextTree, prefix = ''): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([key, value]): [string, string][] =>
    typeof value === 'string' ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
  );
}

/**
 * Lists every text of the program. If a language lacks a plural form, it gets that language's `other` form, so that a
 * line is complete.
 */
export function programLines(): Map<string, Line> {
  const texts = Object.fromEntries(LOCALES.map((locale) => [locale, new Map(flat(program[locale]))]));
  const keys = new Set(LOCALES.flatMap((locale) => [...texts[locale]!.keys()]));
  const textOf = (locale: Locale, key: string) =>
    texts[locale]!.get(key) ??
    texts[locale]!.get(key.replace(/_(zero|one|two|few|many)$/, '_other')) ??
    texts['en']!.get(key) ??
    '';
  return new Map(
    [...keys].map((key) => [
      key,
      {
        key,
        ...(Object.fromEntries(LOCALES.map((locale) => [locale, textOf(locale, key)])) as Record<Locale, string>),
      },
    ]),
  );
}

/** Replaces the program's lines by these from now on; all other lines stay as delivered. */
export function sayInstead(lines: readonly Line[]): void {
  for (const locale of LOCALES) {
    i18n.addResourceBundle(LOCALE_TAGS[locale], 'translation', translations(locale), false, true);
    for (const line of lines) i18n.addResource(LOCALE_TAGS[locale], 'translation', line.key, line[locale]);
  }
}

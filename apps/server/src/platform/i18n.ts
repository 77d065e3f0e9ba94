import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { createInstance } from 'i18next';

const folder = join(dirname(new URL(import.meta.resolve('@heliograph/contract/registry')).pathname), '../messages');

type Tree = { [key: string]: string | Tree };

function merge(into: Tree, from: Tree): Tree {
  for (const [key, value] of Object.entries(from)) {
    const present = into[key];
    into[key] = typeof value === 'object' && typeof present === 'object' ? merge(present, value) : value;
  }
  return into;
}

function readMessages(locale: Locale): Tree {
  const tree: Tree = {};
  for (const file of readdirSync(join(folder, locale)).sort()) {
    merge(tree, JSON.parse(readFileSync(join(folder, locale, file), 'utf8')) as Tree);
  }
  return tree;
}

const i18n = createInstance();
await i18n.init({
  resources: Object.fromEntries(LOCALES.map((locale) => [locale, { translation: readMessages(locale) }])),
  fallbackLng: 'en',
  interpolation: { escapeValue: false },
  showSupportNotice: false,
} as Parameters<typeof i18n.init>[0]);

/** A sentence of the message files in a language, English where it lacks one. */
export function translate(locale: Locale, key: string, params: Record<string, string | number> = {}): string {
  return i18n.t(key, { lng: locale, ...params });
}

/** The language a request asks for: the `locale` cookie, else the profile's, else English. */
export function chooseLocale(cookie: string | undefined, profile: string | undefined): Locale {
  for (const wanted of [cookie, profile]) {
    if ((LOCALES as readonly (string | undefined)[]).includes(wanted)) return wanted as Locale;
  }
  return 'en';
}

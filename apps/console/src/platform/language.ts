import addresses from 'virtual:messages';
import { LOCALE_TAGS, LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readCookie, writeCookie } from './cookies.ts';
import { useSession } from './session.ts';

/** Each language's name in itself. */
export const LOCALE_NAMES = { en: 'English', cn: '简体中文', zh: '繁體中文', fp: 'Filipino' } as const satisfies Record<
  Locale,
  string
>;

const isLocale = (value: unknown): value is Locale => LOCALES.includes(value as Locale);

/** The language to use: the cookie's, else the profile's, else English. */
export function chosenLocale(): Locale {
  const cookie = readCookie('locale');
  if (isLocale(cookie)) return cookie;
  const preferred = useSession.getState().profile?.preferred_language;
  return isLocale(preferred) ? preferred : 'en';
}

/** Loads the chosen language and starts the translation. */
export async function startLanguage(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'none',
    fallbackLng: false,
    supportedLngs: false,
    resources: {},
    nsSeparator: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  pluralsByTag();
  await applyLocale(chosenLocale());
}

/** Plural forms follow the tag: to the browser `cn` and `fp` are no languages, and it would use its own forms. */
function pluralsByTag(): void {
  const resolver = i18next.services.pluralResolver as { getRule(code: string, options?: object): Intl.PluralRules };
  const rule = resolver.getRule.bind(resolver);
  resolver.getRule = (code, options) => rule(LOCALE_TAGS[code as Locale] ?? code, options);
}

/** Uses the profile's language where no cookie says otherwise. */
export async function followProfileLanguage(): Promise<void> {
  const locale = chosenLocale();
  if (locale !== i18next.language) await applyLocale(locale);
}

/** Switches the language at once and remembers it in the cookie. */
export async function chooseLocale(locale: Locale): Promise<void> {
  writeCookie('locale', locale);
  await applyLocale(locale);
}

async function applyLocale(locale: Locale): Promise<void> {
  if (!i18next.hasResourceBundle(locale, 'translation')) {
    const response = await fetch(addresses[locale]!);
    i18next.addResourceBundle(locale, 'translation', await response.json());
  }
  await i18next.changeLanguage(locale);
  document.documentElement.lang = LOCALE_TAGS[locale];
}

/** The BCP 47 tag of the language in use. */
export function languageTag(): string {
  return LOCALE_TAGS[i18next.language as Locale] ?? 'en-US';
}

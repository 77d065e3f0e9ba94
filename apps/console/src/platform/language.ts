import addresses from 'virtual:messages';
import { LOCALE_TAGS, LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { languageTexts } from '@heliograph/contract/settings/language-line';
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

/** The program's texts of the languages loaded so far. */
const programs = new Map<Locale, object>();

async function applyLocale(locale: Locale): Promise<void> {
  const known = programs.has(locale);
  const [program, edited] = await Promise.all([
    known ? undefined : fetch(addresses[locale]!).then((response) => response.json() as Promise<object>),
    known ? undefined : editedTexts(locale),
  ]);
  if (program) {
    programs.set(locale, program);
    say(locale, edited ?? {});
  }
  await i18next.changeLanguage(locale);
  document.documentElement.lang = LOCALE_TAGS[locale];
}

/** What an administrator says instead; nothing where the server can not be asked. */
async function editedTexts(locale: Locale): Promise<Record<string, string>> {
  const answer = fetch(`${languageTexts.path}?locale=${locale}`, { signal: AbortSignal.timeout(5_000) });
  return answer.then((response) => (response.ok ? response.json() : {})).catch(() => ({}));
}

function say(locale: Locale, edited: Record<string, string>): void {
  i18next.addResourceBundle(locale, 'translation', structuredClone(programs.get(locale)), false, true);
  i18next.addResources(locale, 'translation', edited);
}

/** Says the texts as they are now edited, on every screen at once. */
export async function followEditedTexts(): Promise<void> {
  for (const locale of programs.keys()) say(locale, await editedTexts(locale));
  await i18next.changeLanguage(i18next.language);
}

/** The BCP 47 tag of the language in use. */
export function languageTag(): string {
  return LOCALE_TAGS[i18next.language as Locale] ?? 'en-US';
}

import addresses from 'virtual:messages';
import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import { LOCALE_TAGS, LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { languageTexts } from '@heliograph/contract/settings/language-line';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readCookie, writeCookie } from './cookies.ts';
import { useSession } from './session.ts';

/** Name of each language, written in that language. */
export const LOCALE_NAMES = { en: 'English', cn: '简体中文', zh: '繁體中文', fp: 'Filipino' } as const satisfies Record<
  Locale,
  string
>;

const isLocale = (value: unknown): value is Locale => LOCALES.includes(value as Locale);

/** Returns the language to use: the cookie's, otherwise the profile's, otherwise English. */
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

/** Makes plural forms follow the language tag. The browser does not know `cn` and `fp`, and would use its own forms. */
function pluralsByTag(): void {
  const resolver = i18next.services.pluralResolver as { getRule(code: string, options?: object): Intl.PluralRules };
  const rule = resolver.getRule.bind(resolver);
  resolver.getRule = (code, options) => rule(LOCALE_TAGS[code as Locale] ?? code, options);
}

/** Uses the profile's language if no cookie sets another one. */
export async function followProfileLanguage(): Promise<void> {
  const locale = chosenLocale();
  if (locale !== i18next.language) await applyLocale(locale);
}

/** Switches the language immediately and stores it in the cookie. */
export async function chooseLocale(locale: Locale): Promise<void> {
  writeCookie('locale', locale);
  await applyLocale(locale);
}

/** Texts of the program, by language loaded. */
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

/** Returns the texts that an administrator has edited; none if the server cannot be reached. */
async function editedTexts(locale: Locale): Promise<Record<string, string>> {
  const answer = fetch(`${languageTexts.path}?locale=${locale}`, { signal: AbortSignal.timeout(5_000) });
  return answer.then((response) => (response.ok ? response.json() : {})).catch(() => ({}));
}

function say(locale: Locale, edited: Record<string, string>): void {
  i18next.addResourceBundle(locale, 'translation', structuredClone(programs.get(locale)), false, true);
  i18next.addResources(locale, 'translation', edited);
}

/** Applies the texts as edited now, on all screens. */
export async function followEditedTexts(): Promise<void> {
  for (const locale of programs.keys()) say(locale, await editedTexts(locale));
  await i18next.changeLanguage(i18next.language);
}

/** Returns whether the current language has a text. It does not narrow the key, unlike `exists`. */
export const hasText = (key: MessageKey): boolean => i18next.exists(key);

/** Returns the BCP 47 tag of the current language. */
export function languageTag(): string {
  return LOCALE_TAGS[i18next.language as Locale] ?? 'en-US';
}

import addresses from 'virtual:messages';
import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import { LANGUAGES, LOCALE_TAGS, LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import { languageTexts } from '@heliograph/contract/settings/language-texts';
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { readCookie, writeCookie } from './cookies.ts';
import { useSession } from './session.ts';

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
    load: 'currentOnly',
    resources: {},
    nsSeparator: false,
    interpolation: { escapeValue: false },
    react: { useSuspense: false },
  });
  await applyLocale(chosenLocale());
}

/** Uses the profile's language if no cookie sets another one. */
export async function followProfileLanguage(): Promise<void> {
  const locale = chosenLocale();
  if (locale !== currentLocale()) await applyLocale(locale);
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
  await i18next.changeLanguage(LOCALE_TAGS[locale]);
  document.documentElement.lang = LOCALE_TAGS[locale];
}

/** Returns the texts that an administrator has edited; none if the server cannot be reached. */
async function editedTexts(locale: Locale): Promise<Record<string, string>> {
  const answer = fetch(`${languageTexts.path}?locale=${locale}`, { signal: AbortSignal.timeout(5_000) });
  return answer.then((response) => (response.ok ? response.json() : {})).catch(() => ({}));
}

function say(locale: Locale, edited: Record<string, string>): void {
  i18next.addResourceBundle(LOCALE_TAGS[locale], 'translation', structuredClone(programs.get(locale)), false, true);
  i18next.addResources(LOCALE_TAGS[locale], 'translation', edited);
}

/** Applies the texts as edited now, on all screens. */
export async function followEditedTexts(): Promise<void> {
  for (const locale of programs.keys()) say(locale, await editedTexts(locale));
  await i18next.changeLanguage(i18next.language);
}

/** Returns whether the current language has a text. It does not narrow the key, unlike `exists`. */
export const hasText = (key: MessageKey): boolean => i18next.exists(key);

/** Returns the BCP 47 tag of the current language. */
export const languageTag = (): string => LOCALE_TAGS[currentLocale()];

/** Returns the code of the current language. */
export const currentLocale = (): Locale => LANGUAGES.find(({ tag }) => tag === i18next.language)?.code ?? 'en';

/** Scope levels: 0 super admin, 1 admin, 2 corporation (reseller, corporate admin), 3 department, 4 user. */
export const SCOPE_LEVELS = { super_admin: 0, admin: 1, corporation: 2, department: 3, user: 4 } as const;
export type ScopeLevel = (typeof SCOPE_LEVELS)[keyof typeof SCOPE_LEVELS];

export const isAdministration = (level: number) => level < 2;

/**
 * The languages: the code of each on the wire and in the cookie, its BCP 47 tag, and its name in itself. The texts of a language
 * are in `messages/<code>`. A further language is one row here and its folder of texts.
 */
export const LANGUAGES = [
  { code: 'en', tag: 'en-US', name: 'English' },
  { code: 'cn', tag: 'zh-Hans', name: '简体中文' },
  { code: 'zh', tag: 'zh-Hant', name: '繁體中文' },
  { code: 'fp', tag: 'fil', name: 'Filipino' },
] as const;

/** Code of a language. */
export type Locale = (typeof LANGUAGES)[number]['code'];
export const LOCALES = LANGUAGES.map(({ code }) => code) as unknown as readonly [Locale, ...Locale[]];
const byCode = (part: 'tag' | 'name') =>
  Object.fromEntries(LANGUAGES.map((each) => [each.code, each[part]])) as Readonly<Record<Locale, string>>;
/** BCP 47 tag of each language, for dates, numbers, plural forms and the `lang` attribute. */
export const LOCALE_TAGS = byCode('tag');
/** Name of each language, written in that language. */
export const LOCALE_NAMES = byCode('name');

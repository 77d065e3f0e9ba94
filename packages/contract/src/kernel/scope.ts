/** Scope levels: 0 super admin, 1 admin, 2 corporation (reseller, corporate admin), 3 department, 4 user. */
export const SCOPE_LEVELS = { super_admin: 0, admin: 1, corporation: 2, department: 3, user: 4 } as const;
export type ScopeLevel = (typeof SCOPE_LEVELS)[keyof typeof SCOPE_LEVELS];

export const isAdministration = (level: number) => level < 2;
export const isCorporationScope = (level: number) => level >= 2;
export const isDepartmentScope = (level: number) => level >= 3;
export const isUserScope = (level: number) => level === 4;

export const LOCALES = ['en', 'cn', 'zh', 'fp'] as const;
export type Locale = (typeof LOCALES)[number];
/** BCP 47 tag of each locale, for dates, numbers and the `lang` attribute. */
export const LOCALE_TAGS = { en: 'en-US', cn: 'zh-Hans', zh: 'zh-Hant', fp: 'fil' } as const satisfies Record<
  Locale,
  string
>;

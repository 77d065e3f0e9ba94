import { LOCALES, type Locale } from '@heliograph/contract/kernel/scope';
import i18next from 'i18next';

/** What a menu entry is called: the title a person gave it in the language in use, else the program's words for it. */
export function menuLabel(entry: { title: string; labels?: Partial<Record<string, string>> | null }): string {
  const { labels, title } = entry;
  const given = labels?.[i18next.language as Locale] ?? labels?.[LOCALES[0]];
  return given || i18next.t(`menu.${title}`, { defaultValue: title });
}

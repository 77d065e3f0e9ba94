import { keyIn } from '@heliograph/contract/kernel/message-keys';
import i18next from 'i18next';
import { currentLocale } from './language.ts';

/**
 * Returns the label of a menu entry: the title that a person gave it in the current language, otherwise the program's.
 */
export function menuLabel(entry: { title: string; labels?: Partial<Record<string, string>> | null }): string {
  const { labels, title } = entry;
  const given = labels?.[currentLocale()] ?? labels?.['en'];
  return given || i18next.t(keyIn('menu', title), { defaultValue: title });
}

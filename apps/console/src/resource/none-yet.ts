import { keyIn } from '@heliograph/contract/kernel/message-keys';
import i18next from 'i18next';

/** Returns a name as it is inside a sentence: without its capital, unless it begins with an abbreviation. */
export const inSentence = (name: string): string =>
  name.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());

/** Returns the title of an empty list, such as "No number lists yet". */
export function noneYet(name: string): string {
  return i18next.t('list.none_yet', { records: inSentence(i18next.t(keyIn('resources', name, 'many'))) });
}

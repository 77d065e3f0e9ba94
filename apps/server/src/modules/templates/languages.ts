import { type LanguageText, plainLanguage } from '@heliograph/contract/templates/language-texts';
import type { ContactField } from '#modules/audience';
import { fieldError } from '#platform/errors';

/** Returns the field whose value is the language of a contact; undefined if the corporation marked none. */
export const languageFieldOf = (fields: readonly ContactField[]): ContactField | undefined =>
  fields.find(({ is_language }) => is_language);

/**
 * Throws a 422 if a corporation with these fields can have no texts by language, or if no contact can have one of the
 * languages. A field without choices may hold any language.
 */
export function requireLanguages(fields: readonly ContactField[], texts: readonly LanguageText[]): void {
  if (texts.length === 0) return;
  const field = languageFieldOf(fields);
  if (!field) throw fieldError('language_texts', 'language_field_missing');
  if (field.choices.length === 0) return;
  const known = new Set(field.choices.map(plainLanguage));
  const at = texts.findIndex(({ language }) => !known.has(plainLanguage(language)));
  if (at >= 0)
    throw fieldError(`language_texts.${at}.language`, 'language_unknown', { choices: field.choices.join(', ') });
}

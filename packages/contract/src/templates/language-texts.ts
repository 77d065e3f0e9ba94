import { z } from 'zod';
import { label } from '../kernel/fields.ts';
import { hasKnownPlaceholders } from './template-pattern.ts';

/** Maximum languages of a text, besides its default text. */
export const MOST_LANGUAGES = 20;

/** Text for the contacts who speak a language. The language is a value of the field that the corporation marked for it. */
export interface LanguageText {
  language: string;
  text: string;
}

/** Returns a language in the form in which two are compared: without the case of letters and outer spaces. */
export const plainLanguage = (language: string): string => language.normalize('NFC').trim().toLowerCase();

/** Texts by language; contacts of every other language, and numbers without a contact, get the default text. */
export const languageTexts = z
  .array(
    z.object({
      language: label(60),
      text: z.string().min(1).max(1530).refine(hasKnownPlaceholders, { error: 'unknown_placeholder' }),
    }),
  )
  .max(MOST_LANGUAGES)
  .refine((texts) => new Set(texts.map(({ language }) => plainLanguage(language))).size === texts.length, {
    error: 'language_repeated',
  });

import type { Locale } from '@heliograph/contract/kernel/scope';
import { type VerifyText, writeCode } from '@heliograph/contract/verify/verify-text';
import { translate } from '#platform/text/i18n';
import type { Service } from './service-reader.ts';

/** Returns the text that ships for a language, with its placeholders. */
export const shippedText = (language: Locale): string => translate(language, 'verify_text.shipped');

/** Writes the message of a service with a code. A language without a text of its own has the one that ships. */
export function messageOf(service: Service, language: Locale, code: string): VerifyText {
  const own = service.texts.find((each) => each.language === language)?.text;
  return writeCode(own ?? shippedText(language), service, code);
}

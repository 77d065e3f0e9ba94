import type { Locale } from '@heliograph/contract/kernel/scope';
import { type VerifyText, writeCode } from '@heliograph/contract/verify/verify-text';
import { translate } from '#platform/text/i18n';
import type { Service } from './service-reader.ts';

/** Returns the text that ships for a language, with its placeholders. */
export const shippedText = (language: Locale): string => translate(language, 'verify_text.shipped');

/** Texts of services by language, as long as a service that was read is used. */
const texts = new WeakMap<Service['texts'], Map<Locale, string>>();

/** Returns the text of a service. A language without a text of its own has the one that ships. */
function textOf(service: Service, language: Locale): string {
  const known = texts.get(service.texts) ?? new Map<Locale, string>();
  texts.set(service.texts, known);
  let text = known.get(language);
  if (text === undefined) {
    text = service.texts.find((each) => each.language === language)?.text ?? shippedText(language);
    known.set(language, text);
  }
  return text;
}

/** Writes the message of a service with a code. */
export const messageOf = (service: Service, language: Locale, code: string): VerifyText =>
  writeCode(textOf(service, language), service, code);

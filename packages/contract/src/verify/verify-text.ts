/** Forms in which a code is sent, so that browsers and apps can read it by themselves. */
export const VERIFY_FORMATS = ['plain', 'web_otp', 'sms_retriever'] as const;
export type VerifyFormat = (typeof VERIFY_FORMATS)[number];

/** Maximum octets of a message that the SMS Retriever of Android reads. */
export const RETRIEVER_OCTETS = 140;

/** Placeholders of a text. */
export const VERIFY_PLACEHOLDERS = ['code', 'app', 'minutes'] as const;
const PLACEHOLDER = /\{([^{}]*)\}/g;

/** Reasons to refuse a text. */
export type VerifyTextFault = 'verify_text_code' | 'verify_text_placeholder' | 'verify_text_long';

/** Everything of a service that decides how a code is written. */
export interface VerifyWording {
  app_name: string;
  code_length: number;
  minutes: number;
  format: VerifyFormat;
  /** Host of the site for the format of browsers. */
  origin_host: string | null;
  /** Hash of the app for the format of Android: 11 characters. */
  app_hash: string | null;
}

/** Text to send, and the places of the code in it: from, and the place after it. */
export interface VerifyText {
  text: string;
  hidden: [number, number][];
}

/** Writes a text with a code. Web OTP: the last line is `@host #code`. SMS Retriever: the last line is the hash of the app. */
export function writeCode(template: string, wording: VerifyWording, code: string): VerifyText {
  const { app_name, minutes, format, origin_host, app_hash } = wording;
  const values: Readonly<Record<string, string>> = { app: app_name, minutes: String(minutes), code };
  const hidden: [number, number][] = [];
  let text = '';
  let at = 0;
  const addCode = () => {
    hidden.push([text.length, text.length + code.length]);
    text += code;
  };
  for (const match of template.matchAll(PLACEHOLDER)) {
    text += template.slice(at, match.index);
    at = match.index + match[0].length;
    if (match[1] === 'code') addCode();
    else text += values[match[1]!] ?? match[0];
  }
  text += template.slice(at);
  if (format === 'web_otp') {
    text += `\n\n@${origin_host} #`;
    addCode();
  }
  if (format === 'sms_retriever') text += `\n\n${app_hash}`;
  return { text, hidden };
}

/** Returns why a text cannot be used; undefined if it can. It must have the code once, and no other placeholder than those. */
export function verifyTextFault(template: string, wording: VerifyWording): VerifyTextFault | undefined {
  const names = [...template.matchAll(PLACEHOLDER)].map(([, name]) => name!);
  if (names.some((name) => !(VERIFY_PLACEHOLDERS as readonly string[]).includes(name)))
    return 'verify_text_placeholder';
  if (names.filter((name) => name === 'code').length !== 1) return 'verify_text_code';
  const { text } = writeCode(template, wording, '0'.repeat(wording.code_length));
  const octets = new TextEncoder().encode(text).length;
  return wording.format === 'sms_retriever' && octets > RETRIEVER_OCTETS ? 'verify_text_long' : undefined;
}

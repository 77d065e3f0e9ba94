import { z } from 'zod';
import { LinearPattern } from './linear-pattern.ts';

/** Ways to reach a carrier. */
export const PROTOCOLS = ['smpp', 'http'] as const;
/** Well-known forms of HTTP APIs, and `own` for any other. */
export const HTTP_FORMS = ['kannel', 'twilio', 'infobip', 'vonage', 'get', 'own'] as const;
export const HTTP_METHODS = ['GET', 'POST', 'PUT'] as const;
/** Places of the fields: in the address, as a form in the body, or as JSON in the body. */
export const HTTP_ENCODINGS = ['query', 'form', 'json'] as const;
export const HTTP_AUTHS = ['none', 'basic', 'bearer', 'header', 'query'] as const;
/** Signatures of callbacks that are checked with the link's password. */
export const HTTP_SIGNATURES = ['none', 'hmac_sha256_hex', 'hmac_sha256_base64', 'hmac_sha1_url_base64'] as const;

/**
 * Meanings of an answer. `account` stops the link for a while, because every message would get it. `unknown` means that
 * the carrier may have taken the message: it is not sent again.
 */
export const ANSWER_MEANINGS = [
  'accepted',
  'throttled',
  'temporary',
  'refused',
  'refused_number',
  'refused_sender',
  'account',
  'unknown',
] as const;
export type AnswerMeaning = (typeof ANSWER_MEANINGS)[number];

/** Placeholders of requests, written `{name}`. */
export const HTTP_PLACEHOLDERS = [
  'to',
  'from',
  'from_e164',
  'text',
  'reference',
  'user',
  'password',
  'receipts_url',
  'replies_url',
  'coding',
  'type',
  'udh',
  'udh_hex',
  'part',
  'parts',
  'flash',
  'flash_class',
  'validity_minutes',
  'validity_seconds',
] as const;
export type HttpPlaceholder = (typeof HTTP_PLACEHOLDERS)[number];

/** Names of the values that are read from receipts and from replies. */
export const RECEIPT_FIELDS = ['list', 'id', 'reference', 'state', 'error', 'to'] as const;
export const REPLY_FIELDS = ['list', 'id', 'from', 'to', 'text', 'part_reference', 'part', 'parts'] as const;

const PLACEHOLDER = /\{([a-z0-9_]+)\}/g;
const WORDS: ReadonlySet<string> = new Set(HTTP_PLACEHOLDERS);

/** Returns the first placeholder of a template that does not exist; undefined if all do. */
export function unknownPlaceholder(template: string): string | undefined {
  for (const [, name] of template.matchAll(PLACEHOLDER)) if (!WORDS.has(name!)) return name;
  return undefined;
}

/** Maximum characters of a place in a document. */
const PLACE_LENGTH = 200;

/** A part of a JSON document such as `messages[0].status.name`, or `/regular expression/` with one group. */
const SELECTOR = /^(?:[\w$-]+|\[\d{1,4}\])(?:\.[\w$-]+|\[\d{1,4}\])*$/;

/** Tells whether a text says where a value is found. */
export function isSelector(text: string): boolean {
  if (text.length > 2 && text.startsWith('/') && text.endsWith('/'))
    return LinearPattern.of(text.slice(1, -1)) !== undefined;
  return text.length <= PLACE_LENGTH && SELECTOR.test(text);
}

/** A rule of the answers' table. */
export interface AnswerRule {
  /** Status such as `429`, a class such as `4xx`, or `*`. */
  status: string;
  /** Place of the value that must match; '' for the status alone. */
  at: string;
  matches: LinearPattern;
  means: AnswerMeaning;
}

const RULE = /^(\*|[1-5]xx|[1-5]\d\d)(?:\s+(\/.+?\/|\S+)\s+(.+?))?\s*=\s*([a-z_]+)$/;

/** Reads a line such as `429 = throttled` or `2xx status ^1$ = throttled`; undefined if it is not one. */
export function answerRule(line: string): AnswerRule | undefined {
  const [, status, at = '', pattern = '', word] = RULE.exec(line.trim()) ?? [];
  const means = ANSWER_MEANINGS.find((each) => each === word);
  const matches = LinearPattern.of(pattern);
  if (status === undefined || !means || !matches || (at !== '' && !isSelector(at))) return undefined;
  return { status, at, matches, means };
}

const line = z.string().trim().min(1).max(600);
const template = (pattern: RegExp) =>
  line.regex(pattern, { error: 'http_line' }).refine((text) => unknownPlaceholder(text) === undefined, {
    error: 'http_placeholder',
  });
const selector = z
  .string()
  .trim()
  .max(200)
  .refine((text) => text === '' || isSelector(text), { error: 'http_selector' });
const lines = (names: readonly string[]) =>
  z
    .array(
      line.refine(
        (text) => {
          const at = text.indexOf('=');
          return at > 0 && names.includes(text.slice(0, at)) && isSelector(text.slice(at + 1));
        },
        { error: 'http_value_line' },
      ),
    )
    .max(12);

/** Headers of the connection. They are written with each request; another value would send it to another host or cut it. */
const RESERVED =
  /^(host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer|accept-encoding|proxy-.*)$/i;
const isReserved = (name: string): boolean => RESERVED.test(name);

const isUrl = (text: string): boolean => {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '' && url.hash === '';
};
const address = z
  .string()
  .trim()
  .max(1_000)
  // The host stands in the address itself: no placeholder may choose where messages go.
  .refine((text) => /^https?:\/\/[^/{}?#]+(\/|\?|$)/i.test(text) && isUrl(text.replace(PLACEHOLDER, '0')), {
    error: 'http_url',
  })
  .refine((text) => !/\/\.{1,2}(\/|\?|$)/.test(text), { error: 'http_url' })
  .refine((text) => unknownPlaceholder(text) === undefined, { error: 'http_placeholder' });

/** Tells whether a body is JSON with known placeholders in its texts. */
const isTemplate = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && unknownPlaceholder(text) === undefined;
  } catch {
    return false;
  }
};

/** Mapping of messages to HTTP requests, and of answers, receipts and replies to their values. */
export const httpMapping = z.object({
  form: z.enum(HTTP_FORMS),
  url: address,
  /** User or account; '' if the carrier has only a key. */
  user: z
    .string()
    .trim()
    .max(128)
    .regex(/^[\x20-\x7e]*$/, { error: 'ascii_text' }),
  method: z.enum(HTTP_METHODS),
  encoding: z.enum(HTTP_ENCODINGS),
  /** Lines `name=template`; a name that ends in `?` is left out while its value is empty. */
  fields: z.array(template(/^[^=\s]{1,100}=/)).max(50),
  /** JSON with placeholders in its texts; a text that is one placeholder of a number becomes a number. */
  body: z
    .string()
    .max(8_000)
    .refine((text) => text.trim() === '' || isTemplate(text), { error: 'http_body' }),
  /** Lines `Name: template`. */
  headers: z
    .array(
      template(/^[A-Za-z0-9-]{1,80}:\s?[^\r\n]*$/).refine((text) => !isReserved(text.slice(0, text.indexOf(':'))), {
        error: 'http_reserved_header',
      }),
    )
    .max(20),
  auth: z.enum(HTTP_AUTHS),
  /** Name of the header or field of the password, for the last two ways. */
  auth_name: z
    .string()
    .trim()
    .max(80)
    .regex(/^[A-Za-z0-9_.-]*$/, { error: 'http_line' })
    .refine((text) => !isReserved(text), { error: 'http_reserved_header' }),
  /** Maximum recipients of one request. */
  recipients: z.int().min(1).max(500),
  /** Array in the body with one element for each message; '' joins the numbers of equal messages in `{to}`. */
  recipients_at: selector,
  separator: z.string().max(5),
  /** Array in the answer with one element for each message; '' if the answer is one. */
  list: selector,
  /** Place of the carrier's ID; '' uses our own reference. */
  id: selector,
  /** Place of the recipient's number in an element of the list; '' for the order of the request. */
  number: selector,
  answers: z.array(line.refine((text) => answerRule(text) !== undefined, { error: 'http_answer' })).max(50),
  receipts: lines(RECEIPT_FIELDS),
  replies: lines(REPLY_FIELDS),
  /** Body with which we answer a callback. */
  callback_answer: z.string().max(500),
  signature: z.enum(HTTP_SIGNATURES),
  signature_header: z
    .string()
    .trim()
    .max(80)
    .regex(/^[A-Za-z0-9-]*$/, { error: 'http_line' }),
  /** Addresses that are asked for receipts and replies; '' for carriers that call. `{cursor}` is that of the last page. */
  poll_receipts: z.union([z.literal(''), pollAddress()]),
  poll_replies: z.union([z.literal(''), pollAddress()]),
  poll_seconds: z.int().min(1).max(3_600),
  /** Place of the next page's cursor; '' if each question answers what is new. */
  poll_cursor: selector,
});

function pollAddress() {
  return z
    .string()
    .trim()
    .max(1_000)
    .refine((text) => /^https?:\/\/[^/{}?#]+(\/|\?|$)/i.test(text) && isUrl(text.replace(PLACEHOLDER, '0')), {
      error: 'http_url',
    });
}

export type HttpMapping = z.output<typeof httpMapping>;

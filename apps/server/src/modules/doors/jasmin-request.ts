import { decodeShortMessage, parseTime } from '@heliograph/smpp';
import type { Submission } from '#modules/intake';
import { addressParameters, membersOf, type Parameters, parametersOf, Refused, textOf } from './door-request.ts';

// Jasmin's HTTP API (Jasmin documentation, "HTTP API"). Parameters come in the address, as a form, or as JSON.

/** Request with its parameters. JSON has characters, where forms have octets in the alphabet that `coding` names. */
export interface JasminRequest {
  parameters: Parameters;
  characters: boolean;
}

/** Reads the parameters of a request: those of the address, then those of the body. Throws `Refused` without any. */
export function jasminRequest(address: string, body: Buffer | undefined, type: string): JasminRequest {
  const found = addressParameters(address);
  const json = /^application\/json\b/i.test(type);
  if (body !== undefined && body.length > 0) {
    const own = json ? membersOf(body) : parametersOf(body.toString('latin1'));
    for (const [name, value] of own) found.set(name, value);
  }
  if (found.size === 0)
    throw new Refused(400, 'Mandatory arguments not found, please refer to the HTTPAPI specifications.');
  return { parameters: found, characters: json };
}

const MOST_MINUTES = 7 * 24 * 60;
const MOST_URL = 2_000;
const MOST_TAGS = 10;
const MOST_TAG = 50;

/** Forms of the parameters; null for any text. What Jasmin knows, but the platform does not do, is refused below with a reason. */
const FORMS: Readonly<Record<string, RegExp | null>> = {
  username: null,
  password: null,
  to: /^\+?\d+$/,
  from: null,
  coding: /^(0|1|2|3|4|5|6|7|8|9|10|13|14)$/,
  priority: /^[0-3]$/,
  sdt: /^(\d{15}[+\-R])?$/,
  'validity-period': /^\d{1,5}$/,
  dlr: /^(yes|no)$/,
  'dlr-url': /^https?:\/\/\S+$/,
  'dlr-level': /^[1-3]$/,
  'dlr-method': /^(get|post)$/i,
  tags: /^[-a-zA-Z0-9,]*$/,
  content: null,
  'hex-content': /^([0-9a-f]{2})*$/i,
  custom_tlvs: null,
};

/** Codings whose octets become a text: GSM 03.38 or UTF-8, ASCII, Latin-1 and UCS-2. */
const TEXT_CODINGS: ReadonlySet<number> = new Set([0, 1, 3, 8]);
const UCS2 = 8;

/**
 * Returns the message of a request to `/send`, or that of `/rate`, which may have no text and no sender. `now` is the time
 * in ms. Throws `Refused` in Jasmin's words.
 */
export function submissionOf(
  { parameters, characters }: JasminRequest,
  now: number,
  { priced = false } = {},
): Submission {
  for (const [name, value] of parameters) {
    const form = Object.hasOwn(FORMS, name) ? FORMS[name] : undefined;
    if (form === undefined) throw new Refused(400, `Argument [${name}] is unknown.`);
    if (form?.test(value.toString()) === false)
      throw new Refused(400, `Argument [${name}] has an invalid value: [${value}].`);
  }
  for (const name of ['to', 'from'])
    if (textOf(parameters, name) === '') throw new Refused(400, `Mandatory argument [${name}] is not found.`);
  if (!['', '[]'].includes(textOf(parameters, 'custom_tlvs')))
    throw new Refused(400, 'Argument [custom_tlvs] is not supported here.');
  const tags = textOf(parameters, 'tags').split(',').filter(Boolean);
  if (tags.length > MOST_TAGS || tags.some((tag) => tag.length > MOST_TAG))
    throw new Refused(
      400,
      `Argument [tags] has more than ${MOST_TAGS} tags, or one of more than ${MOST_TAG} characters.`,
    );
  const coding = Number(textOf(parameters, 'coding') || 0);
  if (!TEXT_CODINGS.has(coding)) throw new Refused(400, `coding ${coding} is not supported here: it is no text.`);
  return {
    from: textOf(parameters, 'from').trim(),
    to: textOf(parameters, 'to'),
    text: messageText(parameters, coding, characters) || (priced ? ' ' : empty()),
    encoding: coding === UCS2 ? 'ucs2' : 'auto',
    class: 'transactional',
    send_at: startOf(textOf(parameters, 'sdt'), now),
    validity_minutes: minutesOf(textOf(parameters, 'validity-period')),
    tags,
    tells: true,
    ...reportOf(parameters),
  };
}

function empty(): never {
  throw new Refused(400, 'The content is empty.');
}

function messageText(parameters: Parameters, coding: number, characters: boolean): string {
  const content = parameters.get('content');
  const hex = parameters.get('hex-content');
  if (content !== undefined && hex !== undefined)
    throw new Refused(400, 'content and hex-content cannot be used both in same request.');
  if (hex !== undefined) return decodeShortMessage(Buffer.from(hex.toString('latin1'), 'hex'), coding);
  if (content === undefined) return '';
  if (coding !== 0 && !characters) return decodeShortMessage(content, coding);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content);
  } catch {
    throw new Refused(400, 'Argument [content] is not UTF-8.');
  }
}

function startOf(sdt: string, now: number): string | null {
  if (sdt === '') return null;
  const at = parseTime(sdt, now);
  if (at === undefined) throw new Refused(400, `Argument [sdt] has an invalid value: [${sdt}].`);
  return new Date(at).toISOString();
}

function minutesOf(period: string): number | null {
  if (period === '') return null;
  const minutes = Number(period);
  if (minutes < 1 || minutes > MOST_MINUTES)
    throw new Refused(400, `Argument [validity-period] has an invalid value: [${period}].`);
  return minutes;
}

/** Address, level and method of the wanted report. As with Jasmin, an address alone asks for one, whatever `dlr` says. */
function reportOf(parameters: Parameters): Pick<Submission, 'callback_url' | 'callback_form'> {
  const url = textOf(parameters, 'dlr-url');
  if (url === '') return {};
  if (url.length > MOST_URL || !URL.canParse(url))
    throw new Refused(400, `Argument [dlr-url] has an invalid value: [${url.slice(0, MOST_URL)}].`);
  const level = textOf(parameters, 'dlr-level') || '1';
  const method = (textOf(parameters, 'dlr-method') || 'POST').toUpperCase();
  return { callback_url: url, callback_form: `jasmin:${level}:${method}` };
}

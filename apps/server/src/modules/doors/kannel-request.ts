import type { Submission } from '#modules/intake';
import { addressParameters, type Parameters, Refused, textOf } from './door-request.ts';

// Kannel's HTTP interface for sending (Kannel User Guide, "Using the HTTP interface to send SMS messages"). Parameters
// come in the address, or as headers with the text as the body.

/** Older and shorter names of parameters. */
const NAMES: Readonly<Record<string, string>> = {
  user: 'username',
  pass: 'password',
  dlrmask: 'dlr-mask',
  dlrurl: 'dlr-url',
};

/** Reads the parameters of an address. Of two with one name the first counts. */
export const queryOf = (address: string): Parameters => addressParameters(address, NAMES);

/** Reads the parameters of a POST: `X-Kannel-To` and the like, and the text, which must be UTF-8. */
export function headersOf(headers: Readonly<Record<string, string | string[] | undefined>>, text: Buffer): Parameters {
  const found = new Map<string, Buffer>();
  for (const [name, value] of Object.entries(headers)) {
    const own = /^x-kannel-(.+)$/.exec(name)?.[1];
    if (own !== undefined && typeof value === 'string') found.set(NAMES[own] ?? own, Buffer.from(value, 'latin1'));
  }
  found.set('text', text);
  const charset = /;\s*charset="?([\w-]+)/i.exec(String(headers['content-type'] ?? ''))?.[1] ?? 'UTF-8';
  if (!/^utf-?8$/i.test(charset)) throw new Refused(400, 'Charset or body misformed, rejected');
  found.set('charset', Buffer.from(charset));
  return found;
}

/** Returns a whole number, null without the parameter. Refuses other texts with the name that Kannel uses. */
function numberOf(parameters: Parameters, name: string, title: string, least: number, most: number): number | null {
  if (!parameters.has(name) || textOf(parameters, name) === '') return null;
  const value = Number(textOf(parameters, name));
  if (!Number.isInteger(value) || value < least || value > most)
    throw new Refused(400, `${title} field misformed, rejected`);
  return value;
}

/** Parameters that change how a phone reads a message, which the platform does not send. */
const NOT_SENT = ['udh', 'mwi', 'compress', 'pid'] as const;
const GSM = 0;
const UCS2 = 2;
const MOST_NUMBERS = 1_000;
const MOST_MINUTES = 7 * 24 * 60;
const MOST_TAG = 50;

/** Messages of a request, one for each recipient. `now` is the time in ms. */
export function submissionsOf(parameters: Parameters, now: number): Submission[] {
  if (!parameters.has('to')) throw new Refused(400, 'Missing receiver number, rejected');
  const to = [...new Set(textOf(parameters, 'to').split(/\s+/).filter(Boolean))];
  if (to.length === 0) throw new Refused(400, 'Empty receiver number not allowed, rejected');
  if (to.length > MOST_NUMBERS) throw new Refused(400, `More than ${MOST_NUMBERS} receiver numbers, rejected`);
  const from = textOf(parameters, 'from').trim();
  if (from === '') throw new Refused(400, 'Sender missing and no global set, rejected');
  const zero = (name: string) => ['', '0'].includes(textOf(parameters, name));
  const unsent = NOT_SENT.find((name) => (name === 'udh' || name === 'mwi' ? parameters.has(name) : !zero(name)));
  if (unsent !== undefined) throw new Refused(400, `${unsent} is not supported here, rejected`);
  const coding = numberOf(parameters, 'coding', 'Coding', 0, 2) ?? GSM;
  if (coding === 1) throw new Refused(400, 'coding=1 (binary) is not supported here, rejected');
  const mclass = numberOf(parameters, 'mclass', 'MClass', 0, 3);
  if (mclass !== null && mclass > 1) throw new Refused(400, 'mclass 2 and 3 are not supported here, rejected');
  const deferred = numberOf(parameters, 'deferred', 'Deferred', 0, MOST_MINUTES);
  const account = textOf(parameters, 'account');
  if (account.length > MOST_TAG || /\p{Cc}/u.test(account))
    throw new Refused(400, 'Account field misformed or too long, rejected');
  const shared = {
    from,
    text: messageText(parameters, coding),
    encoding: coding === UCS2 ? ('ucs2' as const) : ('auto' as const),
    flash: mclass === 0,
    class: 'transactional' as const,
    send_at: deferred ? new Date(now + deferred * 60_000).toISOString() : null,
    validity_minutes: numberOf(parameters, 'validity', 'Validity', 1, MOST_MINUTES),
    tags: account === '' ? [] : [account],
    tells: true,
    ...reportOf(parameters),
  };
  return to.map((number) => ({ to: number, ...shared }));
}

/** Text in the charset that the request names: UTF-8 without one, UTF-16BE for UCS-2. */
function messageText(parameters: Parameters, coding: number): string {
  const bytes = parameters.get('text') ?? Buffer.alloc(0);
  const named = textOf(parameters, 'charset');
  try {
    const charset = named === '' ? (coding === UCS2 ? 'utf-16be' : 'utf-8') : named;
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes);
    if (text === '') throw new Refused(400, 'Empty text and no UDH, rejected');
    return text;
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(400, 'Charset or body misformed, rejected');
  }
}

const MOST_URL = 2_000;

/** Address and mask of the wanted reports, if there are any. */
function reportOf(parameters: Parameters): Pick<Submission, 'callback_url' | 'callback_form'> {
  const mask = numberOf(parameters, 'dlr-mask', 'DLR-Mask', 0, 31) ?? 0;
  const url = textOf(parameters, 'dlr-url');
  if (mask === 0 || url === '') return {};
  if (!/^https?:\/\//.test(url) || url.length > MOST_URL || !URL.canParse(url))
    throw new Refused(400, 'DLR-URL field misformed, rejected');
  return { callback_url: url, callback_form: `kannel:${mask}` };
}

import type { Submission } from '#modules/intake';
import { addressParameters, membersOf, type Parameters, parametersOf, Refused, textOf } from './door-request.ts';

// Vonage's SMS API, once Nexmo's (Vonage documentation, "SMS API"). Parameters come in the address, as a form, or as JSON.

/** Numbers of refusals that programs know. */
export const VONAGE = {
  done: 0,
  throttled: 1,
  missing: 2,
  invalid: 3,
  credentials: 4,
  internal: 5,
  unroutable: 6,
  barred: 7,
  suspended: 8,
  unpaid: 9,
  tooLong: 12,
  signature: 14,
  sender: 15,
  callback: 23,
} as const;

/** Refusal with Vonage's number. */
export class VonageRefused extends Refused {
  constructor(status: number, sentence: string) {
    super(status, sentence);
  }
}

/** Reads the parameters of a request: those of the address, then those of the body. */
export function vonageParameters(address: string, body: Buffer | undefined, type: string): Parameters {
  const found = addressParameters(address);
  if (body === undefined || body.length === 0) return found;
  const own = /^application\/json\b/i.test(type) ? membersOf(body) : parametersOf(body.toString('latin1'));
  for (const [name, value] of own) found.set(name, value);
  return found;
}

const LEAST_TTL_MS = 20_000;
const MOST_TTL_MS = 7 * 86_400_000;
const MINUTE_MS = 60_000;
const MOST_URL = 2_000;
const MOST_REF = 64;
/** Parameters that change how a phone reads a message, or ask for what is not done here. */
const NOT_DONE = ['body', 'udh', 'protocol-id', 'title', 'url', 'validity', 'vcal', 'vcard'] as const;

/** Returns the message of a request; `apiKey` is named in its report. Throws `VonageRefused`. */
export function submissionOf(parameters: Parameters, apiKey: string): Submission {
  if (parameters.has('sig'))
    throw new VonageRefused(VONAGE.signature, 'Signed requests are not supported here: send api_key and api_secret.');
  for (const name of ['to', 'from', 'text'])
    if (textOf(parameters, name) === '') throw new VonageRefused(VONAGE.missing, `Missing ${name} param`);
  const unsent = NOT_DONE.find((name) => parameters.has(name));
  if (unsent !== undefined) throw new VonageRefused(VONAGE.invalid, `The param ${unsent} is not supported here`);
  const type = valueIn(parameters, 'type', ['text', 'unicode'], 'text');
  const shown = valueIn(parameters, 'message-class', ['0', '1'], '1');
  const ref = textOf(parameters, 'client-ref');
  if (ref.length > MOST_REF || /\p{Cc}/u.test(ref)) throw invalid('client-ref');
  return {
    from: textOf(parameters, 'from')
      .trim()
      .replace(/^\+(?=\d+$)/, ''),
    to: textOf(parameters, 'to').trim(),
    text: textIn(parameters),
    encoding: type === 'unicode' ? 'ucs2' : 'auto',
    flash: shown === '0',
    class: 'transactional',
    client_ref: ref || null,
    validity_minutes: minutesOf(textOf(parameters, 'ttl')),
    tags: [],
    tells: true,
    ...reportOf(parameters, apiKey),
  };
}

const invalid = (name: string) => new VonageRefused(VONAGE.invalid, `Invalid value for param: ${name}`);

function valueIn(parameters: Parameters, name: string, values: readonly string[], otherwise: string): string {
  const value = textOf(parameters, name) || otherwise;
  if (!values.includes(value)) throw invalid(name);
  return value;
}

function textIn(parameters: Parameters): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(parameters.get('text'));
  } catch {
    throw invalid('text');
  }
}

function minutesOf(ttl: string): number | null {
  if (ttl === '') return null;
  const ms = Number(ttl);
  if (!Number.isInteger(ms) || ms < LEAST_TTL_MS || ms > MOST_TTL_MS) throw invalid('ttl');
  return Math.ceil(ms / MINUTE_MS);
}

function reportOf(parameters: Parameters, apiKey: string): Pick<Submission, 'callback_url' | 'callback_form'> {
  const wanted = valueIn(parameters, 'status-report-req', ['true', 'false', '1', '0'], 'true');
  const url = textOf(parameters, 'callback');
  if (url === '' || wanted === 'false' || wanted === '0') return {};
  if (!/^https?:\/\//.test(url) || url.length > MOST_URL || !URL.canParse(url))
    throw new VonageRefused(VONAGE.callback, 'Invalid Callback Url');
  return { callback_url: url, callback_form: `vonage:${apiKey}` };
}

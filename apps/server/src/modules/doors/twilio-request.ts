import { idOfSid } from '@heliograph/contract/api/twilio';
import type { WantedMessages } from '#modules/api';
import type { Submission } from '#modules/intake';
import { type Parameters, Refused, textOf } from './door-request.ts';

// Twilio's Messages (Twilio documentation, "Messages resource", version 2010-04-01). Parameters come as a form.

/** Refusal with the number that Twilio's libraries know. */
export class TwilioRefused extends Refused {
  readonly code: number;

  constructor(code: number, sentence: string, status = 400) {
    super(status, sentence);
    this.code = code;
  }
}

/** Error of an invalid parameter that has no number of its own. */
const INVALID = 20_001;
const MOST_URL = 2_000;
const MOST_SECONDS = 7 * 86_400;
const SECONDS_OF_MINUTE = 60;

/** Parameters that ask for what is not done here; null refuses each value, a text only that one. */
const NOT_DONE: Readonly<Record<string, string | null>> = {
  MediaUrl: null,
  ContentSid: null,
  ContentVariables: null,
  PersistentAction: null,
  ApplicationSid: null,
  MessagingServiceSid: null,
  FallbackFrom: null,
  MaxPrice: null,
  ContentRetention: 'discard',
  AddressRetention: 'obfuscate',
  ShortenUrls: 'true',
  SendAsMms: 'true',
};

/** Returns the message of a call that creates one. `keyId` signs its reports. Throws `TwilioRefused`. */
export function submissionOf(parameters: Parameters, keyId: number | null): Submission {
  for (const [name, refused] of Object.entries(NOT_DONE)) {
    const value = textOf(parameters, name);
    if (value !== '' && (refused === null || value === refused))
      throw new TwilioRefused(INVALID, `The parameter ${name} is not supported here.`);
  }
  const to = textOf(parameters, 'To').trim();
  if (to === '') throw new TwilioRefused(21_604, "A 'To' phone number is required.");
  const from = textOf(parameters, 'From').trim();
  if (from === '') throw new TwilioRefused(21_603, "A 'From' sender ID is required.");
  const body = textOf(parameters, 'Body');
  if (body === '') throw new TwilioRefused(21_602, 'Message body is required.');
  return {
    from: numberOf(from),
    to,
    text: body,
    class: 'transactional',
    send_at: startOf(parameters),
    validity_minutes: minutesOf(textOf(parameters, 'ValidityPeriod')),
    tags: [],
    tells: true,
    ...reportOf(textOf(parameters, 'StatusCallback'), keyId),
  };
}

/** Returns a number without the plus of E.164; another sender ID as it is. */
const numberOf = (name: string): string => (/^\+\d+$/.test(name) ? name.slice(1) : name);

function startOf(parameters: Parameters): string | null {
  const at = textOf(parameters, 'SendAt');
  if (at === '') return null;
  if (textOf(parameters, 'ScheduleType') !== 'fixed')
    throw new TwilioRefused(INVALID, "ScheduleType must be 'fixed' for a message with SendAt.");
  return momentOf('SendAt', at);
}

function momentOf(name: string, text: string): string {
  const at = /^\d{4}-\d\d-\d\d([T ][\d:.]+(Z|[+-]\d\d:?\d\d)?)?$/.test(text) ? new Date(text) : undefined;
  if (at === undefined || Number.isNaN(at.getTime()))
    throw new TwilioRefused(INVALID, `The value of ${name} is not a time of ISO 8601.`);
  return at.toISOString();
}

function minutesOf(seconds: string): number | null {
  if (seconds === '') return null;
  const value = Number(seconds);
  if (!Number.isInteger(value) || value < 1 || value > MOST_SECONDS)
    throw new TwilioRefused(INVALID, `ValidityPeriod must be 1 to ${MOST_SECONDS} seconds.`);
  return Math.ceil(value / SECONDS_OF_MINUTE);
}

function reportOf(url: string, keyId: number | null): Pick<Submission, 'callback_url' | 'callback_form'> {
  if (url === '') return {};
  if (!/^https?:\/\//.test(url) || url.length > MOST_URL || !URL.canParse(url))
    throw new TwilioRefused(21_609, 'Invalid StatusCallback URL.');
  return { callback_url: url, callback_form: `twilio:${keyId}` };
}

const PAGE_SIZE = 50;
const MOST_ON_PAGE = 1_000;
const DAY_MS = 86_400_000;
/** Beginning of a token that names the last message of a page. */
const TOKEN = 'SM';

/** Page of a list, and the messages that it has. */
export interface WantedPage extends WantedMessages {
  page: number;
}

/** Returns the page that a call for a list wants. Throws `TwilioRefused`. */
export function pageOf(parameters: Parameters): WantedPage {
  const count = (name: string, otherwise: number, least: number, most: number) => {
    const text = textOf(parameters, name);
    const value = text === '' ? otherwise : Number(text);
    if (!Number.isInteger(value) || value < least)
      throw new TwilioRefused(INVALID, `The value of ${name} is not a number of at least ${least}.`);
    return Math.min(value, most);
  };
  const page = count('Page', 0, 0, Number.MAX_SAFE_INTEGER);
  const token = textOf(parameters, 'PageToken');
  const before = token === '' ? null : (idOfSid(TOKEN, token) ?? null);
  if ((page > 0 || token !== '') && before === null)
    throw new TwilioRefused(INVALID, 'Pages after the first need their PageToken: follow next_page_uri.');
  const day = textOf(parameters, 'DateSent');
  const since = textOf(parameters, 'DateSent>');
  const until = textOf(parameters, 'DateSent<');
  const from = textOf(parameters, 'From').trim();
  return {
    page,
    before,
    limit: count('PageSize', PAGE_SIZE, 1, MOST_ON_PAGE),
    to: textOf(parameters, 'To').replace(/\D/g, '') || null,
    from: from === '' ? null : numberOf(from),
    since: since !== '' ? momentOf('DateSent>', since) : day !== '' ? startOfDay(day) : null,
    until: until !== '' ? momentOf('DateSent<', until) : day !== '' ? startOfDay(day, 1) : null,
  };
}

/** Returns the beginning of a day in UTC, or of a later one. */
const startOfDay = (day: string, later = 0): string => {
  const start = Date.parse(momentOf('DateSent', day).slice(0, 10));
  return new Date(start + later * DAY_MS).toISOString();
};

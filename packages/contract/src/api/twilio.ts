import type { API_MESSAGE_STATES } from './message.ts';

// Names, numbers and states as programs of Twilio know them (Twilio documentation, "Messages resource").

/** Version of Twilio's API, with which the paths of its calls begin. */
export const TWILIO_VERSION = '2010-04-01';

/** Characters of a name in Twilio's form, after its two letters. */
const SID_DIGITS = 32;
const sid = (letters: string, id: number | string): string =>
  letters + BigInt(id).toString(16).padStart(SID_DIGITS, '0');
/** Returns the account SID with which programs of Twilio sign in: the id of a key, which a new key in its place keeps. */
export const accountSid = (keyId: number): string => sid('AC', keyId);
/** Returns the name of a message for programs of Twilio. */
export const messageSid = (id: number | string): string => sid('SM', id);
/** Returns the id in a name of these letters; undefined for any other text. */
export function idOfSid(letters: 'AC' | 'SM', name: string): number | undefined {
  const digits = new RegExp(`^${letters}([0-9a-f]{${SID_DIGITS}})$`).exec(name)?.[1];
  const id = digits === undefined ? Number.NaN : Number(BigInt(`0x${digits}`));
  return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** Returns a number in E.164; masked ones and other sender IDs as they are. */
export const e164 = (name: string): string => (/^\d{7,}/.test(name) ? `+${name}` : name);

const UNKNOWN_ERROR = 30_008;
/** Statuses of the states of a message, and the error numbers of those that were not delivered. */
export const TWILIO_STATUSES: Readonly<
  Record<(typeof API_MESSAGE_STATES)[number], { status: string; error: number | null }>
> = {
  pending: { status: 'queued', error: null },
  scheduled: { status: 'scheduled', error: null },
  submitted: { status: 'sent', error: null },
  delivered: { status: 'delivered', error: null },
  expired: { status: 'undelivered', error: 30_036 },
  cancelled: { status: 'canceled', error: null },
  failed_internal: { status: 'failed', error: UNKNOWN_ERROR },
  failed_billing: { status: 'failed', error: 30_002 },
  failed_submit: { status: 'failed', error: UNKNOWN_ERROR },
  failed_other: { status: 'undelivered', error: UNKNOWN_ERROR },
  blocked: { status: 'failed', error: 30_007 },
};

import type { apiMessage } from '@heliograph/contract/api/message';
import { accountSid, e164, messageSid, TWILIO_STATUSES, TWILIO_VERSION } from '@heliograph/contract/api/twilio';
import { ERRORS, type ErrorCode } from '@heliograph/contract/kernel/errors';
import type { z } from 'zod';
import type { BusinessError } from '#platform/errors';
import { DENIALS, sentenceOf } from './door-answers.ts';

/** Message of `/v1/messages`, or as much of it as is known when it is accepted. */
export type ShownMessage = Pick<
  z.output<typeof apiMessage>,
  | 'id'
  | 'from'
  | 'to'
  | 'text'
  | 'state'
  | 'error_code'
  | 'parts'
  | 'price'
  | 'currency'
  | 'send_at'
  | 'created_at'
  | 'done_at'
>;

/** A moment as RFC 2822 writes it. */
const rfc2822 = (at: string | null): string | null =>
  at === null ? null : new Date(at).toUTCString().replace('GMT', '+0000');

/** Returns a message as Twilio's Message resource. */
export function messageResource(keyId: number, message: ShownMessage) {
  const account_sid = accountSid(keyId);
  const sid = messageSid(message.id);
  const { status, error } = TWILIO_STATUSES[message.state];
  const waits = status === 'queued' || status === 'scheduled';
  const uri = `/${TWILIO_VERSION}/Accounts/${account_sid}/Messages/${sid}`;
  return {
    account_sid,
    api_version: TWILIO_VERSION,
    body: message.text ?? '',
    date_created: rfc2822(message.created_at),
    date_sent: waits ? null : rfc2822(message.send_at ?? message.created_at),
    date_updated: rfc2822(message.done_at ?? message.created_at),
    direction: 'outbound-api',
    error_code: error,
    error_message: error === null ? null : message.error_code,
    from: e164(message.from),
    messaging_service_sid: null,
    num_media: '0',
    num_segments: String(message.parts),
    price: waits ? null : `-${message.price}`,
    price_unit: message.currency,
    sid,
    status,
    subresource_uris: { media: `${uri}/Media.json` },
    to: e164(message.to),
    uri: `${uri}.json`,
  };
}

/** Fault of a call as Twilio's libraries read it. */
export interface TwilioFault {
  code: number;
  message: string;
  status: number;
}

/** Numbers of errors by the field and the rule that refuse a message. */
const BY_FIELD: Readonly<Record<string, number>> = {
  'to.opted_out': 21_610,
  'to.no_consent': 21_610,
  'to.destination_unavailable': 21_612,
  to: 21_211,
  from: 21_606,
  'text.required': 21_602,
  'text.text_too_long': 21_617,
  'text.blocked_text': 30_007,
};
const BY_CODE: Partial<Record<ErrorCode, number>> = {
  unauthenticated: 20_003,
  not_found: 20_404,
  method_not_allowed: 20_004,
  too_many_requests: 20_429,
  no_route: 21_612,
  insufficient_credit: 20_005,
  billing_account_missing: 20_005,
  billing_account_suspended: 20_005,
  billing_account_held: 20_005,
};
const INVALID = 20_001;
const FAULT = 20_500;

/** Returns the fault of an error of the platform. Its sentence names the field. */
export function faultOf(error: BusinessError): TwilioFault {
  const { status } = ERRORS[error.code];
  const [field, faults] = Object.entries(error.fields ?? {})[0] ?? [];
  const code =
    (field === undefined ? undefined : (BY_FIELD[`${field}.${faults?.[0]?.key}`] ?? BY_FIELD[field])) ??
    BY_CODE[error.code] ??
    (DENIALS.has(error.code) ? 20_003 : status >= 500 ? FAULT : INVALID);
  const message = error.code === 'unauthenticated' ? 'Authenticate' : sentenceOf(error);
  // Faults of a message are bad requests there, whatever they are here.
  return { code, message, status: field === undefined ? status : 400 };
}

/** Returns the body of a fault. */
export const faultBody = ({ code, message, status }: TwilioFault) => ({
  code,
  message,
  more_info: `https://www.twilio.com/docs/errors/${code}`,
  status,
});

/** Fault of a bug of ours. */
export const OUR_FAULT: TwilioFault = { code: FAULT, message: 'An internal server error has occurred.', status: 500 };

import { createHmac } from 'node:crypto';
import {
  accountSid,
  e164,
  idOfSid,
  messageSid,
  TWILIO_STATUSES,
  TWILIO_VERSION,
} from '@heliograph/contract/api/twilio';
import { type Queryable, rowsOf } from '#platform/database/queryable';
import { accountToken } from '#platform/process/account-token';
import { brief, type Report, type ReportedMessage } from './reported-message.ts';

// Reports of outcomes as programs written for Twilio expect them (Twilio documentation, "Track outbound message status").

/** Form of callbacks that Twilio's programs want: the id of the key whose token signs them. */
const FORM = /^twilio:(\d+)$/;
/** Beginning of the body of each report. */
const START = `ApiVersion=${TWILIO_VERSION}&AccountSid=`;
/** Returns the call that reports an outcome, or undefined if the form is not Twilio's. */
export function twilioReport(url: string, form: string, message: ReportedMessage): Report | undefined {
  const key = FORM.exec(form)?.[1];
  if (key === undefined) return undefined;
  const { status, error } = TWILIO_STATUSES[message.state as keyof typeof TWILIO_STATUSES];
  const sid = messageSid(message.id);
  const values = new URLSearchParams({
    ApiVersion: TWILIO_VERSION,
    AccountSid: accountSid(Number(key)),
    MessageSid: sid,
    MessageStatus: status,
    SmsSid: sid,
    SmsStatus: status,
    From: e164(message.from ?? ''),
    To: e164(message.to ?? ''),
    RawDlrDoneDate: brief(message.done_at),
    ...(error !== null && { ErrorCode: String(error) }),
  });
  return { url, body: values.toString() };
}

/**
 * Returns the signature of a report with the present token of its key: HMAC-SHA1 of the address and the sorted
 * parameters (Twilio documentation, "Validating requests"). Undefined for other bodies, and if the key is gone.
 */
export async function twilioSignature(
  db: Queryable,
  installationKey: Buffer,
  { url, body }: { url: string | null; body: string },
): Promise<string | undefined> {
  if (url === null || !body.startsWith(START)) return undefined;
  const values = [...new URLSearchParams(body)].sort(([a], [b]) => (a < b ? -1 : 1));
  const account = values.find(([name]) => name === 'AccountSid')![1];
  const [key] = await rowsOf<{ digest: Buffer }>(db, 'SELECT digest FROM api_key WHERE id = $1', [
    idOfSid('AC', account) ?? 0,
  ]);
  if (!key) return undefined;
  return createHmac('sha1', accountToken(installationKey, key.digest))
    .update(url + values.flat().join(''))
    .digest('base64');
}

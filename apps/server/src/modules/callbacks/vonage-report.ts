import { brief, type Report, type ReportedMessage, seconds, withParameters } from './reported-message.ts';

// Reports of outcomes as programs written for Vonage expect them (Vonage documentation, "Delivery receipts").

/** Form of callbacks that Vonage's programs want: the `api_key` that they named. */
const FORM = /^vonage:(\S+)$/;
const STATUSES: Readonly<Record<string, string>> = { delivered: 'delivered', expired: 'expired', blocked: 'rejected' };
const DELIVERED = '0';
const UNKNOWN_ERROR = '1';

/** Returns the call that reports an outcome, or undefined if the form is not Vonage's. */
export function vonageReport(url: string, form: string, message: ReportedMessage): Report | undefined {
  const key = FORM.exec(form)?.[1];
  if (key === undefined) return undefined;
  const { id, state, from, to, price, client_ref, done_at } = message;
  const values = {
    msisdn: to ?? '',
    to: from ?? '',
    messageId: id,
    price: price ?? '',
    status: STATUSES[state] ?? 'failed',
    scts: brief(done_at),
    'err-code': state === 'delivered' ? DELIVERED : UNKNOWN_ERROR,
    'api-key': key,
    'message-timestamp': seconds(done_at),
    ...(client_ref !== null && { 'client-ref': client_ref }),
  };
  return { url: withParameters(url, new URLSearchParams(values).toString()), body: '' };
}

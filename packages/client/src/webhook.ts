import { WebhookError } from './errors.ts';
import type {
  BalanceLowCallback,
  CampaignFinishedCallback,
  MessageCorrectedCallback,
  MessageDeliveredCallback,
  MessageExpiredCallback,
  MessageFailedCallback,
  MessageReceivedCallback,
} from './types.ts';

/** Event that a callback carries; `type` names the kind of its `data`. */
export type CallbackEvent =
  | MessageDeliveredCallback
  | MessageFailedCallback
  | MessageExpiredCallback
  | MessageCorrectedCallback
  | MessageReceivedCallback
  | CampaignFinishedCallback
  | BalanceLowCallback;

/** Headers as frameworks pass them: those of fetch, or an object with lower-case names as in Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A callback with a valid signature. */
export interface VerifiedCallback {
  /** Id that is the same at every try: ignore a callback with an id that you have processed. */
  id: string;
  event: CallbackEvent;
}

const TOLERANCE_SECONDS = 5 * 60;

/**
 * Checks a callback according to Standard Webhooks 1.0. `payload` is the body exactly as it arrived. `secrets` are the
 * valid ones: one, or two while the secret changes. Throws WebhookError; answer 400 in that case.
 */
export async function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: { toleranceSeconds?: number; now?: () => number } = {},
): Promise<VerifiedCallback> {
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = headers instanceof Headers ? headers.get(name) : headers[name];
    if (typeof value !== 'string' || value === '') throw new WebhookError(`The header ${name} is missing.`);
    return value;
  }) as [string, string, string];
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('The header webhook-timestamp is not a number of seconds.');
  if (Math.abs(now() / 1_000 - Number(timestamp)) > toleranceSeconds)
    throw new WebhookError('The callback is too old, or the clock of this computer is wrong.');

  const text = typeof payload === 'string' ? payload : new TextDecoder().decode(payload);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  const given = signatures.split(' ').flatMap((each) => (each.startsWith('v1,') ? [bytesOf(each.slice(3))] : []));
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await crypto.subtle.importKey('raw', secretBytes(secret), { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify',
    ]);
    // crypto.subtle compares in constant time.
    for (const signature of given)
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed)))
        return { id, event: JSON.parse(text) as CallbackEvent };
  }
  throw new WebhookError('No signature of the callback matches any of the secrets.');
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function secretBytes(secret: string): Uint8Array<ArrayBuffer> {
  const bytes = secret.startsWith('whsec_') ? bytesOf(secret.slice('whsec_'.length)) : undefined;
  if (!bytes || bytes.length === 0)
    throw new WebhookError('The secret must be as the console showed it; it begins with whsec_.');
  return bytes;
}

import { createHmac, randomBytes } from 'node:crypto';

/** As Standard Webhooks 1.0 writes a symmetric secret. */
const PREFIX = 'whsec_';

/** A new secret of 32 random bytes. */
export const newSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

/** For which an endpoint's secrets are sealed. */
export const secretContext = (endpointId: number): string => `callback_secret.sealed.${endpointId}`;

/** The bytes that sign. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

/** The headers of Standard Webhooks 1.0; each key signs, so that a receiver may know the old one or the new one. */
export function signedHeaders(
  keys: readonly Buffer[],
  webhookId: string,
  seconds: number,
  body: string,
): Record<string, string> {
  const signed = `${webhookId}.${seconds}.${body}`;
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': String(seconds),
    'webhook-signature': keys.map((key) => `v1,${createHmac('sha256', key).update(signed).digest('base64')}`).join(' '),
  };
}

/** The name of an event in all callbacks about it. */
export const webhookId = (eventId: number): string => `evt_${eventId}`;

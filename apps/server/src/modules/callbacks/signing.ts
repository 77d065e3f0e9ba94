import { createHmac, randomBytes } from 'node:crypto';

/** Prefix of a symmetric secret, by Standard Webhooks 1.0. */
const PREFIX = 'whsec_';

/** Makes a new secret of 32 random bytes. */
export const newSecret = (): string => `${PREFIX}${randomBytes(32).toString('base64')}`;

/** Returns the context in which an endpoint's secrets are sealed. */
export const secretContext = (endpointId: number): string => `callback_secret.sealed.${endpointId}`;

/** Returns the bytes that sign. */
export const keyOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');

/**
 * Returns the headers of Standard Webhooks 1.0. Each key signs, so that the receiver may know either the old or the new
 * one.
 */
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

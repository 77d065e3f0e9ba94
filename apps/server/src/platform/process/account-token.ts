import { createHmac, timingSafeEqual } from 'node:crypto';

const CHARACTERS = 32;

/**
 * Returns the token of an API key for programs of Twilio. Unlike the key, the server can make it again from the stored
 * digest, because reports of outcomes are signed with it. A copy of the database without the installation's key cannot.
 */
export const accountToken = (installationKey: Buffer, digest: Buffer): string =>
  createHmac('sha256', installationKey)
    .update('heliograph account token')
    .update(digest)
    .digest('hex')
    .slice(0, CHARACTERS);

/** Tells if a caller knows the token, in a time that does not depend on how much of it is right. */
export const knowsToken = (token: string, installationKey: Buffer, digest: Buffer): boolean =>
  token.length === CHARACTERS &&
  timingSafeEqual(Buffer.from(token), Buffer.from(accountToken(installationKey, digest)));

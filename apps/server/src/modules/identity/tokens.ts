import { createHash, createHmac } from 'node:crypto';

/** Lives of the two tokens, in seconds. */
export const ACCESS_SECONDS = 15 * 60;
export const REFRESH_SECONDS = 30 * 24 * 3600;

type Purpose = 'access' | 'refresh';

/**
 * Turns the id of a token pair into its tokens. It needs both the row and the key. With both it can be repeated: this
 * is how a second tab gets the same successor.
 */
export function tokenMaker(key: Buffer): (purpose: Purpose, pairId: string) => string {
  const secret = createHmac('sha256', key).update('session tokens').digest();
  return (purpose, pairId) =>
    `hg${purpose[0]}_${createHmac('sha256', secret).update(`${purpose} ${pairId}`).digest('base64url')}`;
}

/** Answers the digest of a token that the table stores. 256 random bits need no salt and no slow hash. */
export function tokenDigest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

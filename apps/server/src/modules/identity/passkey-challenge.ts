import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { BusinessError } from '#platform/errors';
import type { Retention } from '#platform/jobs/retention';
import type { Identity } from './session-tokens.ts';

/** Answered challenges are kept for longer than they are valid. */
export const challengeRetention: Retention = {
  table: 'passkey_challenge',
  days: 1,
  since: 'used_at',
  order: ['used_at'],
  rows: 10_000,
};

const LIFE_SECONDS = 300;
const NONCE_BYTES = 16;
const EXPIRY_BYTES = 6;
const SEAL_BYTES = 16;
const BODY_BYTES = NONCE_BYTES + EXPIRY_BYTES;

/** Purpose of a challenge. A proof for one purpose, host or subject is worth nothing for another. */
export interface Asked {
  purpose: 'add' | 'sign-in' | 'check' | 'proof';
  host: string;
  /** The person who adds a passkey, or the session that waits or proves; empty if nobody has signed in yet. */
  subject: string;
}

const sealOf = (key: Buffer, { purpose, host, subject }: Asked, body: Buffer): Buffer =>
  createHmac('sha256', key)
    .update(JSON.stringify(['passkey challenge', purpose, host, subject, body.toString('hex')]))
    .digest()
    .subarray(0, SEAL_BYTES);

/**
 * Makes a challenge: random bits, the time until which it may be answered, and the server's seal over both. Nothing is
 * stored, so that strangers who ask for challenges fill no table.
 */
export function makeChallenge({ key, clock }: Identity, asked: Asked): Uint8Array<ArrayBuffer> {
  const body = Buffer.alloc(BODY_BYTES);
  randomBytes(NONCE_BYTES).copy(body);
  body.writeUIntBE(Math.floor(clock.now().getTime() / 1000) + LIFE_SECONDS, NONCE_BYTES, EXPIRY_BYTES);
  return Uint8Array.from(Buffer.concat([body, sealOf(key, asked, body)]));
}

/** Tells whether a challenge in base64url is one that this server made for that, and is still valid. */
export function isChallenge({ key, clock }: Identity, asked: Asked, challenge: string): boolean {
  const bytes = Buffer.from(challenge, 'base64url');
  if (bytes.length !== BODY_BYTES + SEAL_BYTES) return false;
  const body = bytes.subarray(0, BODY_BYTES);
  return (
    timingSafeEqual(bytes.subarray(BODY_BYTES), sealOf(key, asked, body)) &&
    body.readUIntBE(NONCE_BYTES, EXPIRY_BYTES) * 1000 > clock.now().getTime()
  );
}

/** Uses up a challenge, also with parallel requests. Throws `passkey_refused` if it was answered before. */
export async function useChallenge(db: Kysely<Database>, { clock }: Identity, challenge: string): Promise<void> {
  const digest = createHash('sha256').update(Buffer.from(challenge, 'base64url')).digest();
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('passkey_challenge')
    .values({ digest, used_at: clock.now().toISOString() })
    .onConflict((c) => c.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows !== 1n) throw new BusinessError('passkey_refused');
}

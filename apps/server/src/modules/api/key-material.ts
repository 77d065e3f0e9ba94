import { createHash, randomBytes } from 'node:crypto';

const SHOWN = 6;

/**
 * Makes a new key, with the prefix by which people recognize it and the digest that the table stores: 256 random bits
 * need no slow hash.
 */
export function newKey(mode: 'live' | 'test'): { key: string; prefix: string; digest: Buffer } {
  const start = `hk_${mode}_`;
  const key = start + randomBytes(32).toString('base64url');
  return { key, prefix: key.slice(0, start.length + SHOWN), digest: digestOf(key) };
}

export const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** Form of a key; other texts are never looked up. */
export const KEY = /^hk_(live|test)_[\w-]{43}$/;

/** Form of an account SID with its token, as the interface of Twilio hands them on. */
export const ACCOUNT = /^(AC[0-9a-f]{32}):([0-9a-f]{32})$/;

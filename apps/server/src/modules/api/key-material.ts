import { createHash, randomBytes } from 'node:crypto';

const SHOWN = 6;

/** A new key, by what it is known again, and what the table keeps of it: 256 random bits need no slow hash. */
export function newKey(mode: 'live' | 'test'): { key: string; prefix: string; digest: Buffer } {
  const start = `hk_${mode}_`;
  const key = start + randomBytes(32).toString('base64url');
  return { key, prefix: key.slice(0, start.length + SHOWN), digest: digestOf(key) };
}

export const digestOf = (key: string): Buffer => createHash('sha256').update(key).digest();

/** What a key looks like; what does not is not looked for. */
export const KEY = /^hk_(live|test)_[\w-]{43}$/;

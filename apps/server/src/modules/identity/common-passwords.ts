import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/**
 * Bytes of each entry: the beginning of a SHA-1, as services for leaked passwords answer it. The file has no password,
 * and one in a billion others is taken for one.
 */
const BYTES = 6;
/** Shortest entry. The rule for passwords refuses most shorter ones. */
const SHORTEST = 7;

let list: Buffer | undefined;

/** Returns a password as it is compared: in small letters, without signs. */
const plain = (password: string): string =>
  password
    .toLowerCase()
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]/gu, '');

/**
 * Returns the file of a list of passwords: of each one that is long enough, the first six bytes of the SHA-1 of its plain
 * form, each once, sorted, without anything between them. `scripts/generate-common-passwords.ts` writes it.
 */
export function packPasswords(passwords: readonly string[]): Buffer {
  const texts = new Set(passwords.map(plain).filter((text) => text.length >= SHORTEST));
  return Buffer.concat([...texts].map(beginningOf).sort(Buffer.compare));
}

/** Returns the entry of a password in its plain form. */
const beginningOf = (text: string): Buffer => createHash('sha1').update(text).digest().subarray(0, BYTES);

/**
 * Tells whether a password, without its signs, is among the leaked ones that people use most. The list ships with the
 * program; no service is asked.
 */
export function isLeaked(password: string): boolean {
  const text = plain(password);
  if (text.length < SHORTEST) return false;
  list ??= readFileSync(new URL('./common-passwords.bin', import.meta.url));
  const wanted = beginningOf(text);
  let [low, high] = [0, list.length / BYTES - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const order = wanted.compare(list, middle * BYTES, (middle + 1) * BYTES);
    if (order === 0) return true;
    if (order < 0) high = middle - 1;
    else low = middle + 1;
  }
  return false;
}

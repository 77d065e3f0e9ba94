import { createCipheriv, createDecipheriv } from 'node:crypto';
import { randomPiece } from '#platform/process/random';

// Texts of messages that are encrypted with a key of their corporation. A stored one is `MARK number . sealed`: the
// number of the key, and nonce, tag and cipher in base64url. Statements add the corporation and the place of the row
// with `placed_text`: `MARK corporation . place . number . sealed`. These are authenticated, so a text that was moved
// to another row or corporation does not open.

/** First character of an encrypted text; no accepted text begins with it. */
const MARK = '\u0002';
const MARK_CODE = 2;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Key of a corporation, ready for use. */
export interface TextKey {
  corporation_id: number;
  /** Number of the key within the corporation, from 1. */
  number: number;
  /** 32 bytes. */
  key: Buffer;
}

/** Encrypted text with the place of its row. */
export interface PlacedText {
  corporation_id: number;
  place: string;
  number: number;
  /** Nonce, tag and cipher in base64url. */
  sealed: string;
}

/**
 * Places of texts: a message and the common text of a chunk by id, a message from a phone and its answer by the id of
 * the inbound message, a note by its conversation, and records that are copies of each other.
 */
export type TextPlace = `${'m' | 'c' | 'i' | 'r' | 'n'}${number}` | 'campaign' | 'moderation';

/** Tells whether a text is encrypted. */
export const isSealed = (text: string | null | undefined): boolean =>
  typeof text === 'string' && text.charCodeAt(0) === MARK_CODE;

const authenticated = (corporation_id: number, place: string) => Buffer.from(`text.${corporation_id}.${place}`);

/** Encrypts a text of a corporation with AES-256-GCM for its place. */
export function sealText({ corporation_id, number, key }: TextKey, place: TextPlace, plain: string): string {
  const nonce = randomPiece(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(authenticated(corporation_id, place));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `${MARK}${number}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/** Encrypts a text if there is a key for it. A text without one loses a first character that would mark it as encrypted. */
export const sealedWith = (key: TextKey | null | undefined, place: TextPlace, plain: string): string =>
  key ? sealText(key, place, plain) : unmarked(plain);

/** Number of the key that encrypts texts with codes of corporations that have no key of their own; those begin at 1. */
export const CODE_KEY = 0;

/** Marks the places of a code in a text that will be encrypted: people see dots there. Places are `[from, after]`, in order. */
export function markHidden(text: string, hidden: readonly (readonly [number, number])[]): string {
  let marked = '';
  let at = 0;
  for (const [from, after] of hidden) {
    marked += text.slice(at, from) + MARK + text.slice(from, after) + MARK;
    at = after;
  }
  return marked + text.slice(at);
}

const HIDDEN = new RegExp(`${MARK}([^${MARK}]*)${MARK}`, 'g');

/** Returns an opened text for people: the marked places are dots. */
export const withDots = (text: string): string =>
  text.includes(MARK) ? text.replace(HIDDEN, (_, code: string) => '\u2022'.repeat(code.length)) : text;

/** Returns an opened text for a phone: the marked places as they are. */
export const wholeText = (text: string): string => text.replaceAll(MARK, '');

/** Returns a text without the characters at its beginning that mark encrypted ones: phones show nothing for them. */
export function unmarked(text: string): string {
  let from = 0;
  while (text.charCodeAt(from) === MARK_CODE) from++;
  return from === 0 ? text : text.slice(from);
}

/** Adds its corporation and place to a stored text, as the function `placed_text` of the database; others stay. */
export const placedText = <Text extends string | null>(text: Text, corporation_id: number, place: TextPlace): Text =>
  (isSealed(text) ? `${MARK}${corporation_id}.${place}.${text!.slice(1)}` : text) as Text;

/** Matches the encrypted texts with their places within a larger text. */
export const PLACED_TEXTS = new RegExp(`${MARK}\\d+\\.[a-z]+\\d*\\.\\d+\\.[\\w-]+`, 'g');

const PLACED = /^(\d+)\.([a-z]+\d*)\.(\d+)\.([\w-]+)$/;

/** Reads an encrypted text with its place; undefined if it has none. */
export function readPlaced(text: string): PlacedText | undefined {
  const [, corporation, place, number, sealed] = PLACED.exec(text.slice(1)) ?? [];
  if (sealed === undefined) return undefined;
  return { corporation_id: Number(corporation), place: place!, number: Number(number), sealed };
}

/** Opens an encrypted text; throws if key, corporation, place or bytes differ. */
export function openSealed(key: Buffer, { corporation_id, place, sealed }: PlacedText): string {
  const bytes = Buffer.from(sealed, 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(authenticated(corporation_id, place));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}

import { createHash } from 'node:crypto';
import { messageReference } from '../sending/message-reference.ts';

/** Maximum characters of a carrier's ID as it is stored; longer ones are stored as their digest. */
const LONGEST_ID = 64;

/** Writes our own reference of a part. */
export const referenceOf = (messageId: number, part: number): string => `${messageId}-${part}`;

/** Answers the number of our reference that receipts of SMPP carry; undefined for a text that is not ours. */
export function referenceNumber(text: string | undefined): number | undefined {
  const [, id, part] = /^(\d{1,16})-(\d{1,3})$/.exec(text ?? '') ?? [];
  return id === undefined ? undefined : messageReference(Number(id), Number(part));
}

/** Answers a carrier's ID in the form in which it is stored, also for spaces and characters beyond ASCII. */
export function storedId(id: string): string {
  const plain = id.trim();
  return /^[\x21-\x7e]*$/.test(plain) && plain.length <= LONGEST_ID
    ? plain
    : createHash('sha256').update(plain).digest('hex');
}

import { createHmac, timingSafeEqual } from 'node:crypto';

/** What an address opens, and for whom. */
export interface Opened {
  /** The download. */
  id: number;
  user: number;
  /** The session that asked, with which the address ends. */
  session: string;
}

const GOOD_SECONDS = 60;

function signatureOf(key: Buffer, { id, user, session }: Opened, expires: number): string {
  return createHmac('sha256', key).update(`download:${id}:${user}:${session}:${expires}`).digest('base64url');
}

/** An address from which a browser fetches a download for a minute, without the token it cannot send. */
export function signAddress(key: Buffer, opened: Opened, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + GOOD_SECONDS;
  const { id, user, session } = opened;
  const signature = signatureOf(key, opened, expires);
  return `/api/v1/downloads/${id}/file?user=${user}&session=${session}&expires=${expires}&signature=${signature}`;
}

/** Whether an address is one that was signed for just this, and still good. */
export function verifyAddress(
  key: Buffer,
  { expires, signature, ...opened }: Opened & { expires: number; signature: string },
  now: Date,
): boolean {
  const expected = Buffer.from(signatureOf(key, opened, expires));
  const given = Buffer.from(signature);
  return expires * 1000 >= now.getTime() && given.length === expected.length && timingSafeEqual(given, expected);
}

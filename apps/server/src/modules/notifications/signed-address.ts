import { createHmac, timingSafeEqual } from 'node:crypto';

/** Download that an address opens, and its person. */
export interface Opened {
  /** Id of the download. */
  id: number;
  user: number;
  /** Session that asked for it; the address ends with the session. */
  session: string;
}

const GOOD_SECONDS = 60;

function signatureOf(key: Buffer, { id, user, session }: Opened, expires: number): string {
  return createHmac('sha256', key).update(`download:${id}:${user}:${session}:${expires}`).digest('base64url');
}

/** Makes an address from which a browser fetches a download within a minute, without the token that it cannot send. */
export function signAddress(key: Buffer, opened: Opened, now: Date): string {
  const expires = Math.floor(now.getTime() / 1000) + GOOD_SECONDS;
  const { id, user, session } = opened;
  const signature = signatureOf(key, opened, expires);
  return `/api/v1/downloads/${id}/file?user=${user}&session=${session}&expires=${expires}&signature=${signature}`;
}

/** Tells whether an address was signed for exactly this download, person and session, and has not expired. */
export function verifyAddress(
  key: Buffer,
  { expires, signature, ...opened }: Opened & { expires: number; signature: string },
  now: Date,
): boolean {
  const expected = Buffer.from(signatureOf(key, opened, expires));
  const given = Buffer.from(signature);
  return expires * 1000 >= now.getTime() && given.length === expected.length && timingSafeEqual(given, expected);
}

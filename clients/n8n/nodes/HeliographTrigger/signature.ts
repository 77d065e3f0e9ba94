import { createHmac, timingSafeEqual } from 'node:crypto';

const PREFIX = 'whsec_';
/** Oldest and newest call that is taken, in seconds. */
const TOLERANCE = 300;

/** Tells whether a callback was signed with a secret, by Standard Webhooks 1.0. `now` is in seconds. */
export function isSigned(
  secret: string,
  headers: Readonly<Record<string, unknown>>,
  body: string,
  now = Math.floor(Date.now() / 1_000),
): boolean {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) => headers[`webhook-${name}`]);
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return false;
  // Text that is no number compares as false.
  if (!(Math.abs(now - Number(timestamp)) <= TOLERANCE)) return false;
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const right = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest();
  return signatures.split(' ').some((each) => {
    const given = Buffer.from(each.replace(/^v1,/, ''), 'base64');
    return given.length === right.length && timingSafeEqual(given, right);
  });
}

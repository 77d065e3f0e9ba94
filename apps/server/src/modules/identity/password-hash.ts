import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { BusinessError } from '#platform/errors';

const derive = promisify(argon2);

/** The OWASP floor for argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
const SALT_BYTES = 16;

/** Each takes 19 MiB and a thread of libuv's four, so that sign-ins never starve files and look-ups. */
const AT_ONCE = 2;
const WAITING_LIMIT = 200;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING_LIMIT) throw new BusinessError('too_many_requests', { retryAfter: 5 });
    await new Promise<void>((go) => waiting.push(go));
  } else running++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/** The argon2id hash of a password as `$argon2id$v=19$m=…,t=…,p=…$salt$tag` (RFC 9106, PHC string). */
export function hashPassword(password: string): Promise<string> {
  return inTurn(async () => {
    const nonce = randomBytes(SALT_BYTES);
    const { memory, passes, parallelism } = PARAMETERS;
    const tag = await derive('argon2id', { message: normal(password), nonce, tagLength: TAG_BYTES, ...PARAMETERS });
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
  });
}

/** Whether a password is the one behind a hash; takes the same time whether or not it is. */
export function verifyPassword(password: string, hash: string): Promise<boolean> {
  const parts = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$([\w+/]+)$/.exec(hash);
  if (!parts) throw new Error('a password hash in the table is not of argon2id');
  const [memory, passes, parallelism] = parts.slice(1, 4).map(Number) as [number, number, number];
  const nonce = Buffer.from(parts[4]!, 'base64');
  const tag = Buffer.from(parts[5]!, 'base64');
  return inTurn(async () => {
    const made = await derive('argon2id', {
      message: normal(password),
      nonce,
      tagLength: tag.length,
      memory,
      passes,
      parallelism,
    });
    return timingSafeEqual(made, tag);
  });
}

/** A hash that no password has: what an unknown user is checked against, so that the answer takes as long. */
export const HASH_OF_NOBODY = `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.parallelism}$${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(TAG_BYTES))}`;

// The same letters typed on different keyboards give different bytes before normalisation (NIST SP 800-63B §5.1.1.2).
const normal = (password: string) => password.normalize('NFKC');

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

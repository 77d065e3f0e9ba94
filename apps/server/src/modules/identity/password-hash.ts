import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { BusinessError } from '#platform/errors';

const derive = promisify(argon2);

/** The OWASP floor for argon2id: 19 MiB, two passes, one lane. */
const PARAMETERS = { memory: 19_456, passes: 2, parallelism: 1 };
const TAG_BYTES = 32;
const SALT_BYTES = 16;

/**
 * Maximum derivations at the same time. Each takes 19 MiB and one of libuv's four threads; files and DNS look-ups need
 * the others.
 */
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

const PARTS = /^(\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([\w+/]+)\$)([\w+/]+)$/;

function partsOf(hash: string) {
  const parts = PARTS.exec(hash);
  if (!parts) throw new Error('a password hash in the table is not of argon2id');
  const [memory, passes, parallelism] = parts.slice(2, 5).map(Number) as [number, number, number];
  const nonce = Buffer.from(parts[5]!, 'base64');
  return { head: parts[1]!, memory, passes, parallelism, nonce, tag: Buffer.from(parts[6]!, 'base64') };
}

/**
 * Makes the argon2id hash of a password as `$argon2id$v=19$m=…,t=…,p=…$salt$tag` (RFC 9106, PHC string). If `like` is
 * given, it uses the salt of that hash, so that one derivation serves both.
 */
export function hashPassword(password: string, like?: string): Promise<string> {
  return inTurn(async () => {
    const nonce = like === undefined ? randomBytes(SALT_BYTES) : partsOf(like).nonce;
    const { memory, passes, parallelism } = PARAMETERS;
    const tag = await derive('argon2id', { message: normal(password), nonce, tagLength: TAG_BYTES, ...PARAMETERS });
    return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${base64(nonce)}$${base64(tag)}`;
  });
}

/** Makes a hash of a password that nobody knows, with the salt of `like` if it is given. */
export const hashOfNothing = (like?: string): Promise<string> =>
  hashPassword(randomBytes(TAG_BYTES).toString('base64'), like);

/** Tells whether a password belongs to a hash; takes the same time in both cases. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  return (await verifyAmong(password, [hash]))[0]!;
}

/** Tells for each of some hashes whether a password belongs to it, by one derivation for all that share their salt. */
export async function verifyAmong(password: string, hashes: readonly string[]): Promise<boolean[]> {
  const parts = hashes.map(partsOf);
  const made = new Map<string, Promise<Buffer>>();
  for (const { head, memory, passes, parallelism, nonce, tag } of parts) {
    if (made.has(head)) continue;
    const how = { message: normal(password), nonce, tagLength: tag.length, memory, passes, parallelism };
    made.set(
      head,
      inTurn(() => derive('argon2id', how)),
    );
  }
  return Promise.all(parts.map(async ({ head, tag }) => timingSafeEqual(await made.get(head)!, tag)));
}

/** Hash that no password has. Unknown users are checked against it, so that the answer takes as long. */
export const HASH_OF_NOBODY = `$argon2id$v=19$m=${PARAMETERS.memory},t=${PARAMETERS.passes},p=${PARAMETERS.parallelism}$${base64(randomBytes(SALT_BYTES))}$${base64(randomBytes(TAG_BYTES))}`;

// Different keyboards give different bytes for the same letters, before normalization (NIST SP 800-63B §5.1.1.2).
const normal = (password: string) => password.normalize('NFKC');

function base64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}

import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFileOnce } from '@heliograph/installation/data-folder';
import { StartError } from '@heliograph/installation/start-error';
import type { Config } from '../config/config.ts';

/**
 * Seals a secret for storage with AES-256-GCM under the server's 32-byte key. `context` (table, column and row) is
 * authenticated with it: a sealed value that was moved to another row does not open.
 */
export function seal(key: Buffer, plain: string, context: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
  const sealed = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `v1.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
}

/** Opens a value that `seal` made; throws if key, context or bytes differ. */
export function open(key: Buffer, sealed: string, context: string): string {
  if (!sealed.startsWith('v1.')) throw new Error('not a sealed value');
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(context));
  decipher.setAuthTag(bytes.subarray(12, 28));
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8');
}

/** The 32-byte key for secrets at rest: SECRET_KEY, else DATA_DIR/secret.key, which is created once with mode 0600. */
export function secretKey(config: Pick<Config, 'SECRET_KEY' | 'DATA_DIR'>): Buffer {
  if (config.SECRET_KEY) return Buffer.from(config.SECRET_KEY, 'base64');
  const path = join(config.DATA_DIR, 'secret.key');
  if (!existsSync(path)) {
    mkdirSync(config.DATA_DIR, { recursive: true });
    writePrivateFileOnce(path, `${randomBytes(32).toString('base64')}\n`);
  }
  const key = Buffer.from(readFileSync(path, 'utf8'), 'base64');
  if (key.length !== 32) {
    throw new StartError(
      `The key file ${path} is damaged: it must contain 32 bytes in base64. Restore it from a copy.`,
      2,
    );
  }
  return key;
}

/** Returns a function that reads the key at its first call and keeps it, for calls that come by the thousand. */
export function keptSecretKey(config: Pick<Config, 'SECRET_KEY' | 'DATA_DIR'>): () => Buffer {
  let key: Buffer | undefined;
  return () => {
    key ??= secretKey(config);
    return key;
  };
}

import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, type ReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ConnectedConfig } from './config.ts';
import { BusinessError } from './errors.ts';

/** A file on the server: `path` is relative to the folder of files, made by us, never by a caller. */
export interface StoredFile {
  path: string;
  size: number;
  sha256: string;
}

const rootOf = (config: Pick<ConnectedConfig, 'DATA_DIR'>) => join(config.DATA_DIR, 'files');

/** Where a stored file lies on the disk. */
export function filePath(config: Pick<ConnectedConfig, 'DATA_DIR'>, path: string): string {
  if (!/^[a-z]+\/[0-9a-f-]{36}(\.[a-z]+)?$/.test(path)) throw new Error(`not a stored file: ${path}`);
  return join(rootOf(config), path);
}

/** A fresh path in a folder of stored files, its folder made. */
export async function newFile(
  config: Pick<ConnectedConfig, 'DATA_DIR'>,
  folder: 'uploads' | 'exports' | 'rejects',
  extension: string,
): Promise<string> {
  await mkdir(join(rootOf(config), folder), { recursive: true, mode: 0o700 });
  return `${folder}/${randomUUID()}.${extension}`;
}

/** Streams a file in to disk with its size and SHA-256; past `limit` bytes nothing is kept and `payload_too_large` is thrown. */
export async function storeFile(
  config: Pick<ConnectedConfig, 'DATA_DIR'>,
  source: Readable & { truncated?: boolean },
  limit: number,
): Promise<StoredFile> {
  const path = await newFile(config, 'uploads', 'bin');
  const hash = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      done(size > limit ? new BusinessError('payload_too_large') : null, chunk);
    },
  });
  try {
    await pipeline(source, measure, createWriteStream(filePath(config, path), { mode: 0o600 }));
    if (source.truncated) throw new BusinessError('payload_too_large');
  } catch (error) {
    await removeFile(config, path);
    throw error;
  }
  return { path, size, sha256: hash.digest('hex') };
}

export function readFile(config: Pick<ConnectedConfig, 'DATA_DIR'>, path: string): ReadStream {
  return createReadStream(filePath(config, path));
}

export async function fileSize(config: Pick<ConnectedConfig, 'DATA_DIR'>, path: string): Promise<number> {
  return (await stat(filePath(config, path))).size;
}

export async function removeFile(config: Pick<ConnectedConfig, 'DATA_DIR'>, path: string): Promise<void> {
  await rm(filePath(config, path), { force: true });
}

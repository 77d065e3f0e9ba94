import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Config } from '../config/config.ts';
import { tooLarge } from '../errors.ts';
import type { FileStore, KeptFile, LocalFile } from './file-store.ts';
import { FolderStore } from './folder-store.ts';
import { S3Store } from './s3-store.ts';

/** A file in the storage: `path` is relative to it, made by us, never by a caller. */
export interface StoredFile {
  path: string;
  size: number;
  sha256: string;
}

/** Settings of the storage of files. */
export type FilesConfig = Pick<Config, 'DATA_DIR'> &
  Partial<
    Pick<
      Config,
      | 'FILES_DIR'
      | 'S3_BUCKET'
      | 'S3_PREFIX'
      | 'S3_ENDPOINT'
      | 'S3_REGION'
      | 'S3_PATH_STYLE'
      | 'S3_ACCESS_KEY_ID'
      | 'S3_SECRET_ACCESS_KEY'
    >
  >;

export const FOLDERS = ['uploads', 'exports', 'rejects'] as const;
type Folder = (typeof FOLDERS)[number];

/**
 * Age in ms from which an unfinished file is left over from a process that died: no process writes one for that long.
 */
export const UNFINISHED_MS = 2 * 86_400_000;

const stores = new WeakMap<FilesConfig, FileStore>();

/** Answers the storage that the settings name; one for each process. */
export function fileStore(config: FilesConfig): FileStore {
  const present = stores.get(config);
  if (present) return present;
  const store = config.S3_BUCKET === undefined ? folderOf(config) : s3Of(config, config.S3_BUCKET);
  stores.set(config, store);
  return store;
}

const folderOf = (config: FilesConfig) => new FolderStore(config.FILES_DIR ?? join(config.DATA_DIR, 'files'));

function s3Of(config: FilesConfig, bucket: string): FileStore {
  const { S3_ACCESS_KEY_ID: id, S3_SECRET_ACCESS_KEY: secret, S3_ENDPOINT: endpoint } = config;
  return new S3Store(
    {
      bucket,
      prefix: config.S3_PREFIX ?? '',
      region: config.S3_REGION ?? 'us-east-1',
      endpoint,
      // Amazon addresses buckets by hosts; most others have no such hosts.
      path_style: config.S3_PATH_STYLE ?? endpoint !== undefined,
      login: id !== undefined && secret !== undefined ? { id, secret } : undefined,
    },
    join(config.DATA_DIR, 'drafts'),
  );
}

function checkedPath(path: string): string {
  if (!/^[a-z]+\/[0-9a-f-]{36}(\.[a-z]+)?$/.test(path)) throw new Error(`not a stored file: ${path}`);
  return path;
}

/** Answers the path on the disk of a file, if the storage is a folder. */
export const filePath = (config: FilesConfig, path: string): string => folderOf(config).place(checkedPath(path));

/** Answers a new path for a file to store. */
export const newFile = (folder: Folder, extension: string): string => `${folder}/${randomUUID()}.${extension}`;

/** Answers the path at which a file is written before it is stored. */
export const draftPath = (config: FilesConfig, path: string): string =>
  join(fileStore(config).drafts, basename(checkedPath(path)));

/**
 * Prepares the place for a file to be written, and answers it. The file is stored by `keepDraft` or removed by
 * `dropDraft`.
 */
export async function newDraft(config: FilesConfig, path: string): Promise<string> {
  await mkdir(fileStore(config).drafts, { recursive: true, mode: 0o700 });
  return draftPath(config, path);
}

/**
 * As `newDraft`, but begins with the part that another process wrote under an older path. It is a copy: a process that
 * was only frozen continues in a file that nobody reads.
 */
export async function takeOverDraft(config: FilesConfig, from: string, path: string): Promise<string> {
  const draft = await newDraft(config, path);
  await copyFile(draftPath(config, from), draft).catch((error: NodeJS.ErrnoException) => {
    // It was written on another machine, or removed: the file starts again from the beginning.
    if (error.code !== 'ENOENT') throw error;
  });
  await dropDraft(config, from);
  return draft;
}

/** Stores a written file, under its own path or in place of another one; from now on every machine finds it. */
export const keepDraft = (config: FilesConfig, draft: string, path = draft): Promise<void> =>
  fileStore(config).keep(checkedPath(path), draftPath(config, draft));

/** Streams the bytes of a written file that is not stored; it is removed afterwards. */
export function readDraft(config: FilesConfig, path: string): Readable {
  const stream = createReadStream(draftPath(config, path));
  stream.once('close', () => void dropDraft(config, path));
  return stream;
}

/** Removes the written part of a file. */
export const dropDraft = (config: FilesConfig, path: string): Promise<void> =>
  rm(draftPath(config, path), { force: true });

/**
 * Streams a file in, with its size and SHA-256. `look` reads it on this machine before it is stored. If that throws, or
 * the file exceeds `limit` bytes (`payload_too_large`), nothing is stored.
 */
export async function storeFile<Seen>(
  config: FilesConfig,
  source: Readable & { truncated?: boolean },
  limit: number,
  look: (local: string) => Promise<Seen>,
): Promise<StoredFile & { seen: Seen }> {
  const path = newFile('uploads', 'bin');
  try {
    const { draft, ...file } = await receive(config, path, source, limit);
    const seen = await look(draft);
    await keepDraft(config, path);
    return { path, ...file, seen };
  } catch (error) {
    await dropDraft(config, path);
    throw error;
  }
}

/** As `storeFile`, but stores nothing: answers the result of `look` for a file of at most `limit` bytes. */
export async function lookAtFile<Seen>(
  config: FilesConfig,
  source: Readable & { truncated?: boolean },
  limit: number,
  look: (local: string, size: number) => Promise<Seen>,
): Promise<Seen> {
  const path = newFile('uploads', 'bin');
  try {
    const { draft, size } = await receive(config, path, source, limit);
    return await look(draft, size);
  } finally {
    await dropDraft(config, path);
  }
}

async function receive(
  config: FilesConfig,
  path: string,
  source: Readable & { truncated?: boolean },
  limit: number,
): Promise<{ draft: string; size: number; sha256: string }> {
  const draft = await newDraft(config, path);
  const hash = createHash('sha256');
  let size = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      hash.update(chunk);
      done(size > limit ? tooLarge(limit) : null, chunk);
    },
  });
  await pipeline(source, measure, createWriteStream(draft, { mode: 0o600 }));
  if (source.truncated) throw tooLarge(limit);
  return { draft, size, sha256: hash.digest('hex') };
}

/** The bytes of a stored file. Throws `not_found` and `unavailable`. */
export const readFile = (config: FilesConfig, path: string): Promise<Readable> =>
  fileStore(config).read(checkedPath(path)) as Promise<Readable>;

/** Opens a stored file for reads at any place in it: `await using`. Throws `not_found` and `unavailable`. */
export const localFile = (config: FilesConfig, path: string): Promise<LocalFile> =>
  fileStore(config).localCopy(checkedPath(path));

/** Octets of a stored file; undefined if there is none. */
export const fileSize = (config: FilesConfig, path: string): Promise<number | undefined> =>
  fileStore(config).size(checkedPath(path));

export const removeFile = (config: FilesConfig, path: string): Promise<void> =>
  fileStore(config).remove(checkedPath(path));

/** Lists the stored files of a folder, only those with names like ours. */
export async function* listFiles(config: FilesConfig, folder: Folder): AsyncIterable<KeptFile> {
  for await (const file of fileStore(config).list(folder))
    if (/^[a-z]+\/[0-9a-f-]{36}\.[a-z]+$/.test(file.path)) yield file;
}

/**
 * Deletes unfinished temporary files older than `before` that dead processes left on this machine; by default, two
 * days.
 */
export async function removeOldDrafts(
  config: FilesConfig,
  before = new Date(Date.now() - UNFINISHED_MS),
): Promise<void> {
  const { drafts } = fileStore(config);
  for (const name of await readdir(drafts).catch(() => [])) {
    const path = join(drafts, name);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile() && found.mtime < before) await rm(path, { force: true });
  }
}

/** As `removeOldDrafts`, and also ends unfinished uploads into the storage, from any machine. */
export async function removeUnfinished(config: FilesConfig, before: Date): Promise<void> {
  await removeOldDrafts(config, before);
  await fileStore(config).endUnfinished(before);
}

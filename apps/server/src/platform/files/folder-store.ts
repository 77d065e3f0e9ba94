import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { BusinessError } from '../errors.ts';
import type { FileStore, KeptFile, LocalFile } from './file-store.ts';

const codeOf = (error: unknown) => (error as { code?: string }).code;

/** Errors of a share that is away, stale or full and may come back; other errors would happen again. */
const AWAY = new Set(['EIO', 'ESTALE', 'EHOSTDOWN', 'ETIMEDOUT', 'ENOTCONN', 'EAGAIN']);
const NO_ROOM = new Set(['ENOSPC', 'EDQUOT']);

function told(error: unknown): Error {
  const code = codeOf(error) ?? '';
  if (code === 'ENOENT') return new BusinessError('not_found', { cause: error });
  if (NO_ROOM.has(code)) return new BusinessError('unavailable', { outage: 'storage_full', cause: error });
  return AWAY.has(code)
    ? new BusinessError('unavailable', { outage: 'storage_unreachable', cause: error })
    : (error as Error);
}

/** Stores files in a folder: of one machine, or a path that all machines share. */
export class FolderStore implements FileStore {
  readonly #root: string;
  readonly drafts: string;

  constructor(root: string) {
    this.#root = root;
    this.drafts = join(root, 'drafts');
  }

  /** Answers the place of a file on the disk. */
  place = (path: string): string => join(this.#root, path);

  async keep(path: string, local: string): Promise<void> {
    try {
      const place = this.place(path);
      await mkdir(dirname(place), { recursive: true, mode: 0o700 });
      await flush(local);
      await rename(local, place);
      await flush(dirname(place));
    } catch (error) {
      throw told(error);
    }
  }

  async read(path: string): Promise<NodeJS.ReadableStream> {
    try {
      // It is opened before it is streamed: a missing file gives an error and not an empty answer.
      return createReadStream('', { fd: await open(this.place(path), 'r') });
    } catch (error) {
      throw told(error);
    }
  }

  async localCopy(path: string): Promise<LocalFile> {
    if ((await this.size(path)) === undefined) throw new BusinessError('not_found');
    return { path: this.place(path), [Symbol.asyncDispose]: () => Promise.resolve() };
  }

  async size(path: string): Promise<number | undefined> {
    try {
      return (await stat(this.place(path))).size;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined;
      throw told(error);
    }
  }

  async remove(path: string): Promise<void> {
    await rm(this.place(path), { force: true }).catch((error: unknown) => {
      throw told(error);
    });
  }

  async *list(folder: string): AsyncIterable<KeptFile> {
    const names = await readdir(this.place(folder)).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw told(error);
    });
    for (const name of names) {
      const path = `${folder}/${name}`;
      // A file that is removed meanwhile is left out.
      const found = await stat(this.place(path)).catch(() => undefined);
      if (found?.isFile()) yield { path, kept_at: found.mtime };
    }
  }

  // A file is moved here in one step: it can never be half stored.
  endUnfinished = (): Promise<number> => Promise.resolve(0);
}

/** Flushes a file or folder: its contents now survive the death of the machine. */
async function flush(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

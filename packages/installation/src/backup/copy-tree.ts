import { createHash } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { StartError } from '../start-error.ts';

/** One file of a tree; `path` is relative and uses slashes. */
export interface TreeFile {
  path: string;
  size: number;
}

/** Copied file, with its SHA-256. */
export interface CopiedFile extends TreeFile {
  sha256: string;
}

const BUFFER_BYTES = 1024 * 1024;
/** Files copied at the same time: a small file mostly waits for the disk to confirm. */
const AT_ONCE = 8;
/** Bytes that stay free beside the copy. */
const RESERVE_BYTES = 64 * 1024 * 1024;

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/**
 * Lists the files and folders below `root`, without those whose path `leavesOut` names. Files that vanish meanwhile are
 * skipped. Sockets and the like are no files; links to other places are reported to `onLink`. Folders end with a slash.
 */
export async function listTree(
  root: string,
  leavesOut: (path: string) => boolean,
  onLink: (path: string) => void,
): Promise<TreeFile[]> {
  const found: TreeFile[] = [];
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error): Dirent[] => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (leavesOut(path)) continue;
      if (entry.isSymbolicLink()) onLink(path);
      else if (entry.isDirectory()) {
        found.push({ path: `${path}/`, size: 0 });
        await walk(path);
      } else if (entry.isFile()) {
        const size = await stat(join(root, path)).then(
          (file) => file.size,
          (error) => {
            if (isMissing(error)) return undefined;
            throw error;
          },
        );
        if (size !== undefined) found.push({ path, size });
      }
    }
  };
  await walk('');
  return found;
}

/** Throws a StartError if the disk of `folder` has less room than `bytes` and a reserve. */
export async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  if (free < bytes + RESERVE_BYTES) {
    throw new StartError(
      `${folder} has ${mebibytes(free)} free, and ${mebibytes(bytes + RESERVE_BYTES)} are needed: make room, or choose another folder.`,
    );
  }
}

/** A number of bytes in words. */
export const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`;

/** Copies one file, and answers its size and SHA-256 once the copy is on the disk; undefined if the file is gone. */
export async function copyFile(from: string, to: string): Promise<{ size: number; sha256: string } | undefined> {
  let source: FileHandle;
  try {
    source = await open(from, 'r');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  try {
    const target = await open(to, 'wx', 0o600);
    try {
      const hash = createHash('sha256');
      const buffer = Buffer.allocUnsafe(BUFFER_BYTES);
      let size = 0;
      for (;;) {
        const { bytesRead } = await source.read(buffer, 0, BUFFER_BYTES, size);
        if (bytesRead === 0) break;
        const part = buffer.subarray(0, bytesRead);
        hash.update(part);
        await target.write(part, 0, bytesRead, size);
        size += bytesRead;
      }
      await target.sync();
      return { size, sha256: hash.digest('hex') };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Writes a small new file, and answers it as `copyTree` does. */
export async function writeNew(folder: string, path: string, content: string): Promise<CopiedFile> {
  const file = await open(join(folder, path), 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  return { path, size: Buffer.byteLength(content), sha256: createHash('sha256').update(content).digest('hex') };
}

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Copies the files and folders that `listTree` found from `from` to `to`, and answers each file with its SHA-256.
 * Everything is on the disk when it resolves. `progress` is called with the bytes done until then.
 */
export async function copyTree(
  from: string,
  to: string,
  tree: readonly TreeFile[],
  progress: (bytes: number) => void = () => undefined,
): Promise<CopiedFile[]> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  const folders = tree.filter(({ path }) => path.endsWith('/'));
  for (const { path } of folders) await mkdir(join(to, path), { recursive: true, mode: 0o700 });
  const copied: CopiedFile[] = [];
  const waiting = tree.filter(({ path }) => !path.endsWith('/')).values();
  let done = 0;
  const work = async () => {
    for (const { path } of waiting) {
      const copy = await copyFile(join(from, path), join(to, path));
      if (!copy) continue;
      copied.push({ path, ...copy });
      done += copy.size;
      progress(done);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  for (const { path } of folders) await syncFolder(join(to, path));
  await syncFolder(to);
  await syncFolder(dirname(to));
  return copied.sort((a, b) => (a.path < b.path ? -1 : 1));
}

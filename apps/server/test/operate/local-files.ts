import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FileStore } from '../../src/platform/files/file-store.ts';
import type { Scope } from '../template-database.ts';

export const MIB = 1 << 20;

/** Temporary folder for local files of the tests. */
export interface LocalFiles {
  folder: string;
  /** Makes a folder in it and returns its path. */
  scratch(name: string): string;
  /** Writes a file in it and returns its path. */
  localOf(bytes: Buffer): string;
}

/** Makes the folder, which is deleted after the tests. */
export function localFiles(t: Scope): LocalFiles {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-storage-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const scratch = (name: string) => {
    const path = join(folder, name);
    mkdirSync(path, { recursive: true });
    return path;
  };
  function localOf(bytes: Buffer): string {
    const path = join(scratch('local'), randomUUID());
    writeFileSync(path, bytes);
    return path;
  }
  return { folder, scratch, localOf };
}

/** Reads a stream to its end. */
export async function bytesOf(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/** Returns whether an error has this code. */
export const coded = (code: string) => (error: unknown) => (error as { code?: string }).code === code;

/** Returns the paths of all files in a folder of the storage, sorted. */
export async function listed(store: FileStore, name: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of store.list(name)) paths.push(path);
  return paths.sort();
}

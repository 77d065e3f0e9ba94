import { createHash, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

/**
 * Maximum length of the path of a Unix socket on every system we run on (104 bytes on macOS, 108 on Linux, with the
 * NUL).
 */
export const SOCKET_PATH_LIMIT = 103;

/** Writes `content` to a new file that only its owner may read; answers false if the file exists already. */
export function writePrivateFileOnce(path: string, content: string): boolean {
  // A link appears whole or not at all, so that no other process can read a file half written.
  const draft = `${path}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, content, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

export interface FolderLock {
  /** Path on which the lock listens; another process that connects reads the holder's `about` text. */
  path: string;
  release(): Promise<void>;
}

/** Answers the path of a folder's socket: in the folder itself, or in the temporary folder if the path is too long. */
export function lockPath(folder: string): string {
  const real = realpathSync(folder);
  const hash = createHash('sha256').update(real).digest('hex').slice(0, 16);
  if (process.platform === 'win32') return `\\\\.\\pipe\\heliograph-${hash}`;
  const inside = join(real, 'lock.sock');
  return Buffer.byteLength(inside) <= SOCKET_PATH_LIMIT ? inside : join(tmpdir(), `heliograph-${hash}.sock`);
}

/** Reads the text that the holder of the lock reports about itself; undefined if no process holds it. */
export function lockHolder(path: string): Promise<string | undefined> {
  return new Promise((answer) => {
    const socket = connect(path);
    let text = '';
    socket.setEncoding('utf8').setTimeout(2_000, () => socket.destroy());
    socket.on('data', (chunk: string) => {
      text += chunk;
    });
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // Any other failure, such as a missing permission, means that a process holds the lock.
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') answer(undefined);
    });
    socket.on('close', () => answer(text));
  });
}

/**
 * Takes a data folder for this process, and creates it if necessary. The lock is a listening socket, so it ends with
 * the process in every case. Throws a StartError with `about` of the present holder if the folder is taken.
 */
export async function lockDataFolder(folder: string, about: string): Promise<FolderLock> {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new StartError(`The data folder ${folder} cannot be created: ${(error as Error).message}.`);
  }
  const path = lockPath(folder);
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(about);
  });
  const listen = () =>
    new Promise<NodeJS.ErrnoException | undefined>((done) => {
      server.once('error', done);
      server.listen(path, () => {
        server.off('error', done);
        done(undefined);
      });
    });
  let failure = await listen();
  if (failure?.code === 'EADDRINUSE') {
    const holder = await lockHolder(path);
    if (holder !== undefined) {
      throw new StartError(`The data folder ${folder} is in use by another Heliograph${holder ? ` (${holder})` : ''}.`);
    }
    rmSync(path, { force: true });
    failure = await listen();
  }
  if (failure) throw new StartError(`The data folder ${folder} cannot be locked: ${failure.message}.`);
  server.unref();
  return { path, release: () => new Promise((done) => server.close(() => done())) };
}

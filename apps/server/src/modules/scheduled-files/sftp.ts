import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { open } from 'node:fs/promises';
import { posix } from 'node:path';
import type { Client, SFTPWrapper } from 'ssh2';
import type { ConnectedConfig } from '#platform/config/config';
import { failpoint } from '#platform/failpoints';
import { connectTo } from '#platform/outbound/connect-to';
import { DestinationFault } from './fault.ts';

/** SFTP server of a customer, and the login. */
export interface SftpServer {
  host: string;
  port: number;
  username: string;
  password: string | null;
  private_key: string | null;
  /** Confirmed fingerprint of the server's key; null if no person confirmed one. */
  host_key: string | null;
  folder: string;
}

/** A finished file on this machine. */
export interface LocalContent {
  path: string;
  bytes: number;
  sha256: string;
}

/** Ports of SSH; those below 1024 belong to other services. */
const SSH_PORTS = [22, ...Array.from({ length: 65_536 - 1_024 }, (_, i) => i + 1_024)];
const HANDSHAKE_MS = 20_000;
/** Interval in ms of requests that show whether the server still answers, and how many may stay open. */
const ALIVE_MS = 15_000;
const ALIVE_MISSED = 3;
/** Octets of one write, below the 32 KiB that every server takes. */
const PIECE = 32_000;
/** Writes that may be under way. A file that was broken off is continued this much before its end, and then checked. */
const AT_ONCE = 32;
const NO_SUCH_FILE = 2;

let loaded: Promise<typeof import('ssh2')> | undefined;
/** Loads the SSH library at its first use: most processes make no connection. */
const library = () => (loaded ??= import('ssh2').then((module) => module.default));

/** Answers the fingerprint of a host key as OpenSSH prints it. */
const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

/** Tells if a text is a private key that needs no passphrase. */
export async function isPrivateKey(text: string): Promise<boolean> {
  const { utils } = await library();
  const key = utils.parseKey(text);
  return !(key instanceof Error) && [key].flat().every((each) => each.isPrivateKey());
}

const promised = <T>(ask: (done: (error: Error | null | undefined, value: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => ask((error, value) => (error ? reject(error) : resolve(value))));

/** A connection to a server, and the fingerprint that it showed. */
export interface SftpSession {
  host_key: string;
  sftp: SFTPWrapper;
  close(): void;
}

/**
 * Connects and signs in. `seen` is called with the fingerprint of the server before it learns who connects. Throws
 * DestinationFault, TargetError and errors of the library.
 */
export async function openSftp(
  config: Pick<ConnectedConfig, 'PRIVATE_TARGETS'>,
  server: SftpServer,
  seen: (fingerprint: string) => void = () => undefined,
): Promise<SftpSession> {
  const { Client } = await library();
  const { host, port, username, password, private_key, host_key } = server;
  const sock = await connectTo(config, { host, port, ports: SSH_PORTS });
  const client: Client = new Client();
  let shown = '';
  try {
    await new Promise<void>((resolve, reject) => {
      client.once('ready', () => resolve());
      client.on('error', (error) => reject(shown !== '' && shown !== host_key ? keyFault(host_key, error) : error));
      client.once('close', () => reject(new DestinationFault('interrupted')));
      client.on('keyboard-interactive', (_name, _instructions, _language, prompts, answer) =>
        answer(prompts.map(() => password ?? '')),
      );
      client.connect({
        sock,
        username,
        readyTimeout: HANDSHAKE_MS,
        keepaliveInterval: ALIVE_MS,
        keepaliveCountMax: ALIVE_MISSED,
        tryKeyboard: password !== null,
        ...(password !== null && { password }),
        ...(private_key !== null && { privateKey: private_key }),
        hostVerifier: (key: Buffer) => {
          shown = fingerprintOf(key);
          seen(shown);
          return shown === host_key;
        },
      });
    });
    const sftp = await promised<SFTPWrapper>((done) => client.sftp(done));
    // Requests of a connection that ends are never answered by the library.
    const ended = new Promise<never>((_, reject) => {
      client.once('close', () => reject(new DestinationFault('interrupted')));
    });
    ended.catch(() => undefined);
    return { host_key: shown, sftp: answering(sftp, ended), close: () => client.destroy() };
  } catch (error) {
    client.destroy();
    throw error;
  }
}

const keyFault = (confirmed: string | null, cause: Error) =>
  new DestinationFault(confirmed === null ? 'host_key_unconfirmed' : 'host_key_changed', cause);

/** Makes requests fail when the connection ends: each asks `ended` too. */
function answering(sftp: SFTPWrapper, ended: Promise<never>): SFTPWrapper {
  return new Proxy(sftp, {
    get(target, name) {
      const value = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]) => {
        const done = given.at(-1);
        if (typeof done !== 'function') return Reflect.apply(value, target, given);
        let over = false;
        const once = (...result: unknown[]) => {
          if (over) return;
          over = true;
          Reflect.apply(done, undefined, result);
        };
        ended.catch((error) => once(error));
        return Reflect.apply(value, target, [...given.slice(0, -1), once]);
      };
    },
  });
}

const sizeOf = async (sftp: SFTPWrapper, path: string): Promise<number | undefined> => {
  try {
    return (await promised<{ size: number }>((done) => sftp.stat(path, done))).size;
  } catch (error) {
    if ((error as { code?: number }).code === NO_SUCH_FILE) return undefined;
    throw error;
  }
};

/** Makes a folder and those above it, where they are missing. */
export async function ensureFolder(sftp: SFTPWrapper, folder: string): Promise<void> {
  if (folder === '' || folder === '/' || (await sizeOf(sftp, folder)) !== undefined) return;
  const above = posix.dirname(folder);
  if (above !== '.') await ensureFolder(sftp, above);
  await promised<void>((done) => sftp.mkdir(folder, done)).catch(async (error) => {
    // Somebody else may have made it meanwhile.
    if ((await sizeOf(sftp, folder)) === undefined) throw error;
  });
}

/** Reads a file of the server from its beginning and answers its SHA-256. */
async function remoteHash(sftp: SFTPWrapper, path: string): Promise<string> {
  const hash = createHash('sha256');
  const handle = await promised<Buffer>((done) => sftp.open(path, 'r', done));
  try {
    const piece = Buffer.alloc(PIECE);
    for (let at = 0; ; ) {
      const read = await new Promise<number>((resolve, reject) =>
        sftp.read(handle, piece, 0, PIECE, at, (error, bytes) =>
          // The end of the file is status 1.
          error ? ((error as { code?: number }).code === 1 ? resolve(0) : reject(error)) : resolve(bytes),
        ),
      );
      if (read === 0) return hash.digest('hex');
      hash.update(piece.subarray(0, read));
      at += read;
    }
  } finally {
    await promised<void>((done) => sftp.close(handle, done));
  }
}

async function writeFrom(sftp: SFTPWrapper, remote: Buffer, local: FileHandle, from: number, bytes: number) {
  let next = from;
  const line = async () => {
    while (next < bytes) {
      const at = next;
      next += PIECE;
      const piece = Buffer.alloc(Math.min(PIECE, bytes - at));
      const { bytesRead } = await local.read(piece, 0, piece.length, at);
      if (bytesRead !== piece.length) throw new Error('a stored file is shorter than it was');
      await promised<void>((done) => sftp.write(remote, piece, 0, piece.length, at, done));
      failpoint('file.half-sent');
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
}

/**
 * Puts a file under a name that appears only with the whole content. A broken upload of the same content is continued;
 * it has a temporary name with the digest. Throws `other_file` if a different file has the name: nothing is overwritten.
 */
export async function putFile(sftp: SFTPWrapper, folder: string, name: string, content: LocalContent): Promise<void> {
  const { bytes, sha256 } = content;
  const final = posix.join(folder, name);
  const present = await sizeOf(sftp, final);
  if (present !== undefined) {
    if (present === bytes && (await remoteHash(sftp, final)) === sha256) return;
    throw new DestinationFault('other_file');
  }
  const part = posix.join(folder, `.${name}.${sha256.slice(0, 16)}.part`);
  const begun = await sizeOf(sftp, part);
  const from = begun === undefined || begun > bytes ? 0 : Math.max(0, begun - PIECE * AT_ONCE);
  const handle = await promised<Buffer>((done) => sftp.open(part, from > 0 ? 'r+' : 'w', done));
  const local = await open(content.path, 'r');
  try {
    await writeFrom(sftp, handle, local, from, bytes);
    // Servers without the extension keep the file as they keep all others.
    await promised<unknown>((done) => sftp.ext_openssh_fsync(handle, done)).catch(unsupported);
  } finally {
    await local.close();
    await promised<void>((done) => sftp.close(handle, done)).catch(() => undefined);
  }
  const good = (await sizeOf(sftp, part)) === bytes && (from === 0 || (await remoteHash(sftp, part)) === sha256);
  if (!good) {
    await promised<void>((done) => sftp.unlink(part, done));
    throw new DestinationFault('interrupted');
  }
  await promised<void>((done) => sftp.rename(part, final, done));
}

/** Lets a missing extension pass: the library throws, or the server answers status 8. */
function unsupported(error: unknown): void {
  const { code, message = '' } = error as { code?: number; message?: string };
  if (code !== 8 && !/does not support/.test(message)) throw error;
}

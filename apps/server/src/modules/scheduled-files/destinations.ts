import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import type { ConnectedConfig } from '#platform/config/config';
import { failpoint } from '#platform/failpoints';
import { openBucket } from '#platform/outbound/s3-objects';
import { open as openSealed, secretKey } from '#platform/process/seal';
import { DestinationFault } from './fault.ts';
import { fileName, manifestName, manifestOf, type WrittenRun } from './file-names.ts';
import { ensureFolder, type LocalContent, openSftp, putFile } from './sftp.ts';

/** Columns of a scheduled file that say where its files go. */
export interface Destination {
  id: number;
  destination: string;
  host: string | null;
  port: number;
  host_key: string | null;
  endpoint: string | null;
  region: string;
  bucket: string | null;
  folder: string;
  username: string;
  secret_sealed: string | null;
  private_key_sealed: string | null;
}

type Config = Pick<ConnectedConfig, 'PRIVATE_TARGETS' | 'SECRET_KEY' | 'DATA_DIR'>;

/** Returns the context in which the secret of a destination is sealed. */
export const secretContext = (id: number): string => `scheduled_file.secret.${id}`;
/** Returns the context in which the private key of a destination is sealed. */
export const privateKeyContext = (id: number): string => `scheduled_file.private_key.${id}`;

function loginOf(config: Config, to: Destination) {
  const key = secretKey(config);
  return {
    secret: to.secret_sealed === null ? null : openSealed(key, to.secret_sealed, secretContext(to.id)),
    private_key:
      to.private_key_sealed === null ? null : openSealed(key, to.private_key_sealed, privateKeyContext(to.id)),
  };
}

function serverOf(config: Config, to: Destination) {
  const { secret, private_key } = loginOf(config, to);
  const { port, host_key, folder, username } = to;
  return { host: to.host ?? '', port, host_key, folder, username, password: secret, private_key };
}

const bucketOf = (config: Config, to: Destination) =>
  openBucket(config, {
    endpoint: to.endpoint ?? '',
    region: to.region,
    bucket: to.bucket ?? '',
    login: { id: to.username, secret: loginOf(config, to).secret ?? '' },
  });

const keyOf = (folder: string, name: string): string => posix.join(folder, name).replace(/^\/+/, '');

const digestOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/**
 * Delivers the file of a run and then its manifest. Either may be there from a try before: the same bytes are left as
 * they are. Throws errors that `faultOf` reads.
 */
export async function deliver(config: Config, to: Destination, run: WrittenRun, path: string): Promise<void> {
  const content = { path, bytes: run.bytes, sha256: run.sha256 };
  await (to.destination === 'sftp' ? overSftp(config, to, run, content) : toBucket(config, to, run, content));
  failpoint('file.delivered');
}

async function overSftp(config: Config, to: Destination, run: WrittenRun, content: LocalContent): Promise<void> {
  const session = await openSftp(config, serverOf(config, to));
  try {
    await ensureFolder(session.sftp, to.folder);
    await putFile(session.sftp, to.folder, fileName(run), content);
    failpoint('file.renamed');
    await withLocal(manifestOf(run), (manifest) => putFile(session.sftp, to.folder, manifestName(run), manifest));
  } finally {
    session.close();
  }
}

/** Runs `work` with bytes as a file of this machine. */
async function withLocal(bytes: Buffer, work: (content: LocalContent) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-file-'));
  try {
    const path = join(folder, 'content');
    await writeFile(path, bytes, { mode: 0o600 });
    await work({ path, bytes: bytes.length, sha256: digestOf(bytes) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function toBucket(config: Config, to: Destination, run: WrittenRun, content: LocalContent): Promise<void> {
  const bucket = await bucketOf(config, to);
  const put = async (name: string, sha256: string, open: () => Parameters<typeof bucket.put>[1]) => {
    const key = keyOf(to.folder, name);
    const present = await bucket.digest(key);
    if (present === sha256) return;
    if (present !== undefined) throw new DestinationFault('other_file');
    await bucket.put(key, open(), sha256);
  };
  try {
    await put(fileName(run), content.sha256, () => createReadStream(content.path, { highWaterMark: 1 << 20 }));
    failpoint('file.renamed');
    const manifest = manifestOf(run);
    await put(manifestName(run), digestOf(manifest), () => manifest);
  } finally {
    bucket.close();
  }
}

/**
 * Tries a destination: writes a small file and removes it. `seen` is called with the fingerprint of an SFTP server. Throws
 * errors that `faultOf` reads.
 */
export async function tryDestination(
  config: Config,
  to: Destination,
  seen: (fingerprint: string) => void,
): Promise<void> {
  const bytes = Buffer.from('Heliograph wrote this file as a test. It may be removed.\n');
  const name = `heliograph-test-${crypto.randomUUID()}.txt`;
  if (to.destination === 's3') {
    const bucket = await bucketOf(config, to);
    try {
      await bucket.put(keyOf(to.folder, name), bytes, digestOf(bytes));
      await bucket.remove(keyOf(to.folder, name));
    } finally {
      bucket.close();
    }
    return;
  }
  const { sftp, close } = await openSftp(config, serverOf(config, to), seen);
  try {
    await ensureFolder(sftp, to.folder);
    await withLocal(bytes, (content) => putFile(sftp, to.folder, name, content));
    await new Promise<void>((resolve, reject) =>
      sftp.unlink(posix.join(to.folder, name), (error) => (error ? reject(error) : resolve())),
    );
  } finally {
    close();
  }
}

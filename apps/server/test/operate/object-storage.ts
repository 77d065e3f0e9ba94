import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { ownPort } from '../own-port.ts';
import type { Scope } from '../template-database.ts';

// OpenStack Swift as an S3-compatible storage, as companies run it: four servers and a memcached in separate processes.
// It checks signatures and supports multipart uploads.

const PROGRAMS = ['memcached', 'swift-ring-builder', 'swift-proxy-server'];

/** Returns the reason why the storage cannot be started, for the `skip` of a test, or false if it can. */
export const noObjectStorage = (): string | false => {
  const missing = PROGRAMS.filter((name) => !existsSync(`/usr/bin/${name}`));
  if (missing.length === 0) return false;
  if (process.env['CI']) throw new Error(`The tests of files need ${missing.join(', ')}: .ci/run installs them.`);
  return `${missing.join(', ')} is not installed`;
};

/** Settings that name a bucket of the storage. */
export interface ObjectStorage {
  S3_ENDPOINT: string;
  S3_BUCKET: string;
  S3_REGION: string;
  S3_PATH_STYLE: boolean;
  S3_ACCESS_KEY_ID: string;
  S3_SECRET_ACCESS_KEY: string;
}

const common = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
workers = 0
user = ${userInfo().username}
swift_dir = ${folder}
devices = ${folder}/devices
mount_check = false
disable_fallocate = true
log_level = WARN
`;

const proxy = (memcached: number) => `[pipeline:main]
pipeline = catch_errors cache listing_formats bulk s3api tempauth slo proxy-server
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memcached}
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:bulk]
use = egg:swift#bulk
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_files_operator = rightsecret .admin
[filter:slo]
use = egg:swift#slo
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
`;

const app = (name: string) => `[pipeline:main]
pipeline = ${name}-server
[app:${name}-server]
use = egg:swift#${name}
`;

/** Starts the storage with an empty bucket; it ends with the scope. */
export async function startObjectStorage(scope: Scope): Promise<ObjectStorage> {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-objects-'));
  const [memcached, port] = [await ownPort(), await ownPort()];
  const inner = [await ownPort(), await ownPort(), await ownPort()];
  mkdirSync(join(folder, 'devices/d1'), { recursive: true });
  const children: ChildProcess[] = [
    spawn('memcached', ['-l', '127.0.0.1', '-p', `${memcached}`, '-m', '16', '-u', userInfo().username]),
  ];
  scope.after(async () => {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(
      children.map((child) => child.exitCode === null && child.signalCode === null && once(child, 'exit')),
    );
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [at, name] of ['account', 'container', 'object'].entries()) {
    const ring = (...args: string[]) =>
      execFileSync('swift-ring-builder', [`${name}.builder`, ...args], { cwd: folder });
    ring('create', '4', '1', '0');
    ring('add', `r1z1-127.0.0.1:${inner[at]}/d1`, '1');
    ring('rebalance');
    writeFileSync(join(folder, `${name}.conf`), common(folder, inner[at]!) + app(name));
  }
  writeFileSync(join(folder, 'proxy.conf'), common(folder, port) + proxy(memcached));
  for (const name of ['account', 'container', 'object', 'proxy'])
    children.push(spawn(`swift-${name}-server`, [join(folder, `${name}.conf`)], { stdio: 'ignore' }));

  const storage: ObjectStorage = {
    S3_ENDPOINT: `http://127.0.0.1:${port}`,
    S3_BUCKET: 'heliograph-files',
    S3_REGION: 'us-east-1',
    S3_PATH_STYLE: true,
    S3_ACCESS_KEY_ID: 'files:operator',
    S3_SECRET_ACCESS_KEY: 'rightsecret',
  };
  const client = clientOf(storage);
  const deadline = Date.now() + 120_000;
  for (;;) {
    try {
      await client.send(new CreateBucketCommand({ Bucket: storage.S3_BUCKET }));
      client.destroy();
      return storage;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(100);
    }
  }
}

/** Makes a client separate from ours, to see which objects really exist. */
export const clientOf = (storage: ObjectStorage): S3Client =>
  new S3Client({
    endpoint: storage.S3_ENDPOINT,
    region: storage.S3_REGION,
    forcePathStyle: true,
    maxAttempts: 1,
    credentials: { accessKeyId: storage.S3_ACCESS_KEY_ID, secretAccessKey: storage.S3_SECRET_ACCESS_KEY },
  });

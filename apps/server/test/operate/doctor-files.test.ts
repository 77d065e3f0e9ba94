import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { examine } from '#modules/operate';
import { clientOf, noObjectStorage, startObjectStorage } from './object-storage.ts';
import { watchStorage } from './watched-storage.ts';

const skip = noObjectStorage();
const storage = skip ? undefined : await startObjectStorage({ after });
const watched = storage ? await watchStorage({ after }, storage.S3_ENDPOINT) : undefined;
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

const folder = mkdtempSync(join(tmpdir(), 'heliograph-doctor-files-'));
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true, force: true }));

const scratch = (name: string) => {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
};
const PORTS = { PORT: '0', SIMULATOR_SMPP_PORT: '0', SIMULATOR_HTTP_PORT: '0', SMPP_SERVER_PORT: '0' };
type Settings = Record<string, string | undefined>;
const settingsOf = (change: Settings): Settings => ({ ...PORTS, DATA_DIR: scratch('data'), ...change });
const inBucket = (change: Settings = {}): Settings =>
  settingsOf({ ...(storage as unknown as Settings), S3_PATH_STYLE: 'true', S3_PREFIX: 'suite', ...change });

/** What the doctor says of files: state, words and advice, a line each. */
async function told(settings: Settings): Promise<string> {
  const findings = await examine(settings);
  return findings
    .filter(({ name }) => name === 'files')
    .map(({ state, detail, action = '' }) => `${state}: ${detail} ${action}`)
    .join('\n');
}

/** How long it takes is said; whether that is slow is the machine's affair. */
const WELL =
  /^(ok|warn): .* takes files: one was written in \d+ ms, read back in \d+ ms and deleted in \d+ ms\. (That is slow.*)?$/;

describe('of a folder', () => {
  test('a file is written, read back and deleted, and nothing of it stays', async () => {
    const files = scratch('shared');
    assert.match(await told(settingsOf({ FILES_DIR: files })), WELL);
    assert.deepEqual(
      readdirSync(files).flatMap((name) => readdirSync(join(files, name))),
      [],
    );
    scratch('data/files');
    assert.match(await told(settingsOf({})), WELL);
  });

  test('one that is not there is named and not made; that of an installation to come is no fault', async () => {
    const files = join(folder, 'not-mounted');
    assert.match(await told(settingsOf({ FILES_DIR: files })), /^bad: FILES_DIR \S+ is not there\. Mount it/);
    assert.equal(existsSync(files), false);
    assert.match(await told(settingsOf({ DATA_DIR: join(folder, 'to-come') })), /^ok: DATA_DIR\/files .* is made with/);
    assert.equal(existsSync(join(folder, 'to-come')), false);
  });

  test('one that the program’s account may not write is found, by root too', async () => {
    const [files, data] = [scratch('closed'), scratch('data-of-nobody')];
    chmodSync(files, 0o555);
    if (isRoot) chownSync(data, NOBODY, NOBODY);
    const said = await told(settingsOf({ FILES_DIR: files, DATA_DIR: data }));
    assert.match(said, /^bad: FILES_DIR \S+: a file cannot be written: EACCES\. \S+ belongs to account \d+: give it/);
    if (!isRoot) return;
    chownSync(files, NOBODY, NOBODY);
    chmodSync(files, 0o700);
    assert.match(await told(settingsOf({ FILES_DIR: files, DATA_DIR: data })), WELL);
    for (const name of readdirSync(files)) assert.equal(statSync(join(files, name)).uid, NOBODY, `${name} is its own`);
    assert.equal(process.geteuid?.(), 0, 'root is root again');
  });

  test('what is no folder is named', async () => {
    const said = await told(settingsOf({ FILES_DIR: process.execPath }));
    assert.match(said, /^bad: FILES_DIR \S+: a file cannot be written: (ENOTDIR|EEXIST)\. /);
  });
});

describe('of an S3-compatible storage', { skip }, () => {
  const count = async () =>
    (await clientOf(storage!).send(new ListObjectsV2Command({ Bucket: storage!.S3_BUCKET }))).KeyCount ?? 0;

  test('an object is written, read back and deleted, and nothing of it stays', async () => {
    watched!.asked.length = 0;
    assert.match(await told(inBucket({ S3_ENDPOINT: watched!.url })), WELL);
    const methods = new Set(watched!.asked.filter(({ url }) => url.includes('/suite/')).map(({ method }) => method));
    for (const method of ['PUT', 'GET', 'DELETE']) assert.ok(methods.has(method), method);
    assert.equal(await count(), 0);
    assert.equal(existsSync(join(folder, 'data/drafts')), false);
  });

  const wrong: [what: string, change: () => Settings, expected: RegExp][] = [
    ['a bucket that is not there', () => ({ S3_BUCKET: 'nowhere' }), /written: NoSuchBucket \(404\)\. S3_BUCKET names/],
    [
      'a wrong secret',
      () => ({ S3_SECRET_ACCESS_KEY: 'wrong' }),
      /written: SignatureDoesNotMatch \(403\)\. S3_SECRET_ACCESS_KEY is not/,
    ],
    [
      'a key that nobody knows',
      () => ({ S3_ACCESS_KEY_ID: 'files:stranger' }),
      /written: \w+ \(403\)\. .*S3_ACCESS_KEY_ID/,
    ],
    ['another region', () => ({ S3_REGION: 'eu-north-9' }), /written: \w+ \(40\d\)\. .*S3_REGION/],
    [
      'no storage',
      () => ({ S3_ENDPOINT: 'http://127.0.0.1:9' }),
      /written: ECONNREFUSED\. Nobody answers at S3_ENDPOINT/,
    ],
    ['no such host', () => ({ S3_ENDPOINT: 'http://objects.invalid' }), /written: E\w+\. S3_ENDPOINT names a host/],
    [
      'no key at all',
      () => ({ S3_ACCESS_KEY_ID: undefined, S3_SECRET_ACCESS_KEY: undefined }),
      /written: .*Set S3_ACCESS/,
    ],
  ];
  for (const [what, change, expected] of wrong)
    test(`${what} is told with the setting to correct`, async () => {
      assert.match(await told(inBucket(change())), new RegExp(`^bad: .*a file cannot be ${expected.source}`));
    });

  for (const [right, asked] of [
    ['s3:GetObject', (method: string, url: string) => method === 'GET' && url.includes('/uploads/')],
    ['s3:ListBucket', (method: string, url: string) => method === 'GET' && url.includes('list-type=2')],
    [
      's3:ListBucketMultipartUploads',
      (method: string, url: string) => method === 'GET' && /[?&]uploads(=|&|$)/.test(url),
    ],
    ['s3:DeleteObject', (method: string) => method === 'DELETE'],
  ] as const)
    test(`a key that lacks ${right} is told so, and what was written is taken away where it may`, async () => {
      watched!.refuse = ({ method, url }) => (asked(method, url) ? 403 : undefined);
      const said = await told(inBucket({ S3_ENDPOINT: watched!.url, S3_PREFIX: 'rights' }));
      watched!.refuse = () => undefined;
      assert.match(said, new RegExp(`may not do ${right} in S3_BUCKET`));
      assert.equal(await count(), right === 's3:DeleteObject' ? 1 : 0);
    });

  test('a storage that is overloaded, or answers nonsense, is told as such', async () => {
    watched!.refuse = () => 503;
    assert.match(await told(inBucket({ S3_ENDPOINT: watched!.url })), /^bad: .*it answers 503\. It is overloaded/);
    watched!.refuse = () => 200;
    assert.match(await told(inBucket({ S3_ENDPOINT: watched!.url })), /^bad: .*read back: .* speaks S3/);
    watched!.refuse = () => undefined;
  });

  test('a clock that is five minutes ahead of the storage’s is told before it refuses what is signed', async (t) => {
    const skewed = join(import.meta.dirname, '../nodes/skewed-clock.ts');
    const doctor = join(import.meta.dirname, '../../src/processes/doctor.ts');
    const env = { ...process.env, ...inBucket(), DATABASE_URL: '' } as NodeJS.ProcessEnv;
    const child = spawn(process.execPath, ['--import', skewed, doctor], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    t.after(() => child.kill('SIGKILL'));
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
    await new Promise((done) => child.once('close', done));
    assert.match(said, /^! files +The clocks of this machine and of the storage are (29|30)\d s apart/m);
    assert.match(said, /^✔ files +The bucket heliograph-files .* takes files/m);
  });
});

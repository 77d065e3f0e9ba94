import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ListObjectsV2Command } from '@aws-sdk/client-s3';
import { clientOf, type ObjectStorage } from './object-storage.ts';
import { bareSettings, type Settings, toldOfFiles, WELL } from './told-of-files.ts';
import type { WatchedStorage } from './watched-storage.ts';

/**
 * Tests the doctor's findings about a storage, with `folder` for its installation. The caller has started that storage.
 */
export function testDoctorOf(storage: ObjectStorage, watched: WatchedStorage, folder: string): void {
  const inBucket = (change: Settings = {}): Settings =>
    bareSettings({
      DATA_DIR: folder,
      ...storage,
      S3_PATH_STYLE: 'true',
      S3_PREFIX: 'doctor',
      ...change,
    });
  const count = async (Prefix: string) =>
    (await clientOf(storage).send(new ListObjectsV2Command({ Bucket: storage.S3_BUCKET, Prefix }))).KeyCount ?? 0;

  test('an object is written, read back and deleted, and no trace of it stays', async () => {
    watched.asked.length = 0;
    assert.match(await toldOfFiles(inBucket({ S3_ENDPOINT: watched.url })), WELL);
    const methods = new Set(watched.asked.filter(({ url }) => url.includes('/doctor/')).map(({ method }) => method));
    for (const method of ['PUT', 'GET', 'DELETE']) assert.ok(methods.has(method), method);
    assert.equal(await count('doctor/'), 0);
    assert.equal(existsSync(join(folder, 'drafts')), false);
  });

  const wrong: [what: string, change: () => Settings, expected: RegExp][] = [
    ['a bucket that is not there', () => ({ S3_BUCKET: 'nowhere' }), /written: NoSuchBucket \(404\)\. S3_BUCKET names/],
    [
      'a wrong secret',
      () => ({ S3_SECRET_ACCESS_KEY: 'wrong' }),
      /written: SignatureDoesNotMatch \(403\)\. S3_SECRET_ACCESS_KEY does not/,
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
      /written: ECONNREFUSED\. No server answers at S3_ENDPOINT/,
    ],
  ];
  for (const [what, change, expected] of wrong)
    test(`${what} is reported with the setting to correct`, async () => {
      assert.match(await toldOfFiles(inBucket(change())), new RegExp(`^bad: .*a file cannot be ${expected.source}`));
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
    test(`a key without ${right} is reported, and the test file is deleted if possible`, async () => {
      watched.refuse = ({ method, url }) => (asked(method, url) ? 403 : undefined);
      const said = await toldOfFiles(inBucket({ S3_ENDPOINT: watched.url, S3_PREFIX: 'rights' }));
      watched.refuse = () => undefined;
      assert.match(said, new RegExp(`may not do ${right} in S3_BUCKET`));
      assert.equal(await count('rights/'), right === 's3:DeleteObject' ? 1 : 0);
    });

  test('an overloaded storage and a storage with wrong answers are reported', async () => {
    watched.refuse = () => 503;
    assert.match(
      await toldOfFiles(inBucket({ S3_ENDPOINT: watched.url })),
      /^bad: .*the storage answers 503\. It is overloaded/,
    );
    watched.refuse = () => 200;
    assert.match(await toldOfFiles(inBucket({ S3_ENDPOINT: watched.url })), /^bad: .*read back: .* is an S3 storage/);
    watched.refuse = () => undefined;
  });

  test('a clock five minutes ahead of the storage’s is reported in time', async (t) => {
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
    assert.match(said, /^✔ files +The bucket heliograph-files .* works: /m);
  });
}

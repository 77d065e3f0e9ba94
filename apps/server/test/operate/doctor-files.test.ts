import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { storageFix } from '../../src/modules/operate/doctor/storage-fix.ts';
import { bareSettings, type Settings, toldOfFiles, WELL } from './told-of-files.ts';

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
const settingsOf = (change: Settings): Settings => bareSettings({ DATA_DIR: scratch('data'), ...change });

test('a file is written, read back and deleted, and no trace of it stays', async () => {
  const files = scratch('shared');
  assert.match(await toldOfFiles(settingsOf({ FILES_DIR: files })), WELL);
  assert.deepEqual(
    readdirSync(files).flatMap((name) => readdirSync(join(files, name))),
    [],
  );
  scratch('data/files');
  assert.match(await toldOfFiles(settingsOf({})), WELL);
});

test('a missing folder is named and not created, except for a new installation', async () => {
  const files = join(folder, 'not-mounted');
  assert.match(
    await toldOfFiles(settingsOf({ FILES_DIR: files })),
    /^bad: FILES_DIR \S+ does not exist\. Mount or create it/,
  );
  assert.equal(existsSync(files), false);
  assert.match(
    await toldOfFiles(settingsOf({ DATA_DIR: join(folder, 'to-come') })),
    /^ok: DATA_DIR\/files .* is created with/,
  );
  assert.equal(existsSync(join(folder, 'to-come')), false);
});

test('a folder that the program’s account may not write is found, also by root', async () => {
  const [files, data] = [scratch('closed'), scratch('data-of-nobody')];
  chmodSync(files, 0o555);
  if (isRoot) chownSync(data, NOBODY, NOBODY);
  const said = await toldOfFiles(settingsOf({ FILES_DIR: files, DATA_DIR: data }));
  assert.match(
    said,
    /^bad: FILES_DIR \S+: a file cannot be written: EACCES\. \S+ belongs to account \d+\. Make the account/,
  );
  if (!isRoot) return;
  chownSync(files, NOBODY, NOBODY);
  chmodSync(files, 0o700);
  assert.match(await toldOfFiles(settingsOf({ FILES_DIR: files, DATA_DIR: data })), WELL);
  for (const name of readdirSync(files)) assert.equal(statSync(join(files, name)).uid, NOBODY, `${name} is its own`);
  assert.equal(process.geteuid?.(), 0, 'root is root again');
});

test('a path that is not a folder is named', async () => {
  const said = await toldOfFiles(settingsOf({ FILES_DIR: process.execPath }));
  assert.match(said, /^bad: FILES_DIR \S+: a file cannot be written: (ENOTDIR|EEXIST)\. /);
});

test('a fault of storage, network or certificate leads to the setting that causes it', () => {
  const of = (fault: object) => storageFix(fault, 's3:PutObject').fix;
  const answered = (name: string, httpStatusCode: number) => ({ name, $metadata: { httpStatusCode } });
  const cases: [fault: object, RegExp][] = [
    [answered('RequestTimeTooSkewed', 403), /clock/],
    [answered('PermanentRedirect', 301), /S3_REGION and S3_ENDPOINT/],
    [answered('UnknownError', 404), /^S3_BUCKET names/],
    [answered('Forbidden', 403), /may not do s3:PutObject/],
    [answered('SlowDown', 503), /overloaded/],
    [{ name: 'CredentialsProviderError' }, /^Set S3_ACCESS_KEY_ID/],
    [{ name: 'Error', code: 'SELF_SIGNED_CERT_IN_CHAIN' }, /NODE_EXTRA_CA_CERTS/],
    [{ name: 'Error', code: 'ERR_TLS_CERT_ALTNAME_INVALID' }, /S3_ENDPOINT must use a host/],
    [{ name: 'Error', code: 'ENOTFOUND' }, /^S3_ENDPOINT names an unknown host/],
    [{ code: 'unavailable', cause: { name: 'TimeoutError' } }, /^No server answers at S3_ENDPOINT/],
    [{ code: 'unavailable', cause: { code: 'ECONNRESET' } }, /^No server answers at S3_ENDPOINT/],
    [{ code: 'not_found', cause: answered('NoSuchBucket', 404) }, /^S3_BUCKET names/],
    [new Error('something else'), /is an S3 storage/],
  ];
  for (const [fault, expected] of cases) assert.match(of(fault), expected, JSON.stringify(fault));
});

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { isTransient } from '../../src/platform/database/transient-error.ts';
import type { FileStore } from '../../src/platform/files/file-store.ts';
import { type fileStore, newFile } from '../../src/platform/files/files.ts';
import { FolderStore } from '../../src/platform/files/folder-store.ts';
import { S3Store } from '../../src/platform/files/s3-store.ts';
import { testDoctorOf } from './doctor-storage.ts';
import { testFinding, testStoring } from './file-store-cases.ts';
import { bytesOf, listed, localFiles, MIB } from './local-files.ts';
import { clientOf, noObjectStorage, startObjectStorage } from './object-storage.ts';
import { testProductFiles } from './product-file-cases.ts';
import { type WatchedStorage, watchStorage } from './watched-storage.ts';

const skip = noObjectStorage();
const storage = skip ? undefined : await startObjectStorage({ after });
const watched = storage ? await watchStorage({ after }, storage.S3_ENDPOINT) : undefined;
const { folder, scratch, localOf } = localFiles({ after });

/** A machine that reaches the shared storage. */
type Machine = (name: string) => FileStore;
const machines: Record<string, Machine> = {
  'a folder': () => new FolderStore(join(folder, 'shared')),
  'an S3-compatible storage': (name) => objectStore(name),
};

function objectStore(name: string, change: { secret?: string; endpoint?: string; prefix?: string } = {}): S3Store {
  const { prefix = 'suite/', endpoint = watched!.url, secret = storage!.S3_SECRET_ACCESS_KEY } = change;
  const { S3_BUCKET: bucket, S3_REGION: region, S3_ACCESS_KEY_ID: id } = storage!;
  const login = { id, secret };
  return new S3Store({ bucket, prefix, region, endpoint, path_style: true, login, page: 7 }, scratch(name));
}

for (const [kind, machine] of Object.entries(machines)) {
  describe(`files in ${kind}`, { skip: kind === 'a folder' ? false : skip }, () => {
    const store = skip && kind !== 'a folder' ? (undefined as never) : machine('one');
    const shared = { store, another: () => machine('two'), folder, scratch, localOf };
    testStoring(shared);
    testFinding(shared);
  });
}

const settings: Record<string, () => Parameters<typeof fileStore>[0]> = {
  'a folder': () => ({ DATA_DIR: scratch('data'), FILES_DIR: join(folder, 'files') }),
  'an S3-compatible storage': () => ({ DATA_DIR: scratch('data-of-s3'), ...storage, S3_PREFIX: 'product/' }),
};

for (const [kind, configOf] of Object.entries(settings)) {
  describe(`what the product does with files in ${kind}`, { skip: kind === 'a folder' ? false : skip }, () => {
    testProductFiles(configOf());
  });
}

describe('an S3-compatible storage', { skip }, () => {
  const peer = watched as WatchedStorage;
  const bucket = storage?.S3_BUCKET;
  const unfinished = async () =>
    (await clientOf(storage!).send(new ListMultipartUploadsCommand({ Bucket: bucket }))).Uploads ?? [];
  const fresh = (change = {}) => objectStore('strict', change);

  test('every request is signed, and none grants read access to others', async () => {
    peer.asked.length = 0;
    const store = fresh();
    const path = newFile('uploads', 'bin');
    await store.keep(path, localOf(randomBytes(9 * MIB)));
    await bytesOf(await store.read(path));
    assert.ok(peer.asked.length > 3);
    for (const { headers, url } of peer.asked) {
      assert.match(headers.authorization ?? '', /^AWS4-HMAC-SHA256 /, url);
      assert.deepEqual(
        Object.keys(headers).filter((name) => /acl|grant/.test(name)),
        [],
        url,
      );
    }
    assert.equal(
      (await fetch(`${storage!.S3_ENDPOINT}/${bucket}/suite/${path}`)).ok,
      false,
      'nobody reads it unsigned',
    );
  });

  test('a wrong secret is refused by the storage, and not as a temporary fault', async () => {
    const error = await fresh({ secret: 'wrong' })
      .size(newFile('uploads', 'bin'))
      .catch((refused: unknown) => refused);
    assert.ok(error instanceof Error);
    assert.equal(isTransient(error), false);
  });

  test('an unreachable storage is unavailable, so that jobs are tried again', async () => {
    const error = await fresh({ endpoint: 'http://127.0.0.1:9' })
      .size(newFile('uploads', 'bin'))
      .catch((away: unknown) => away);
    assert.equal((error as { code?: string }).code, 'unavailable');
    assert.equal(isTransient(error), true);
  });

  test('a request that fails once is retried automatically', async () => {
    let faults = 2;
    peer.refuse = ({ method }) => (method === 'PUT' && faults-- > 0 ? 503 : undefined);
    const path = newFile('uploads', 'bin');
    await fresh().keep(path, localOf(Buffer.from('in the end')));
    peer.refuse = () => undefined;
    assert.equal(String(await bytesOf(await fresh().read(path))), 'in the end');
  });

  test('a file with a second part that cannot be stored leaves no part', async () => {
    const path = newFile('exports', 'csv');
    peer.refuse = ({ url }) => (url.includes('partNumber=2') ? 403 : undefined);
    await assert.rejects(fresh().keep(path, localOf(randomBytes(17 * MIB))));
    peer.refuse = () => undefined;
    assert.equal(await fresh().size(path), undefined);
    assert.deepEqual(await unfinished(), []);
  });

  test('parts left by a killed process are removed, but only under its own prefix', async () => {
    const begin = (Key: string) => clientOf(storage!).send(new CreateMultipartUploadCommand({ Bucket: bucket, Key }));
    await begin('suite/exports/left.csv');
    const foreign = await begin('others/left.csv');
    assert.equal(await fresh().endUnfinished(new Date(Date.now() - 3_600_000)), 0, 'a young one may be under way');
    assert.equal(await fresh().endUnfinished(new Date(Date.now() + 3_600_000)), 1);
    assert.deepEqual(
      (await unfinished()).map(({ UploadId }) => UploadId),
      [foreign.UploadId],
    );
  });

  test('a file with bytes other than those stored never counts as complete', async () => {
    const path = newFile('uploads', 'bin');
    const sha256 = createHash('sha256').update('true').digest('hex');
    const put = { Bucket: bucket, Key: `suite/${path}`, Body: 'false', Metadata: { sha256 } };
    await clientOf(storage!).send(new PutObjectCommand(put));
    const store = fresh();
    await assert.rejects(bytesOf(await store.read(path)), /damaged/);
    await assert.rejects(store.localCopy(path), /damaged/);
    assert.deepEqual(readdirSync(store.drafts), []);
  });

  test('files of two prefixes in one bucket are separate', async () => {
    const path = newFile('uploads', 'bin');
    await fresh({ prefix: 'a/' }).keep(path, localOf(Buffer.from('of a')));
    assert.equal(await fresh({ prefix: 'b/' }).size(path), undefined);
    assert.deepEqual(await listed(fresh({ prefix: 'b/' }), 'uploads'), []);
    assert.deepEqual(await listed(fresh({ prefix: 'a/' }), 'uploads'), [path]);
  });
});

describe('the doctor’s findings about an S3-compatible storage', { skip }, () =>
  testDoctorOf(storage!, watched!, scratch('doctor')),
);

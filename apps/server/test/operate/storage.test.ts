import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import {
  draftPath,
  dropDraft,
  fileSize,
  fileStore,
  keepDraft,
  listFiles,
  localFile,
  newDraft,
  newFile,
  readFile,
  removeFile,
  removeUnfinished,
  storeFile,
  takeOverDraft,
} from '../../src/platform/files.ts';
import type { FileStore } from '../../src/platform/storage/file-store.ts';
import { FolderStore } from '../../src/platform/storage/folder-store.ts';
import { S3Store } from '../../src/platform/storage/s3-store.ts';
import { isTransient } from '../../src/platform/transient-error.ts';
import { testDoctorOf } from './doctor-storage.ts';
import { clientOf, noObjectStorage, startObjectStorage } from './object-storage.ts';
import { type WatchedStorage, watchStorage } from './watched-storage.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const MIB = 1 << 20;
const skip = noObjectStorage();
const storage = skip ? undefined : await startObjectStorage({ after });
const watched = storage ? await watchStorage({ after }, storage.S3_ENDPOINT) : undefined;
const folder = mkdtempSync(join(tmpdir(), 'heliograph-storage-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const scratch = (name: string) => {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
};

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

function localOf(bytes: Buffer): string {
  const path = join(scratch('local'), randomUUID());
  writeFileSync(path, bytes);
  return path;
}

async function bytesOf(stream: NodeJS.ReadableStream): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

const coded = (code: string) => (error: unknown) => (error as { code?: string }).code === code;

async function listed(store: FileStore, name: string): Promise<string[]> {
  const paths: string[] = [];
  for await (const { path } of store.list(name)) paths.push(path);
  return paths.sort();
}

for (const [kind, machine] of Object.entries(machines)) {
  describe(`files in ${kind}`, { skip: kind === 'a folder' ? false : skip }, () => {
    const store = skip && kind !== 'a folder' ? (undefined as never) : machine('one');
    const kept = async (bytes: Buffer, path = newFile('uploads', 'bin')) => {
      await store.keep(path, localOf(bytes));
      return path;
    };

    for (const [what, size] of [
      ['an empty file', 0],
      ['a file of one octet', 1],
      ['a file of one part exactly', 8 * MIB],
      ['a file of several parts', 17 * MIB + 5],
    ] as const)
      test(`${what} is read back octet for octet`, async () => {
        const bytes = randomBytes(size);
        const path = await kept(bytes);
        assert.ok((await bytesOf(await store.read(path))).equals(bytes));
        assert.equal(await store.size(path), size);
      });

    test('a file stored by one machine can be read by another', async () => {
      const path = await kept(Buffer.from('from here'));
      assert.equal(String(await bytesOf(await machine('two').read(path))), 'from here');
    });

    test('storing a file removes the local one', async () => {
      const local = localOf(Buffer.from('draft'));
      await store.keep(newFile('uploads', 'bin'), local);
      assert.equal(existsSync(local), false);
    });

    test('a file stored again has only the new bytes', async () => {
      const path = await kept(randomBytes(9 * MIB));
      await kept(Buffer.from('short'), path);
      assert.equal(String(await bytesOf(await store.read(path))), 'short');
      assert.equal(await store.size(path), 5);
    });

    test('two that store one path at the same time leave one whole file', async () => {
      const path = newFile('rejects', 'csv');
      const both = [Buffer.alloc(9 * MIB, 'a'), Buffer.alloc(9 * MIB, 'b')];
      await Promise.all(both.map((bytes) => kept(bytes, path)));
      const found = await bytesOf(await store.read(path));
      assert.ok(both.some((bytes) => bytes.equals(found)));
    });

    test('twenty files stored at the same time all exist', async () => {
      const files = Array.from({ length: 20 }, () => ({ path: newFile('uploads', 'bin'), bytes: randomBytes(1_000) }));
      await Promise.all(files.map(({ path, bytes }) => kept(bytes, path)));
      for (const { path, bytes } of files) assert.ok((await bytesOf(await store.read(path))).equals(bytes));
    });

    test('a file does not exist before it is complete', async () => {
      const path = newFile('exports', 'csv');
      let done = false;
      const keeping = kept(randomBytes(20 * MIB), path).then(() => {
        done = true;
      });
      while (!done) {
        const size = await store.size(path);
        assert.ok(size === undefined || size === 20 * MIB, `${size}`);
        await sleep(10);
      }
      await keeping;
    });

    test('a missing file is reported as such, and removing it is no fault', async () => {
      const path = newFile('uploads', 'bin');
      await assert.rejects(store.read(path), coded('not_found'));
      await assert.rejects(store.localCopy(path), coded('not_found'));
      assert.equal(await store.size(path), undefined);
      await store.remove(path);
    });

    test('a file that is removed is gone for every machine', async () => {
      const path = await kept(Buffer.from('x'));
      await store.remove(path);
      await assert.rejects(machine('two').read(path), coded('not_found'));
      assert.ok(!(await listed(store, 'uploads')).includes(path));
    });

    test('a large file of several parts is removed whole', async () => {
      const path = await kept(randomBytes(17 * MIB));
      await store.remove(path);
      assert.equal(await store.size(path), undefined);
    });

    test('a folder lists its files and no other folder’s, over several pages', async () => {
      const own = `p${randomBytes(4).toString('hex').replace(/\d/g, 'x')}`;
      const paths = Array.from({ length: 17 }, () => `${own}/${randomUUID()}.csv`);
      for (const path of paths) await kept(Buffer.from('x'), path);
      await kept(Buffer.from('x'), `${own}x/${randomUUID()}.csv`);
      assert.deepEqual(await listed(store, own), paths.sort());
    });

    test('a folder that was never used lists nothing', async () => {
      assert.deepEqual(await listed(store, 'never'), []);
    });

    test('a listing gives the time at which a file was stored', async () => {
      const path = await kept(Buffer.from('x'));
      for await (const file of store.list('uploads'))
        if (file.path === path) assert.ok(Math.abs(file.kept_at.getTime() - Date.now()) < 60_000, `${file.kept_at}`);
    });

    test('a local copy can be read, and leaves nothing behind', async () => {
      const bytes = randomBytes(MIB);
      const path = await kept(bytes);
      {
        await using copy = await store.localCopy(path);
        const file = await open(copy.path);
        const { buffer } = await file.read(Buffer.alloc(100), 0, 100, MIB - 100);
        await file.close();
        assert.ok(buffer.equals(bytes.subarray(-100)));
      }
      assert.equal(existsSync(store.drafts) ? readdirSync(store.drafts).length : 0, 0);
      assert.equal(await store.size(path), MIB, 'the file itself stays');
    });

    test('a reader that stops halfway disturbs no other', async () => {
      const path = await kept(randomBytes(12 * MIB));
      for await (const _ of await store.read(path)) break;
      assert.equal((await bytesOf(await store.read(path))).length, 12 * MIB);
    });

    test('a file that cannot be stored leaves the previous one', async () => {
      const path = await kept(Buffer.from('before'));
      await assert.rejects(store.keep(path, join(folder, 'no-such-file')));
      assert.equal(String(await bytesOf(await store.read(path))), 'before');
    });

    test('only a part of a large file is in memory while it is stored and read', async () => {
      const path = newFile('exports', 'csv');
      const size = 96 * MIB;
      const local = localOf(Buffer.alloc(0));
      const file = await open(local, 'w');
      await file.truncate(size);
      await file.close();
      let most = 0;
      const before = process.memoryUsage().arrayBuffers;
      const watch = setInterval(() => {
        // Garbage that waits to be collected must not count.
        collectGarbage();
        most = Math.max(most, process.memoryUsage().arrayBuffers - before);
      }, 200);
      await store.keep(path, local);
      let read = 0;
      for await (const piece of await store.read(path)) read += piece.length;
      clearInterval(watch);
      assert.equal(read, size);
      assert.ok(most < size * 0.6, `${Math.round(most / MIB)} MiB`);
      await store.remove(path);
    });

    test('no complete file is removed as unfinished', async () => {
      const path = await kept(randomBytes(9 * MIB));
      await store.endUnfinished(new Date(Date.now() + 60_000));
      assert.equal(await store.size(path), 9 * MIB);
    });
  });
}

const settings: Record<string, () => Parameters<typeof fileStore>[0]> = {
  'a folder': () => ({ DATA_DIR: scratch('data'), FILES_DIR: join(folder, 'files') }),
  'an S3-compatible storage': () => ({ DATA_DIR: scratch('data-of-s3'), ...storage, S3_PREFIX: 'product/' }),
};

for (const [kind, configOf] of Object.entries(settings)) {
  describe(`what the product does with files in ${kind}`, { skip: kind === 'a folder' ? false : skip }, () => {
    const config = configOf();
    const drafts = () => {
      const { drafts } = fileStore(config);
      return existsSync(drafts) ? readdirSync(drafts) : [];
    };
    const look = (local: string) => Promise.resolve(String(readFileSync(local)));

    test('an upload is inspected, stored with its size and hash, and found by its path', async () => {
      const stored = await storeFile(config, Readable.from([Buffer.from('63917'), Buffer.from('000')]), 100, look);
      assert.deepEqual([stored.seen, stored.size], ['63917000', 8]);
      assert.equal(stored.sha256, createHash('sha256').update('63917000').digest('hex'));
      assert.equal(String(await bytesOf(await readFile(config, stored.path))), '63917000');
      await using local = await localFile(config, stored.path);
      assert.equal(await look(local.path), '63917000');
      await removeFile(config, stored.path);
      assert.equal(await fileSize(config, stored.path), undefined);
    });

    test('an upload that is too large, breaks off or is refused leaves nothing', async () => {
      const paths = async () => (await Array.fromAsync(listFiles(config, 'uploads'))).map(({ path }) => path);
      const before = await paths();
      const large = Readable.from([Buffer.alloc(60), Buffer.alloc(60)]);
      await assert.rejects(storeFile(config, large, 100, look), coded('payload_too_large'));
      const cut = Object.assign(Readable.from([Buffer.from('x')]), { truncated: true });
      await assert.rejects(storeFile(config, cut, 100, look), coded('payload_too_large'));
      const refuse = () => Promise.reject(new Error('no table'));
      await assert.rejects(storeFile(config, Readable.from([Buffer.from('x')]), 100, refuse), /no table/);
      assert.deepEqual(await paths(), before);
      assert.deepEqual(drafts(), []);
    });

    test('a draft is taken over as a copy, so a frozen writer cannot change it', async () => {
      const [old, next] = [newFile('exports', 'csv'), newFile('exports', 'csv')];
      writeFileSync(await newDraft(config, old), 'line 1\n');
      const frozen = await open(draftPath(config, old), 'a');
      await takeOverDraft(config, old, next);
      await frozen.appendFile('line of the frozen one\n');
      await frozen.close();
      await keepDraft(config, next);
      assert.equal(String(await bytesOf(await readFile(config, next))), 'line 1\n');
      assert.deepEqual(drafts(), []);
    });

    test('a draft of another machine is started again', async () => {
      const next = newFile('exports', 'csv');
      await takeOverDraft(config, newFile('exports', 'csv'), next);
      assert.equal(existsSync(draftPath(config, next)), false);
    });

    test('drafts of dead processes go after two days, and younger ones stay', async () => {
      const [old, young] = [newFile('exports', 'csv'), newFile('exports', 'csv')];
      for (const path of [old, young]) writeFileSync(await newDraft(config, path), 'x');
      const past = new Date(Date.now() - 3 * 86_400_000);
      utimesSync(draftPath(config, old), past, past);
      await removeUnfinished(config, new Date(Date.now() - 2 * 86_400_000));
      assert.deepEqual(
        [old, young].map((path) => existsSync(draftPath(config, path))),
        [false, true],
      );
      await dropDraft(config, young);
    });

    test('a foreign path reaches nothing', () => {
      for (const path of ['../secret.key', 'uploads/../../x', '/etc/passwd', 'uploads/x', ''])
        assert.throws(() => readFile(config, path), /not a stored file/, path);
    });
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

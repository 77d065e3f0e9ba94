import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FileStore } from '../../src/platform/files/file-store.ts';
import { newFile } from '../../src/platform/files/files.ts';
import { bytesOf, coded, type LocalFiles, listed, MIB } from './local-files.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Storage that several machines share, and a folder for local files of the tests. */
interface SharedStore extends LocalFiles {
  store: FileStore;
  /** Opens the storage as another machine does. */
  another(): FileStore;
}

/** Tests that files are stored whole, or not at all. */
export function testStoring({ store, another, folder, localOf }: SharedStore): void {
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
    assert.equal(String(await bytesOf(await another().read(path))), 'from here');
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

  test('a file that cannot be stored leaves the previous one', async () => {
    const path = await kept(Buffer.from('before'));
    await assert.rejects(store.keep(path, join(folder, 'no-such-file')));
    assert.equal(String(await bytesOf(await store.read(path))), 'before');
  });

  test('only a part of a large file is in memory while it is stored and read', async () => {
    const path = newFile('exports', 'csv');
    const size = 192 * MIB;
    const local = localOf(Buffer.alloc(0));
    const file = await open(local, 'w');
    await file.truncate(size);
    await file.close();
    const limit = size * 0.6;
    let most = 0;
    const before = process.memoryUsage().arrayBuffers;
    const used = () => process.memoryUsage().arrayBuffers - before;
    const watch = setInterval(() => {
      if (used() >= limit) {
        // Garbage that waits to be collected must not count. A thread frees it, and the second call waits for that thread.
        collectGarbage();
        collectGarbage();
      }
      most = Math.max(most, used());
    }, 200);
    await store.keep(path, local);
    let read = 0;
    for await (const piece of await store.read(path)) read += piece.length;
    clearInterval(watch);
    assert.equal(read, size);
    assert.ok(most < limit, `${Math.round(most / MIB)} MiB`);
    await store.remove(path);
  });
}

/** Tests that stored files are found, listed and removed by every machine. */
export function testFinding({ store, another, localOf }: SharedStore): void {
  const kept = async (bytes: Buffer, path = newFile('uploads', 'bin')) => {
    await store.keep(path, localOf(bytes));
    return path;
  };

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
    await assert.rejects(another().read(path), coded('not_found'));
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

  test('no complete file is removed as unfinished', async () => {
    const path = await kept(randomBytes(9 * MIB));
    await store.endUnfinished(new Date(Date.now() + 60_000));
    assert.equal(await store.size(path), 9 * MIB);
  });
}

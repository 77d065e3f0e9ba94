import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { test } from 'node:test';
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
} from '../../src/platform/files/files.ts';
import { bytesOf, coded } from './local-files.ts';

/** Tests what the product does with files, in the storage that its settings name. */
export function testProductFiles(config: Parameters<typeof fileStore>[0]): void {
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
}

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { until } from '@heliograph/fault-kit';
import { lockDataFolder, lockHolder, lockPath } from '@heliograph/installation/data-folder';
import { secretKey } from '#platform/process/seal';

function dataFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-test-folder-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('a data folder has one holder, and the second one learns its name', async (t) => {
  const folder = dataFolder(t);
  const lock = await lockDataFolder(folder, 'process 1, http://here');
  await assert.rejects(lockDataFolder(folder, 'another'), {
    name: 'StartError',
    message: /in use by another Heliograph \(process 1, http:\/\/here\)\.$/,
  });
  await lock.release();
  await (await lockDataFolder(folder, 'another')).release();
});

test('the lock of a killed process is taken over, also under a long path', async (t) => {
  for (const name of ['', 'x'.repeat(120)]) {
    const folder = join(dataFolder(t), name);
    mkdirSync(folder, { recursive: true });
    const holder = spawn(process.execPath, [
      '-e',
      'require("node:net").createServer().listen(process.argv[1])',
      lockPath(folder),
    ]);
    await until('the folder is held', () => lockHolder(lockPath(folder)));
    holder.kill('SIGKILL');
    await new Promise((done) => holder.once('exit', done));
    await (await lockDataFolder(folder, 'next')).release();
  }
});

test('the secret key is made once, only its owner may read it, and damage is refused', (t) => {
  const DATA_DIR = dataFolder(t);
  const key = secretKey({ DATA_DIR, SECRET_KEY: undefined });
  assert.equal(key.length, 32);
  assert.deepEqual(secretKey({ DATA_DIR, SECRET_KEY: undefined }), key);
  assert.equal(statSync(join(DATA_DIR, 'secret.key')).mode & 0o777, 0o600);
  assert.ok(readFileSync(join(DATA_DIR, 'secret.key'), 'utf8').length > 40);
  const given = Buffer.alloc(32, 9);
  assert.deepEqual(secretKey({ DATA_DIR, SECRET_KEY: given.toString('base64') }), given);
  writeFileSync(join(DATA_DIR, 'secret.key'), 'c2hvcnQ=');
  assert.throws(() => secretKey({ DATA_DIR, SECRET_KEY: undefined }), { name: 'StartError', exitCode: 2 });
});

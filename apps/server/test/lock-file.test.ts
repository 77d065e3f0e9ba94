import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LOCK_FILE, type LockFile, missingPackages } from '../../../scripts/complete-lock-file.ts';

test('the lock file has the packages of every system (if not: npm run lock)', () => {
  const lock = JSON.parse(readFileSync(LOCK_FILE, 'utf8')) as LockFile;
  assert.ok(Object.keys(lock.packages).length > 300);
  assert.deepEqual([...missingPackages(lock).keys()], []);
});

test('a package for another system that the lock file lacks is found', () => {
  const lock: LockFile = {
    packages: {
      'node_modules/tool': {
        version: '1.0.0',
        optionalDependencies: { '@tool/linux-arm64-musl': '1.0.0', near: '2.0.0' },
      },
      'node_modules/tool/node_modules/near': { version: '2.0.0' },
    },
  };
  assert.deepEqual(
    [...missingPackages(lock)],
    [['@tool/linux-arm64-musl', { version: '1.0.0', cpu: ['arm64'], libc: ['musl'], optional: true, os: ['linux'] }]],
  );
});

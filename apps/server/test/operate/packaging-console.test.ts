import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runVite } from '../../../../scripts/build-console.ts';

test('a console that cannot be built is reported in one sentence with the log’s path', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-console-'));
  const options = process.env['NODE_OPTIONS'];
  t.after(() => {
    process.env['NODE_OPTIONS'] = options ?? '';
    rmSync(folder, { recursive: true, force: true });
  });
  process.env['NODE_OPTIONS'] = `--require ${folder}/what-is-not-there.cjs`;
  const told = join(folder, 'data/console-build.log');
  await assert.rejects(runVite(join(folder, 'dist'), told), {
    message: `The console could not be built. The output of Vite is in ${told}.`,
  });
  assert.match(readFileSync(told, 'utf8'), /what-is-not-there/);
  await assert.rejects(
    runVite(join(folder, 'dist')),
    /^Error: The console could not be built:\n[\s\S]*what-is-not-there/,
  );
});

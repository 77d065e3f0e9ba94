import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'node:test';

const TESTS = import.meta.dirname;
const page = readFileSync(resolve(TESTS, '../../../docs/conformance.md'), 'utf8');

/** Tests that the page names: a file and a sentence. */
const named = [...page.matchAll(/([\w-]+\/[\w-]+\.test\.ts): ([^|\n]+?)\s*(?:\||\.?$)/gm)].map(([, file, name]) => ({
  file: file!,
  name: name!,
}));

test('every test that the conformance tables name exists', () => {
  const rows = page.split('\n').filter((line) => /^\| (?!Clause|-)/.test(line));
  assert.ok(rows.length > 40, `${rows.length} rows`);
  assert.deepEqual(
    rows.filter((row) => !/[\w-]+\/[\w-]+\.test\.ts: \S/.test(row)),
    [],
    'each row names its test',
  );
  const gone = named.filter(({ file, name }) => {
    const path = join(TESTS, file);
    return !existsSync(path) || !readFileSync(path, 'utf8').includes(`test('${name}'`);
  });
  assert.deepEqual(gone, []);
  assert.ok(named.length >= rows.length);
});

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { TextTree } from '@heliograph/contract/kernel/text-tree';
import { RESOURCES } from '@heliograph/contract/registry';
import { mergeLocale } from '../build/messages.ts';

const MESSAGES = join(import.meta.dirname, '../../../packages/contract/messages');
const SOURCES = join(import.meta.dirname, '../src');

function flat(tree: TextTree, prefix = ''): Map<string, string> {
  const all = new Map<string, string>();
  for (const [key, value] of Object.entries(tree))
    if (typeof value === 'string') all.set(prefix + key, value);
    else for (const [inner, text] of flat(value, `${prefix}${key}.`)) all.set(inner, text);
  return all;
}

const english = flat(mergeLocale(MESSAGES, 'en'));

test('every field of every record has its label', () => {
  for (const resource of RESOURCES) {
    for (const word of ['one', 'many', 'empty', 'first']) assert.ok(english.has(`resources.${resource.name}.${word}`));
    const fields = new Set([resource.row, resource.create, resource.update].flatMap((s) => Object.keys(s.shape)));
    for (const own of ['abilities', 'etag']) fields.delete(own);
    for (const field of fields)
      assert.ok(english.has(`resources.${resource.name}.fields.${field}`), `${resource.name}.${field}`);
  }
});

test('every text that the console uses by a complete key exists', () => {
  const files = globSync('**/*.{ts,tsx}', { cwd: SOURCES });
  assert.ok(files.length > 50, `read ${files.length} files`);
  for (const file of files)
    for (const [, key] of readFileSync(join(SOURCES, file), 'utf8').matchAll(/\bt\('([a-z][\w.-]*\.[\w.-]+)'/g)) {
      assert.ok(english.has(key!) || english.has(`${key}_other`), `${file} asks for ${key}`);
    }
});

import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { test } from 'node:test';
import { flat, messageFiles, readMessages } from './sentences.ts';

// Each text stands in the file of its capability, and the program uses each text.

const ROOT = resolve(import.meta.dirname, '../../..');

/** Prefixes that each file may use; every other prefix belongs to one file. */
const SHARED = new Set(['menu', 'resources', 'errors', 'validation']);
/** Files of the console as a whole: its frame, and what every screen uses. */
const OF_ALL_SCREENS = ['kernel', 'shell'];

/** Groups whose names are not written out where their texts are shown. */
const GROUPS_IN_VARIABLES = ['for_programs', 'errors', 'payment', 'refund', 'correction'];

const sources = globSync('{apps/*/src,packages/contract/src}/**/*.{ts,tsx}', { cwd: ROOT })
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n');
const literals = new Set([...sources.matchAll(/['"`]([\w.-]+)['"`]/g)].map((found) => found[1]!));
/** Keys that the code builds, as expressions: `campaign_state.${state}`, `keyIn('resources', name, 'one')`, `words="node_kind"`. */
const templates = [
  ...[...sources.matchAll(/`([a-z_]+\.[\w.-]*)\$\{[^`}]*\}([\w.-]*)(?=[`$])/g)].map(([, before, after]) => [
    before!,
    after!,
  ]),
  ...[...sources.matchAll(/keyIn\(\s*'([\w.-]+)',(?:[^()]|\([^()]*\))*?(?:, '([\w-]+)')?,?\s*\)/g)].map(
    ([, group, last]) => [`${group}.`, last ? `.${last}` : ''],
  ),
  ...[...sources.matchAll(/keyIn\(`(\w+)\$\{/g)].map(([, before]) => [before!, '']),
  ...[...sources.matchAll(/\b(?:words|of)(?:=|: )["']([a-z_]+)["']/g)].map(([, group]) => [`${group}.`, '']),
].map(([before, after]) => new RegExp(`^${before!.replaceAll('.', '\\.')}.+${after!.replaceAll('.', '\\.')}`));

test('a prefix that is not shared belongs to one file', () => {
  const files = new Map<string, string>();
  const twice: string[] = [];
  for (const file of messageFiles('en'))
    for (const prefix of Object.keys(readMessages('en', file))) {
      if (SHARED.has(prefix)) continue;
      if (files.has(prefix)) twice.push(`${prefix} is in ${files.get(prefix)} and ${file}`);
      files.set(prefix, file);
    }
  assert.deepEqual(twice, []);
});

test('a text file has the name of a capability', () => {
  const capabilities = new Set([
    ...OF_ALL_SCREENS,
    ...['console', 'server'].flatMap((app) => readdirSync(join(ROOT, 'apps', app, 'src/modules'))),
  ]);
  assert.deepEqual(
    messageFiles('en').filter((file) => !capabilities.has(basename(file, '.json'))),
    [],
  );
});

test('the program uses each text', () => {
  const dead = messageFiles('en').flatMap((file) =>
    flat(readMessages('en', file))
      .map(([key]) => key)
      .filter((key) => {
        const base = key.replace(/_(zero|one|two|few|many|other)$/, '');
        const used =
          literals.has(key) ||
          literals.has(base) ||
          GROUPS_IN_VARIABLES.includes(key.split('.')[0]!) ||
          templates.some((each) => each.test(base) || each.test(key));
        return !used;
      })
      .map((key) => `${file}: ${key}`),
  );
  assert.deepEqual(dead, []);
});

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

/** Groups whose names stand in a variable, so no template of the source begins with them. */
const NAMED_BY_VARIABLE = [
  // The business errors; locales.test.ts compares them with their table.
  'errors',
  'for_programs',
  // The dialogs of one component.
  'payment',
  'refund',
  'correction',
  // Words of select fields, in the form `<words>.<choice>`.
  'link_default_charset',
  'link_flash_dialect',
  'link_long_messages',
  'link_registered_delivery',
  'link_validity_format',
  'route_format',
  'smpp_octets',
];

const sources = globSync('{apps/*/src,packages/contract/src}/**/*.{ts,tsx}', { cwd: ROOT })
  .map((file) => readFileSync(join(ROOT, file), 'utf8'))
  .join('\n');
const literals = new Set([...sources.matchAll(/['"`]([\w.-]+)['"`]/g)].map((found) => found[1]!));
/** Templates such as `campaign_state.${state}`, as expressions that their keys match. */
const templates = [
  ...new Set(
    [...sources.matchAll(/`([a-z_]+\.[\w.-]*)\$\{[^`}]*\}([\w.-]*)(?=[`$])/g)].map(
      ([, before, after]) => `${before!.replaceAll('.', '\\.')}.+${after!.replaceAll('.', '\\.')}.*`,
    ),
  ),
].map((source) => new RegExp(`^${source}$`));

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
          NAMED_BY_VARIABLE.includes(key.split('.')[0]!) ||
          templates.some((each) => each.test(base) || each.test(key));
        return !used;
      })
      .map((key) => `${file}: ${key}`),
  );
  assert.deepEqual(dead, []);
});

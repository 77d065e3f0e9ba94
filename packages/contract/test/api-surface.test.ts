import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { API_CHANGES } from '../src/api/changes.ts';
import { PUBLIC_OPERATIONS } from '../src/api/operations.ts';
import { apiSurface } from '../src/api/surface.ts';

const published = readFileSync(join(import.meta.dirname, 'api-surface.txt'), 'utf8')
  .trim()
  .split('\n');
const now = apiSurface();

test('what programs rely on never goes away, and what was optional stays optional', () => {
  const present = new Set(now);
  const gone = published.filter((line) => !present.has(line));
  assert.deepEqual(gone, [], 'programs break: keep these, or deprecate the call first (CONTRIBUTING, “Add a call”)');
});

test('what the public API got is recorded, so that it stays', () => {
  const recorded = new Set(published);
  assert.deepEqual(
    now.filter((line) => !recorded.has(line)),
    [],
    'run `npm run api-surface`',
  );
});

test('the change log of the API names each call once, days from the newest to the oldest', () => {
  const named = API_CHANGES.flatMap(({ added }) => added);
  assert.deepEqual(named.toSorted(), PUBLIC_OPERATIONS.map(({ name }) => name).sort());
  const days = API_CHANGES.map(({ day }) => day);
  assert.deepEqual(days, days.toSorted().toReversed());
  assert.equal(new Set(days).size, days.length);
});

test('a call that goes away names another one, and works for half a year more', () => {
  const names = new Set(PUBLIC_OPERATIONS.map(({ name }) => name));
  for (const { name, deprecated } of PUBLIC_OPERATIONS) {
    if (!deprecated) continue;
    assert.ok(names.has(deprecated.instead) && deprecated.instead !== name, name);
    assert.ok(Date.parse(deprecated.sunset) - Date.parse(deprecated.since) >= 182 * 86_400_000, name);
  }
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ENDINGS, endingOf } from '@heliograph/contract/sandbox/endings';
import { SANDBOX_LIMITS } from '@heliograph/contract/sandbox/limits';

const article = readFileSync(join(import.meta.dirname, '../../src/seed/guide/api-sandbox.md'), 'utf8');

test('the article about the sandbox names every ending and limit', () => {
  const named = [...article.matchAll(/^\| `(\d{4})`/gm)].map(([, digits]) => digits);
  assert.deepEqual(
    named,
    ENDINGS.map(({ digits }) => digits),
  );
  const { rate, perDay, days } = SANDBOX_LIMITS;
  for (const limit of [`${rate} test messages a second`, `${perDay.toLocaleString('en')} a day`, `${days} days`])
    assert.ok(article.includes(limit), limit);
});

test('each ending has digits of its own, and any other number is delivered', () => {
  assert.equal(new Set(ENDINGS.map(({ digits }) => digits)).size, ENDINGS.length);
  for (const { digits, name } of ENDINGS) assert.equal(endingOf(`63917000${digits}`).name, name);
  assert.deepEqual(
    endingOf('4915112345678').receipts.map(({ state }) => state),
    ['delivered'],
  );
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { clientTypes, TYPES_FILE } from '../../../scripts/generate-client-types.ts';

test('the types of the client match the contract', () => {
  assert.ok(readFileSync(TYPES_FILE, 'utf8') === clientTypes(), 'call npm run client-types');
});

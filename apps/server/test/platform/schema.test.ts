import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateSchemaTypes } from '../../../../scripts/generate-schema-types.ts';
import { testDatabase } from '../template-database.ts';

test('the types match the tables of the migrated database (else: npm run types)', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-schema-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const { url } = await testDatabase(t);
  const fresh = join(folder, 'schema.ts');
  generateSchemaTypes(url, fresh);
  const kept = readFileSync(join(import.meta.dirname, '../../src/platform/database/schema.ts'), 'utf8');
  assert.equal(kept, readFileSync(fresh, 'utf8'));
});

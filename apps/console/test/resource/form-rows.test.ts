import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { errorsAfterRows, rowFieldsOf } from '../../src/resource/form-values.ts';

const schema = z.object({
  name: z.string(),
  tags: z.array(z.string()),
  tiers: z.array(z.object({ from: z.string() })).default([]),
  rules: z.array(z.object({ group: z.string() })).nullable(),
});

test('only lists of records are fields of rows', () => {
  assert.deepEqual([...rowFieldsOf(schema)], ['tiers', 'rules']);
});

test('a new row shows no fault before the person asks to save it', () => {
  const faults = () => ({ 'tiers.1.from': 'Required', name: 'Required' });
  assert.deepEqual(errorsAfterRows({ name: 'Too long' }, 'tiers', faults), { name: 'Too long' });
  // Afterwards each change shows what is still wrong.
  assert.deepEqual(errorsAfterRows({ name: 'Too long', 'tiers.0.from': 'Required' }, 'tiers', faults), {
    name: 'Too long',
    'tiers.1.from': 'Required',
  });
  assert.deepEqual(
    errorsAfterRows({ tiers: 'Too few' }, 'tiers', () => ({})),
    {},
  );
});

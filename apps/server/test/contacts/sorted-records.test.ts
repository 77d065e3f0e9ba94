import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { SortedRecords } from '../../src/modules/contacts/sorted-records.ts';
import { readConnectedConfig } from '../../src/platform/config/config.ts';
import { temporaryFolder } from './table-file.ts';

test('records of any number and length come back sorted and stable, from disk too', async (t) => {
  const folder = temporaryFolder(t);
  const config = readConnectedConfig({ DATABASE_URL: 'postgres://nobody@127.0.0.1/none', DATA_DIR: folder });
  const key = fc.oneof(fc.nat(20), fc.integer({ min: 0, max: 2 ** 51 - 1 }));
  const batch = fc.array(
    fc.tuple(key, fc.string({ unit: 'grapheme', maxLength: 12 }), fc.constantFrom(1, 1, 1, 40_000)),
    {
      maxLength: 60,
    },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(batch, { maxLength: 12 }),
      fc.constantFrom(200, 5_000, 1 << 20),
      async (batches, bytes) => {
        const all = batches.flat().map(([at, text, times]) => ({
          key: at,
          line: `${text.replaceAll('\n', '').repeat(times)}\n`,
        }));
        await using records = new SortedRecords(config, bytes);
        let added = 0;
        for (const rows of batches) {
          for (const _ of rows) {
            const { key: at, line } = all[added++]!;
            records.add(at, line);
          }
          await records.drain();
        }
        for (let round = 0; round < 2; round++) {
          const seen: typeof all = [];
          await records.visit((at, octets, start, end) => {
            seen.push({ key: at, line: octets.toString('utf8', start, end) });
            return undefined;
          });
          assert.deepEqual(
            seen,
            all.toSorted((a, b) => a.key - b.key),
          );
        }
      },
    ),
    { numRuns: 60 },
  );
  assert.deepEqual(readdirSync(join(folder, 'files', 'drafts')), [], 'nothing is left on the disk');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { readCsv } from '#platform/table/read-csv';
import type { TableRow } from '#platform/table/read-table';
import { fileOf } from './table-file.ts';

/** Reads a text with the CSV parser only. */
function byParser(text: string): TableRow[] {
  const records = parse(text, {
    bom: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    info: true,
  }) as unknown as { info: { lines: number }; record: string[] }[];
  return records.map(({ info, record }) => ({ line: info.lines, cells: record }));
}

async function read(path: string): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  for await (const batch of readCsv(path, { type: 'csv', encoding: 'utf-8', separator: 'comma', declared: false }))
    rows.push(...batch.rows);
  return rows;
}

test('text without quotes, or with late quotes, is read as the parser reads it', async (t) => {
  const cell = fc.oneof(
    { weight: 8, arbitrary: fc.stringMatching(/^[a-zé0-9 😀]{0,6}$/u) },
    { weight: 1, arbitrary: fc.constantFrom('"a, b"', '"two\nlines"', '""', 'a"b') },
  );
  const line = fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join(','));
  const end = fc.constantFrom('\n', '\r\n', '\r', '\n\n');
  const text = fc
    .tuple(fc.boolean(), fc.array(line, { maxLength: 30 }), end, fc.boolean())
    .map(([bom, lines, feed, last]) => `${bom ? '\ufeff' : ''}${lines.join(feed)}${last ? feed : ''}`);
  await fc.assert(
    fc.asyncProperty(text, async (content) => {
      assert.deepEqual(await read(fileOf(t, Buffer.from(content))), byParser(content));
    }),
    { numRuns: 150 },
  );
});

test('a file of many pieces is read completely, whatever letter spans two pieces', async (t) => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `63917${String(i).padStart(7, '0')},Peña ${'é'.repeat(i % 9)}`);
  const plain = rows.join('\r\n');
  assert.deepEqual(await read(fileOf(t, Buffer.from(plain))), byParser(plain));
  const quoted = `${plain}\r\n639180000000,"Cruz, Ana"\r\n\r\n639180000001,Ana`;
  assert.deepEqual(await read(fileOf(t, Buffer.from(quoted))), byParser(quoted));
});

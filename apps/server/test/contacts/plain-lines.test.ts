import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { BusinessError } from '#platform/errors';
import { PlainLines } from '#platform/table/plain-lines';
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

test('text is read as the parser reads it, wherever quotes and line ends are', async (t) => {
  const cell = fc.oneof(
    { weight: 8, arbitrary: fc.stringMatching(/^[a-zé0-9 😀]{0,6}$/u) },
    { weight: 3, arbitrary: fc.constantFrom('"a, b"', '"two\nlines"', '"\n"', '""', '"say ""hi"""', '""""') },
    { weight: 1, arbitrary: fc.constantFrom('a"b', '"a"b', ' "a"', '"a" ', '"a\r\nb"', '"a\rb"', '"open') },
  );
  const line = fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join(','));
  const end = fc.constantFrom('\n', '\r\n', '\r', '\n\n', '\r\n\n');
  const text = fc
    .tuple(fc.boolean(), fc.array(line, { maxLength: 30 }), end, fc.boolean())
    .map(([bom, lines, feed, last]) => `${bom ? '\ufeff' : ''}${lines.join(feed)}${last ? feed : ''}`);
  await fc.assert(
    fc.asyncProperty(text, async (content) => {
      const path = fileOf(t, Buffer.from(content));
      let expected: TableRow[];
      try {
        expected = byParser(content);
      } catch {
        await assert.rejects(read(path), BusinessError);
        return;
      }
      assert.deepEqual(await read(path), expected);
    }),
    { numRuns: 400 },
  );
});

test('text in pieces of any length is split as the parser splits it', () => {
  const cell = fc.oneof(
    { weight: 4, arbitrary: fc.stringMatching(/^[a-zé0-9 😀]{0,6}$/u) },
    { weight: 3, arbitrary: fc.constantFrom('"a, b"', '"two\nlines"', '"three\n\nlines"', '""', '"é ""hi"""') },
    { weight: 1, arbitrary: fc.constantFrom('a"b', '"a"b') },
  );
  const text = fc
    .array(fc.array(cell, { minLength: 1, maxLength: 4 }), { maxLength: 20 })
    .map((rows) => rows.map((cells) => `${cells.join(',')}\n`).join(''));
  fc.assert(
    fc.property(text, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (content, lengths) => {
      const octets = Buffer.from(content);
      const plain = new PlainLines('utf-8', ',', 1_000);
      const rows: TableRow[] = [];
      let at = 0;
      let split: TableRow[] | null = [];
      for (let i = 0; at < octets.length && split; i++) {
        const length = lengths[i % lengths.length]!;
        split = plain.take(octets.subarray(at, at + length));
        at += length;
        rows.push(...(split ?? []));
      }
      if (split) rows.push(...(plain.last() ?? []));
      else {
        const rest = plain.carried + Buffer.concat([plain.rest, octets.subarray(at)]).toString();
        rows.push(...byParser(rest).map(({ line, cells }) => ({ line: line + plain.lines, cells })));
      }
      assert.deepEqual(rows, byParser(content));
    }),
    { numRuns: 1_000 },
  );
});

test('a file of many pieces is read completely, whatever letter spans two pieces', async (t) => {
  const rows = Array.from({ length: 20_000 }, (_, i) => `63917${String(i).padStart(7, '0')},Peña ${'é'.repeat(i % 9)}`);
  const plain = rows.join('\r\n');
  assert.deepEqual(await read(fileOf(t, Buffer.from(plain))), byParser(plain));
  const quoted = `${plain}\r\n639180000000,"Cruz, Ana"\r\n\r\n639180000001,Ana`;
  assert.deepEqual(await read(fileOf(t, Buffer.from(quoted))), byParser(quoted));
});

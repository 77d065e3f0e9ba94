import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BusinessError } from '#platform/errors';
import { firstRows } from '#platform/table/read-table';
import { allRows, compoundOf, fileOf, zipOf } from './table-file.ts';

const TEXT = 'number,name\r\n639170000001,José Ñuñez\r\n639170000002,"Cruz, ""Ana"""\r\n';
const CELLS = [
  ['number', 'name'],
  ['639170000001', 'José Ñuñez'],
  ['639170000002', 'Cruz, "Ana"'],
];
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

test('the same text is read from every encoding, with and without its byte order mark', async (t) => {
  const files = {
    'UTF-8': Buffer.from(TEXT),
    'UTF-8 with BOM': Buffer.from(`\ufeff${TEXT}`),
    'UTF-16 LE with BOM': Buffer.from(`\ufeff${TEXT}`, 'utf16le'),
    'UTF-16 LE': Buffer.from(TEXT, 'utf16le'),
    'UTF-16 BE with BOM': utf16be(`\ufeff${TEXT}`),
    'UTF-16 BE': utf16be(TEXT),
    'Latin-1': Buffer.from(TEXT, 'latin1'),
  };
  for (const [name, bytes] of Object.entries(files)) {
    const rows = await allRows(fileOf(t, bytes));
    assert.deepEqual(
      rows.map(({ cells }) => cells),
      CELLS,
      name,
    );
  }
});

test('a Latin-1 letter at the end of a long file decides the encoding of all of it', async (t) => {
  const text = `number,name\n${'639170000001,plain\n'.repeat(50_000)}639170000002,Peña`;
  const rows = await allRows(fileOf(t, Buffer.from(text, 'latin1')));
  assert.deepEqual(rows.at(-1), { line: 50_002, cells: ['639170000002', 'Peña'] });
});

test('UTF-8 characters cut by the borders of the pieces stay whole', async (t) => {
  const text = `number,name\n${'1,€😀é\n'.repeat(60_000)}`;
  for (const shift of ['', 'x', 'xx', 'xxx']) {
    const rows = await allRows(fileOf(t, `${shift}${text}`));
    assert.ok(rows.slice(1).every(({ cells }) => cells[1] === '€😀é'));
    assert.equal(rows.length, 60_001);
  }
});

test('line numbers count lines of the file, over empty lines and mixed line ends', async (t) => {
  const rows = await allRows(fileOf(t, 'number\r\n\r\n1\n\n\n2\r\n3'));
  assert.deepEqual(
    rows.map(({ line, cells }) => [line, cells[0]]),
    [
      [1, 'number'],
      [3, '1'],
      [6, '2'],
      [7, '3'],
    ],
  );
});

test('ragged rows and stray quotes lose no other row', async (t) => {
  const rows = await allRows(fileOf(t, 'number,name\n1,a"b\n2\n3,x,y,z\n'));
  assert.deepEqual(
    rows.map(({ cells }) => cells),
    [['number', 'name'], ['1', 'a"b'], ['2'], ['3', 'x', 'y', 'z']],
  );
});

test('a huge line or a quote that never ends is refused before it fills the memory', async (t) => {
  for (const text of [`number\n${'9'.repeat(5_000_000)}`, `number,name\n1,"${'a\n'.repeat(2_000_000)}`]) {
    await assert.rejects(allRows(fileOf(t, text)), (error: BusinessError) => {
      assert.deepEqual(
        [error.code, error.params],
        text.includes('"') ? ['quote_open', { row: 2 }] : ['file_unreadable', {}],
      );
      return true;
    });
  }
});

test('binary files, and archives that are not workbooks, are refused', async (t) => {
  const files = [
    randomBytes(5_000),
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    compoundOf('WordDocument'),
    zipOf([{ name: 'readme.txt', data: Buffer.from('hello'), method: 0 }]),
  ];
  for (const bytes of files) await assert.rejects(allRows(fileOf(t, bytes)), { code: 'file_type_unknown' });
});

test('any table written as CSV is read back unchanged', async (t) => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/[\p{Cc}\ufeff]/u.test(text));
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const text = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join()).join('\r\n');
      const read = await allRows(fileOf(t, text), { header_row: 1 });
      assert.deepEqual(
        read.map(({ cells }) => cells),
        rows,
      );
    }),
    { numRuns: 100 },
  );
});

test('a preview reads only its own rows', async (t) => {
  const { rows } = await firstRows(fileOf(t, `number\n${'1\n'.repeat(100_000)}`), 4, { tenant: null, reading: {} });
  assert.deepEqual(
    rows.map(({ line }) => line),
    [1, 2, 3, 4],
  );
});

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { parseHeader } from '#modules/contacts';
import { firstRows } from '#platform/table/read-table';
import { allRows, fileOf, workbookOf, zipOf } from './table-file.ts';

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

test('a huge line and a quote that never ends are refused in place of filling the memory', async (t) => {
  for (const text of [`number\n${'9'.repeat(5_000_000)}`, `number,name\n1,"${'a\n'.repeat(2_000_000)}`]) {
    await assert.rejects(allRows(fileOf(t, text)), { code: 'file_unreadable' });
  }
});

test('binary files and archives that are no workbook are refused', async (t) => {
  const files = [
    randomBytes(5_000),
    Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    zipOf([{ name: 'readme.txt', data: Buffer.from('hello'), method: 0 }]),
    Buffer.from('PK\u0003\u0004 cut off', 'latin1'),
  ];
  for (const bytes of files) await assert.rejects(allRows(fileOf(t, bytes)), { code: 'file_type_unknown' });
});

test('any table written as CSV is read back as it was', async (t) => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((text) => !/[\p{Cc}\ufeff]/u.test(text));
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(table, async (rows) => {
      const text = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join()).join('\r\n');
      const read = await allRows(fileOf(t, text));
      assert.deepEqual(
        read.map(({ cells }) => cells),
        rows,
      );
    }),
    { numRuns: 100 },
  );
});

test('a workbook gives its first sheet: texts, whole numbers, formulas, rich texts, gaps', async (t) => {
  const path = await workbookOf(t, [
    ['number', 'name', 'param1'],
    [639170000001, 'José', null],
    ['+63 917 000 0002', { richText: [{ text: 'Ana ' }, { font: { bold: true }, text: 'Cruz' }] }, 12.5],
    [],
    ['6.39171E+11', { formula: 'A2', result: 7 }, true],
  ]);
  const rows = await allRows(path);
  assert.deepEqual(
    rows.map(({ line, cells }) => [line, ...cells]),
    [
      [1, 'number', 'name', 'param1'],
      [2, '639170000001', 'José'],
      [3, '+63 917 000 0002', 'Ana Cruz', '12.5'],
      [5, '6.39171E+11', '7', '1'],
    ],
  );
});

const bookOf = (sheet: Buffer, strings?: Buffer) =>
  zipOf([
    { name: '[Content_Types].xml', data: Buffer.from('<Types/>'), method: 0 },
    {
      name: 'xl/workbook.xml',
      data: Buffer.from('<workbook xmlns:r="r"><sheets><sheet r:id="a"/></sheets></workbook>'),
      method: 0,
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      data: Buffer.from('<R><Relationship Id="a" Target="worksheets/one.xml"/></R>'),
      method: 0,
    },
    ...(strings ? [{ name: 'xl/sharedStrings.xml', data: deflateRawSync(strings), method: 8 as const }] : []),
    { name: 'xl/worksheets/one.xml', data: deflateRawSync(sheet), method: 8 as const, declared: 10 },
  ]);

test('a workbook that inflates without end is refused with little memory, whatever its sizes claim', async (t) => {
  const bombs = {
    'one endless text': bookOf(Buffer.from(`<worksheet><row><c t="str"><v>${'a'.repeat(60_000_000)}`)),
    'an endless comment': bookOf(Buffer.from(`<worksheet><!-- ${'<'.repeat(60_000_000)}`)),
    'too many shared strings': bookOf(
      Buffer.from('<worksheet/>'),
      Buffer.from(`<sst>${'<si></si>'.repeat(5_100_000)}</sst>`),
    ),
  };
  for (const [name, bytes] of Object.entries(bombs)) {
    const before = process.memoryUsage().rss;
    await assert.rejects(allRows(fileOf(t, bytes)), { code: 'file_unreadable' }, name);
    assert.ok(process.memoryUsage().rss - before < 400e6, name);
  }
});

test('damaged workbooks and hostile XML are refused', async (t) => {
  const good = bookOf(
    Buffer.from('<worksheet><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>'),
  );
  assert.equal((await allRows(fileOf(t, good))).length, 1);
  const hostile = [
    good.subarray(0, 200),
    bookOf(Buffer.from('<worksheet><row>')),
    bookOf(Buffer.from('<!DOCTYPE x [<!ENTITY a "bbbb">]><worksheet><row><c t="str"><v>&a;</v></c></row></worksheet>')),
    bookOf(Buffer.from('no xml at all')),
  ];
  for (const bytes of hostile) {
    await assert.rejects(allRows(fileOf(t, bytes)), (error: { code?: string }) =>
      ['file_unreadable', 'file_type_unknown'].includes(error.code ?? ''),
    );
  }
});

test('a workbook cut or flipped anywhere gives rows or a refusal, never a crash', async (t) => {
  const good = bookOf(
    Buffer.from(`<worksheet><sheetData>${'<row><c t="s"><v>0</v></c></row>'.repeat(200)}</sheetData></worksheet>`),
    Buffer.from('<sst><si><t>x</t></si></sst>'),
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), async (at, flip, cut) => {
      const bytes = cut ? good.subarray(0, at) : Buffer.from(good);
      if (!cut) bytes[at]! ^= flip;
      await allRows(fileOf(t, bytes)).catch((error: { code?: string }) => {
        assert.ok(['file_unreadable', 'file_type_unknown'].includes(error.code ?? ''), String(error));
      });
    }),
    { numRuns: 300 },
  );
});

test('a preview reads no more than its rows', async (t) => {
  const rows = await firstRows(fileOf(t, `number\n${'1\n'.repeat(100_000)}`), 4);
  assert.deepEqual(
    rows.map(({ line }) => line),
    [1, 2, 3, 4],
  );
});

test('headers: any order and case, number needed, nothing unknown, nothing twice', () => {
  assert.deepEqual(parseHeader([' Param2', 'NUMBER', 'Name', '']), {
    number: 1,
    fields: [
      { field: 'name', column: 2 },
      { field: 'param2', column: 0 },
    ],
  });
  for (const cells of [['name'], ['number', 'age'], ['number', 'Number'], ['number;name'], [], ['param10', 'number']]) {
    assert.equal(parseHeader(cells), null);
  }
});

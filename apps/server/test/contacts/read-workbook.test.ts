import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstRows } from '#platform/table/read-table';
import { readWorkbook } from '#platform/table/read-workbook';
import { openWorkbook } from '#platform/table/workbook-reader';
import { WorkbookTurns } from '#platform/table/workbook-turns';
import {
  allRows,
  bookOf,
  bookOfCells,
  bookOfSheets,
  compoundOf,
  fileOf,
  sharedBomb,
  workbookOf,
  zipOf,
} from './table-file.ts';

test('protected, old and incomplete workbooks each have their own error', async (t) => {
  const whole = bookOf(Buffer.from('<worksheet/>'));
  const files: readonly [code: string, bytes: Buffer][] = [
    ['file_protected', compoundOf('EncryptedPackage')],
    ['file_format_old', compoundOf('Workbook')],
    ['file_format_old', zipOf([{ name: 'xl/workbook.bin', data: Buffer.from('x'), method: 0 }])],
    ['file_cut_off', compoundOf('Workbook').subarray(0, 600)],
    ['file_cut_off', whole.subarray(0, whole.length - 40)],
    ['file_cut_off', Buffer.from('PK\u0003\u0004 cut off', 'latin1')],
  ];
  for (const [code, bytes] of files) await assert.rejects(allRows(fileOf(t, bytes)), { code }, code);
});

test('the open sheet of a workbook is read, with formulas, rich text and gaps', async (t) => {
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
      [5, '6.39171E+11', '7', 'TRUE'],
    ],
  );
});

/** Values with their formats, the text that a cell shows in English, and its exact value if that differs. */
const SHOWN: readonly [value: unknown, format: string, text: string, exact?: string][] = [
  [0.1 + 0.2, 'General', '0.3'],
  [1 / 3, 'General', '0.333333333'],
  [639171234567, 'General', '639171234567'],
  [639171234567, '0.00E+00', '639171234567'],
  [639171234567, '#,##0', '639,171,234,567', '639171234567'],
  [9171234567, '(000) 000-0000', '(917) 123-4567', '9171234567'],
  [9171234567, '00000000000', '09171234567', '9171234567'],
  [46357, 'General', '46357'],
  [46357, 'mm-dd-yy', '12/1/2026', '2026-12-01'],
  [46357, 'dd/mm/yyyy', '01/12/2026', '2026-12-01'],
  [46357.75, 'd mmm yyyy h:mm AM/PM', '1 Dec 2026 6:00 PM', '2026-12-01T18:00:00'],
  [46357, '[$-804]yyyy"年"m"月"d"日"', '2026年12月1日', '2026-12-01'],
  [0.75, 'h:mm', '18:00', '0.75'],
  [1.5, '[h]:mm', '36:00', '1.5'],
  [60, 'm/d/yyyy', '2/29/1900', '1900-02-29'],
  [0.1234, '0.0%', '12.3%', '0.1234'],
  [1234.5, '#,##0.00 "€"', '1,234.50 €', '1234.5'],
  [1234.5, '_-[$₱-3409]* #,##0.00_-', '₱1,234.50', '1234.5'],
  [-5, '0;(0)', '(5)', '-5'],
  [1.5, '# ?/?', '1 1/2', '1.5'],
  [7, '"No. "000', 'No. 007', '7'],
  [true, 'General', 'TRUE', 'true'],
  [false, 'General', 'FALSE', 'false'],
  [{ error: '#N/A' }, 'General', '#N/A'],
  [{ formula: 'A1*2', result: 0.30000000000000004 }, '0.00', '0.30', '0.3'],
];

test('a cell of a workbook is read as the sheet shows it, with its exact value', async (t) => {
  const path = await bookOfCells(
    t,
    SHOWN.map(([value, format]) => [value, format]),
  );
  const rows = await allRows(path);
  assert.deepEqual(
    rows.map(({ cells, exact }, at) => [SHOWN[at]![1], cells[1], exact?.[1]]),
    SHOWN.map(([, format, text, exact]) => [format, text, exact]),
  );
});

test('dates count from 1904 if the workbook says so', async (t) => {
  const path = await bookOfCells(t, [[46357 - 1462, 'yyyy-mm-dd']], (book) => {
    book.properties.date1904 = true;
  });
  const [row] = await allRows(path);
  assert.deepEqual([row?.cells[1], row?.exact?.[1]], ['2026-12-01', undefined]);
});

test('booleans and dates are read in the language of the workbook', async (t) => {
  const style = (name: string) =>
    `<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="4"/></cellXfs>
     <cellStyles><cellStyle name="${name}" xfId="0" builtinId="0"/></cellStyles></styleSheet>`;
  const sheet =
    '<worksheet><row><c t="b"><v>1</v></c><c s="1"><v>46357</v></c><c s="2"><v>1234.5</v></c></row></worksheet>';
  const shown = async (name: string) =>
    (await allRows(fileOf(t, bookOf(Buffer.from(sheet), undefined, Buffer.from(style(name))))))[0]?.cells;
  assert.deepEqual(await shown('Normal'), ['TRUE', '12/1/2026', '1,234.50']);
  assert.deepEqual(await shown('Standard'), ['WAHR', '01.12.2026', '1.234,50']);
  assert.deepEqual(await shown('常规'), ['TRUE', '2026/12/1', '1,234.50']);
});

test('the open visible sheet or the chosen one is read, and hidden rows are marked', async (t) => {
  const path = await bookOfSheets(t, ['Secret', 'Cover', 'People'], { hidden: ['Secret'], open: 'People' });
  const preview = await firstRows(path, 5, { tenant: null, reading: {} });
  assert.deepEqual([preview.read_as.sheets, preview.read_as.sheet], [['Cover', 'People'], 'People']);
  assert.deepEqual([preview.rows.map(({ cells }) => cells[0]), preview.hidden], [['People', 'row 3'], 1]);
  const rows = await allRows(path);
  assert.deepEqual(
    rows.map(({ line, cells, hidden }) => [line, cells[0], hidden]),
    [
      [1, 'People', undefined],
      [2, 'row 2', true],
      [3, 'row 3', undefined],
    ],
  );
  const cover = await firstRows(path, 1, { tenant: null, reading: { sheet: 'Cover' } });
  assert.deepEqual([cover.read_as.sheet, cover.rows[0]?.cells], ['Cover', ['Cover']]);
  await assert.rejects(firstRows(path, 1, { tenant: null, reading: { sheet: 'Gone' } }), { code: 'sheet_missing' });
  const hiddenOpen = await bookOfSheets(t, ['Secret', 'Cover'], { hidden: ['Secret'], open: 'Secret' });
  assert.equal((await firstRows(hiddenOpen, 1, { tenant: null, reading: {} })).read_as.sheet, 'Cover');
});

/** Reads a workbook in this process, as the separate reader process would. */
async function sheetRows(path: string): Promise<void> {
  for await (const _ of readWorkbook(path, 1, undefined));
}

test('a workbook that inflates without end is refused, and uses little memory', async (t) => {
  const empty = Buffer.from('<worksheet/>');
  const bombs: readonly [name: string, code: string, bytes: Buffer][] = [
    [
      'one endless text',
      'file_unreadable',
      bookOf(Buffer.from(`<worksheet><row><c t="str"><v>${'a'.repeat(60_000_000)}`)),
    ],
    ['an endless comment', 'file_unreadable', bookOf(Buffer.from(`<worksheet><!-- ${'<'.repeat(60_000_000)}`))],
    ['too many texts', 'workbook_too_large', bookOf(empty, Buffer.from(`<sst>${'<si></si>'.repeat(5_100_000)}</sst>`))],
    ['250 MB of texts', 'workbook_too_large', bookOf(empty, sharedBomb())],
    [
      'too many styles',
      'workbook_too_large',
      bookOf(empty, undefined, Buffer.from(`<styleSheet>${'<xf numFmtId="1"/>'.repeat(3_000_000)}</styleSheet>`)),
    ],
  ];
  for (const [name, code, bytes] of bombs) {
    const before = process.memoryUsage().rss;
    await assert.rejects(allRows(fileOf(t, bytes)), { code }, name);
    assert.ok(process.memoryUsage().rss - before < 100e6, name);
  }
});

test('a workbook is refused if its reader process dies or does not answer', async (t) => {
  const turns = new WorkbookTurns(1, 1);
  const path = fileOf(t, 'no archive at all');
  await assert.rejects(openWorkbook(path, { sheet: undefined, tenant: 1, turns }).next(), { code: 'file_unreadable' });
  const killed = openWorkbook(await bookOfSheets(t, ['One'], {}), {
    sheet: undefined,
    tenant: 1,
    turns,
    program: '/gone.ts',
  });
  await assert.rejects(killed.next(), { code: 'workbook_too_large' });
  assert.ok(
    (await openWorkbook(await bookOfSheets(t, ['One'], {}), { sheet: undefined, tenant: 1, turns }).next()).value,
  );
});

test('tenants take turns to read workbooks, and none fills the queue', async () => {
  const turns = new WorkbookTurns(1, 3);
  const first = await turns.take(1);
  const order: number[] = [];
  const wait = (tenant: number) =>
    turns.take(tenant).then((place) => {
      order.push(tenant);
      place[Symbol.dispose]();
    });
  const waiting = [wait(1), wait(1), wait(1), wait(2), wait(2), wait(3)];
  await assert.rejects(turns.take(1), { code: 'too_many_files' });
  first[Symbol.dispose]();
  await Promise.all(waiting);
  assert.deepEqual(order.slice(0, 3).sort(), [1, 2, 3]);
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
      ['file_unreadable', 'file_cut_off'].includes(error.code ?? ''),
    );
  }
});

test('a workbook damaged anywhere gives rows or a refusal, never a crash', async (t) => {
  const good = bookOf(
    Buffer.from(`<worksheet><sheetData>${'<row><c t="s"><v>0</v></c></row>'.repeat(200)}</sheetData></worksheet>`),
    Buffer.from('<sst><si><t>x</t></si></sst>'),
  );
  await fc.assert(
    fc.asyncProperty(fc.nat(good.length - 1), fc.integer({ min: 1, max: 255 }), fc.boolean(), async (at, flip, cut) => {
      const bytes = cut ? good.subarray(0, at) : Buffer.from(good);
      if (!cut) bytes[at]! ^= flip;
      await sheetRows(fileOf(t, bytes)).catch((error: { code?: string }) => {
        assert.ok(['file_unreadable', 'workbook_too_large'].includes(error.code ?? ''), String(error));
      });
    }),
    { numRuns: 300 },
  );
});

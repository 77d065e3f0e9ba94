import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import ExcelJS from 'exceljs';
import { filePath } from '../../src/platform/files/files.ts';
import { attachRejects } from '../../src/platform/tasks/reject-file.ts';
import { importStage } from './import-stage.ts';
import { bookOfRows, fileOf, workbookOf } from './table-file.ts';

const { config, newList, numbersOf, countOf, run } = await importStage({ after });

const DAMAGED = 'A spreadsheet damaged this number. Format the column as text and export again.';
const DIRTY = [
  '\ufeffNumber,Param1,NAME',
  '+63 917 000-0001,"a, ""b""",José',
  '0063-917-000-0001,twice,again',
  '(63)9170000002,tab\tand\\slash,"two\nlines"',
  '6.39171E+11,,',
  ',,nobody',
  '63917000000x,,',
  '63917,,',
  '=639170000003+1,,',
  '12345678901,,',
  `639170000004,${'x'.repeat(301)},`,
  '639170000005',
  '',
].join('\r\n');

test('good rows of a dirty file are imported; bad ones are reported with the reason', async () => {
  const list = await newList();
  const { row, refused } = await run(list, DIRTY);
  assert.deepEqual(
    [row.state, row.rows_read, row.rows_added, row.rows_duplicate, row.rows_rejected, row.error_code],
    ['done', 11, 3, 1, 7, null],
  );
  const numbers = await numbersOf(list);
  assert.deepEqual(
    numbers.map(({ number, name, param1 }) => [number, name, param1]),
    [
      ['639170000001', 'José', 'a, "b"'],
      ['639170000002', 'two\nlines', 'tab\tand\\slash'],
      ['639170000005', null, null],
    ],
  );
  assert.deepEqual(refused, [
    ['6', 'number', '6.39171E+11', DAMAGED],
    ['7', 'number', '', 'The number is empty.'],
    ['8', 'number', '63917000000x', 'This is not a phone number.'],
    ['9', 'number', '63917', 'The number is too short.'],
    ['10', 'number', "'=639170000003+1", 'This is not a phone number.'],
    ['11', 'number', '12345678901', 'The number does not start with the required prefix.'],
    ['12', 'param1', 'x'.repeat(100), 'At most 300 characters.'],
    ['3', 'number', '0063-917-000-0001', 'Line 2 has the same number.'],
  ]);
  assert.equal(await countOf(list), 3);
  assert.equal(existsSync(filePath(config(), row.file_path!)), false);
});

test('numbers already in the list are counted and reported, not changed', async () => {
  const list = await newList();
  await run(list, 'number,name\n639170000001,first\n639170000002,first');
  const { row, refused } = await run(
    list,
    'number,name\n639170000003,second\n+63 917 0000002,second\n639170000002,third\n639170000003,third',
  );
  assert.deepEqual([row.rows_added, row.rows_duplicate], [1, 3]);
  assert.deepEqual(refused, [
    ['3', 'number', "'+63 917 0000002", 'This number is already in the list.'],
    ['4', 'number', '639170000002', 'Line 3 has the same number.'],
    ['5', 'number', '639170000003', 'Line 2 has the same number.'],
  ]);
  assert.deepEqual(
    (await numbersOf(list)).map(({ name }) => name),
    ['first', 'first', 'second'],
  );
  assert.equal(await countOf(list), 3);
});

test('the report of an import also opens as a workbook without formulas', async (t) => {
  const { row } = await run(await newList(), 'number\n639170000001\n639170000001\n=1+1\n');
  const { stream, name } = attachRejects(config(), row.error_path!, 'numbers-errors', 'xlsx');
  const path = fileOf(t, Buffer.concat(await (await stream()).toArray()));
  const book = await new ExcelJS.Workbook().xlsx.readFile(path);
  const rows = book.worksheets[0]!.getSheetValues().slice(2) as unknown[][];
  assert.deepEqual(
    [name, rows.map(([, ...cells]) => cells.slice(0, 3))],
    [
      'numbers-errors.xlsx',
      [
        [4, 'number', '=1+1'],
        [3, 'number', '639170000001'],
      ],
    ],
  );
});

test('a file of one row and a workbook are read alike', async (t) => {
  const list = await newList();
  assert.equal((await run(list, 'number\n639170000001')).row.rows_added, 1);
  const book = readFileSync(
    await workbookOf(t, [
      ['name', 'number'],
      ['Ana', 639170000009],
      ['', '6.39171E+11'],
    ]),
  );
  const { row, refused } = await run(list, book);
  assert.deepEqual([row.state, row.rows_added, row.rows_rejected], ['done', 1, 1]);
  assert.deepEqual(refused, [['3', 'number', '6.39171E+11', DAMAGED]]);
  assert.equal((await numbersOf(list)).at(-1)?.name, 'Ana');
});

test('values of a workbook are imported as the sheet shows them, without hidden rows', async (t) => {
  const list = await newList();
  const path = await bookOfRows(
    t,
    [
      ['number', 'name', 'param1', 'param2'],
      [[639170000001, '0.00E+00'], true, [46357, 'd mmm yyyy'], 0.1 + 0.2],
      [639170000002, 'Hidden', null, null],
      [[639170000003, '#,##0'], { formula: '1/4', result: 0.25 } as never, [0.25, '0%'], [9.5, '"₱"0.00']],
    ],
    [3],
  );
  const { row, refused } = await run(list, readFileSync(path));
  assert.deepEqual([row.rows_added, row.rows_rejected], [2, 1]);
  assert.deepEqual(refused, [
    ['3', 'number', '639170000002', 'This row is hidden in the sheet. Unhide it, or remove it.'],
  ]);
  assert.deepEqual(
    (await numbersOf(list)).map(({ number, name, param1, param2 }) => [number, name, param1, param2]),
    [
      ['639170000001', 'TRUE', '1 Dec 2026', '0.3'],
      ['639170000003', '0.25', '25%', '₱9.50'],
    ],
  );
});

test('an unreadable file fails with its reason, and leaves the list unchanged', async () => {
  const list = await newList();
  const files: [string, string | Buffer][] = [
    ['file_headers_invalid', 'name;city\n639170000001;x'],
    ['file_headers_invalid', ''],
    ['file_headers_invalid', 'name\nAna'],
    ['file_columns_ambiguous', 'Phone,Mobile\n639170000001,639170000002'],
    ['file_without_valid_numbers', 'number\nabc\n6.39171E+11'],
    ['file_without_valid_numbers', 'number,name\n'],
    ['quote_open', `number\n639170000001\n"${'x\n'.repeat(50_000)}`],
    ['file_type_unknown', Buffer.from([0, 1, 2, 3, 255, 254])],
  ];
  for (const [code, content] of files) {
    const { row } = await run(list, content);
    assert.deepEqual([row.state, row.error_code, row.rows_added], ['failed', code, 0], code);
    assert.ok(row.finished_at);
  }
  assert.equal((await numbersOf(list)).length, 0);
  assert.equal(await countOf(list), 0);
});

test('columns are found by other names and by their cells, and the import reports it', async () => {
  for (const [content, ...columns] of [
    ['Full Name,Mobile No.,City\nAna,0063 917 000 0001,Cebu', 'name', 'number', null],
    ['姓名,手机号码\nAna,639170000001', 'name', 'number'],
    ['Kunde,Anschluss\nAna,639170000001\nBen,12', null, 'number'],
    ['639170000001\n639170000002', 'number'],
  ] as const) {
    const { row } = await run(await newList(), content);
    const read = (row.columns as { field: string | null }[]).map(({ field }) => field);
    assert.deepEqual([row.state, read], ['done', columns], content);
  }
});

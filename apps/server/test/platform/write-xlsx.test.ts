import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import ExcelJS from 'exceljs';
import { XlsxWriter } from '../../src/platform/table/write-xlsx.ts';

type Row = readonly (string | number | boolean | null)[];

/** What another library reads of the sheets of a workbook that is written in these pieces. */
async function sheetsOf(t: TestContext, pieces: readonly (readonly Row[])[], sheetRows: number) {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-xlsx-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'file.xlsx');
  const writer = new XlsxWriter(path, { sheetRows });
  for (const rows of pieces) await writer.rows(rows);
  await writer.end();
  const book = new ExcelJS.Workbook();
  await book.xlsx.readFile(path);
  return book.worksheets.map((sheet) =>
    sheet
      .getSheetValues()
      .map((row) => (row as unknown[]).slice(1))
      .slice(1),
  );
}

test('rows that a sheet does not hold go on in the next one under the same heading, and none is lost', async (t) => {
  const heading = ['number', 'parts'];
  const rows = Array.from({ length: 5 }, (_, at): Row => [`63917${at}`, at]);
  const wanted = [
    [heading, rows[0], rows[1]],
    [heading, rows[2], rows[3]],
    [heading, rows[4]],
  ];
  assert.deepEqual(await sheetsOf(t, [[heading, ...rows]], 3), wanted);
  assert.deepEqual(await sheetsOf(t, [[heading], ...rows.map((row) => [row])], 3), wanted);
});

test('a full last sheet is followed by none, and a file without rows has its heading', async (t) => {
  assert.deepEqual(await sheetsOf(t, [[['a'], [1], [2]]], 3), [[['a'], [1], [2]]]);
  assert.deepEqual(await sheetsOf(t, [[['a']], []], 3), [[['a']]]);
});

test('texts stay texts: markup, formulas and what XML has no place for', async (t) => {
  const [sheet] = await sheetsOf(t, [[['<b>&"', '=1+1', 'a\u0001b', ' padded ', true, null, 0.5]]], 10);
  const cells = [...(sheet as unknown[][])[0]!];
  assert.deepEqual(cells, ['<b>&"', '=1+1', 'ab', ' padded ', true, undefined, 0.5]);
});

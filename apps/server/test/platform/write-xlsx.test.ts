import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import ExcelJS from 'exceljs';
import { XlsxWriter } from '../../src/platform/table/write-xlsx.ts';

type Row = readonly (string | number | boolean | null)[];

/** Writes a workbook in these pieces, and returns its sheets as another library reads them. */
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

test('rows beyond a full sheet continue in the next one under the same heading', async (t) => {
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

test('no empty sheet follows a full one, and a file without rows has its heading', async (t) => {
  assert.deepEqual(await sheetsOf(t, [[['a'], [1], [2]]], 3), [[['a'], [1], [2]]]);
  assert.deepEqual(await sheetsOf(t, [[['a']], []], 3), [[['a']]]);
});

test('texts stay texts: markup, formulas and characters that XML does not allow', async (t) => {
  const [sheet] = await sheetsOf(t, [[['<b>&"', '=1+1', 'a\u0001b', ' padded ', true, null, 0.5]]], 10);
  const cells = [...(sheet as unknown[][])[0]!];
  assert.deepEqual(cells, ['<b>&"', '=1+1', 'ab', ' padded ', true, undefined, 0.5]);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import type { FileReading } from '@heliograph/contract/kernel/file-reading';
import ExcelJS from 'exceljs';
import { readTable, type TableRow } from '#platform/table/read-table';
import type { Scope } from '../template-database.ts';

/** Creates a folder that is deleted after the test. */
export function temporaryFolder(t: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-table-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Writes a file with these bytes; text is written as UTF-8. Returns its path. */
export function fileOf(t: Scope, content: string | Buffer): string {
  const path = join(temporaryFolder(t), 'file');
  writeFileSync(path, content);
  return path;
}

/** Writes a workbook with ExcelJS: the rows in the first sheet, and a second sheet that must not be read. */
export async function workbookOf(t: Scope, rows: readonly (readonly unknown[])[]): Promise<string> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('Numbers');
  for (const row of rows) sheet.addRow([...row]);
  workbook.addWorksheet('Second').addRow(['not', 'read']);
  return written(t, workbook);
}

type ExcelValue = ExcelJS.CellValue;

/** Writes a workbook with each value, in its format, in the second column. */
export async function bookOfCells(
  t: Scope,
  cells: readonly (readonly [value: unknown, format: string])[],
  change: (book: ExcelJS.Workbook) => void = () => {},
): Promise<string> {
  const book = new ExcelJS.Workbook();
  change(book);
  const sheet = book.addWorksheet('Cells');
  for (const [value, numFmt] of cells) {
    const row = sheet.addRow(['x', value as ExcelValue]);
    row.getCell(2).numFmt = numFmt;
  }
  return written(t, book);
}

/** Writes a workbook of sheets with these cells; the first sheet is open. */
export async function bookOfTables(
  t: Scope,
  sheets: Readonly<Record<string, readonly (readonly string[])[]>>,
): Promise<string> {
  const book = new ExcelJS.Workbook();
  for (const [name, rows] of Object.entries(sheets)) {
    const sheet = book.addWorksheet(name);
    for (const row of rows) sheet.addRow([...row]);
  }
  return written(t, book);
}

/** Writes a workbook of one sheet. A cell is a value, or a value with its format; `hidden` lists hidden rows. */
export async function bookOfRows(
  t: Scope,
  rows: readonly (readonly (ExcelValue | readonly [value: unknown, format: string])[])[],
  hidden: readonly number[] = [],
): Promise<string> {
  const book = new ExcelJS.Workbook();
  const sheet = book.addWorksheet('Rows');
  for (const cells of rows) {
    const row = sheet.addRow(cells.map((cell) => (Array.isArray(cell) ? cell[0] : cell)));
    for (const [at, cell] of cells.entries()) if (Array.isArray(cell)) row.getCell(at + 1).numFmt = cell[1];
    row.hidden = hidden.includes(row.number);
  }
  return written(t, book);
}

/** Writes a workbook with these sheets. Each has three rows, and the second is hidden. */
export async function bookOfSheets(
  t: Scope,
  names: readonly string[],
  { hidden = [], open }: { hidden?: readonly string[]; open?: string },
): Promise<string> {
  const book = new ExcelJS.Workbook();
  for (const name of names) {
    const sheet = book.addWorksheet(name, { state: hidden.includes(name) ? 'hidden' : 'visible' });
    for (const text of [name, 'row 2', 'row 3']) sheet.addRow([text]);
    sheet.getRow(2).hidden = true;
  }
  const activeTab = open === undefined ? 0 : names.indexOf(open);
  book.views = [{ x: 0, y: 0, width: 1, height: 1, firstSheet: 0, activeTab, visibility: 'visible' }];
  return written(t, book);
}

async function written(t: Scope, book: ExcelJS.Workbook): Promise<string> {
  const path = join(temporaryFolder(t), 'file.xlsx');
  await book.xlsx.writeFile(path);
  return path;
}

/** Builds a workbook of one sheet from raw XML parts. */
export const bookOf = (sheet: Buffer, strings?: Buffer, styles?: Buffer) =>
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
    ...(styles ? [{ name: 'xl/styles.xml', data: deflateRawSync(styles), method: 8 as const }] : []),
    { name: 'xl/worksheets/one.xml', data: deflateRawSync(sheet), method: 8 as const, declared: 10 },
  ]);

/** Returns shared texts of 250 MB that compress to about 250 KB. */
export const sharedBomb = (): Buffer =>
  Buffer.from(`<sst>${`<si><t>${'a'.repeat(32_000)}</t></si>`.repeat(7_800)}</sst>`);

/** Reads all rows of a file. */
export async function allRows(path: string, reading: FileReading = {}): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  for await (const batch of readTable(path, { tenant: null, reading })) rows.push(...batch.rows);
  return rows;
}

/** Builds a ZIP archive of stored or deflated entries. An entry may declare a false size. */
export function zipOf(entries: readonly { name: string; data: Buffer; method: 0 | 8; declared?: number }[]): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, method, declared = data.length } of entries) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(method, 8);
    local.writeUInt32LE(data.length, 18);
    local.writeUInt32LE(declared, 22);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(data.length, 20);
    central.writeUInt32LE(declared, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(offset, 42);
    files.push(local, Buffer.from(name), data);
    directory.push(central, Buffer.from(name));
    offset += 30 + name.length + data.length;
  }
  const bytes = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(bytes, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, ...directory, end]);
}

/** Builds a compound file: a header, then a directory with one stream of this name. */
export function compoundOf(name: string): Buffer {
  const file = Buffer.alloc(2_048);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file);
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(1, 48);
  file.write(name, 1_024, 'utf16le');
  return file;
}

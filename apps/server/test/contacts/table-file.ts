import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ExcelJS from 'exceljs';
import { readTable, type TableRow } from '#platform/table/read-table';
import type { Scope } from '../template-database.ts';

/** A folder that goes with the test. */
export function temporaryFolder(t: Scope): string {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-table-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** A file with these bytes; text is written as UTF-8. */
export function fileOf(t: Scope, content: string | Buffer): string {
  const path = join(temporaryFolder(t), 'file');
  writeFileSync(path, content);
  return path;
}

/** A workbook as Excel's own library for Node writes it. */
export async function workbookOf(t: Scope, rows: readonly (readonly unknown[])[]): Promise<string> {
  const workbook = new ExcelJS.Workbook();
  const sheet = workbook.addWorksheet('Numbers');
  for (const row of rows) sheet.addRow([...row]);
  workbook.addWorksheet('Second').addRow(['not', 'read']);
  const path = join(temporaryFolder(t), 'file.xlsx');
  await workbook.xlsx.writeFile(path);
  return path;
}

/** Everything a file holds. */
export async function allRows(path: string): Promise<TableRow[]> {
  const rows: TableRow[] = [];
  for await (const batch of readTable(path)) rows.push(...batch.rows);
  return rows;
}

/** A ZIP archive (stored or deflated entries) put together by hand. */
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

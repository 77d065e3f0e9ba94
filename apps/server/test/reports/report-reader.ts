import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import ExcelJS from 'exceljs';
import { resaleFile } from '../../src/modules/margins/resale-margins.ts';
import { REPORT_FILES } from '../../src/modules/reports/report-routes.ts';
import type { TestApi } from '../test-api.ts';
import { exportedFile } from './exported-file.ts';

/** Writes the filters of a call as a query string. */
export const query = (values: object) =>
  new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)])).toString();

/** Reads reports over the API, as the person with a login. */
export function readerOf(api: TestApi) {
  async function get<Body>(login: string, path: string, values: object = {}): Promise<Body> {
    const { status, body } = await (await api.as(login))('GET', `${path}?${query(values)}`);
    assert.equal(status, 200, `${path} ${JSON.stringify(body)}`);
    return body as Body;
  }

  /** Reads all rows of a list by cursor. */
  async function all<Row = Record<string, unknown>>(login: string, path: string, values: object = {}): Promise<Row[]> {
    const rows: Row[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { data: Row[]; next_cursor: string | null } = await get(login, path, {
        ...values,
        limit: 200,
        ...(cursor && { cursor }),
      });
      rows.push(...page.data);
      cursor = page.next_cursor;
    }
    return rows;
  }

  /** Reads the rows of a file, with its column headings as keys. */
  async function fileOf(login: string, path: string, body: object): Promise<Record<string, unknown>[]> {
    const { path: file } = await exportedFile(api, [...REPORT_FILES, resaleFile], {
      login,
      path: `${path}/exports`,
      body,
    });
    if (file.endsWith('.csv')) return parse(await readFile(file), { columns: true, bom: true });
    const book = new ExcelJS.Workbook();
    await book.xlsx.readFile(file);
    const sheet = book.worksheets[0]!;
    const cells = (row: number) =>
      Array.from({ length: sheet.columnCount }, (_, i) => sheet.getRow(row).getCell(i + 1).value);
    return Array.from({ length: sheet.rowCount - 1 }, (_, i) => {
      const values = cells(i + 2);
      return Object.fromEntries(cells(1).map((head, column) => [String(head), values[column]]));
    });
  }

  return { get, all, fileOf };
}

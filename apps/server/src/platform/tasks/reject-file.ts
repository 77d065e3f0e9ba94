import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { FileFormat } from '@heliograph/contract/kernel/file-format';
import { parse } from 'csv-parse';
import { stringify } from 'csv-stringify/sync';
import { dropDraft, type FilesConfig, keepDraft, newDraft, newFile, readDraft, readFile } from '../files/files.ts';
import { type Cells, createTable } from '../table/table-file.ts';

/**
 * Columns of every file of refused rows: the line of a row, the field, its original value, and a sentence with the
 * reason.
 */
export const REJECT_COLUMNS = ['line', 'field', 'value', 'reason'] as const;
export type RejectRow = readonly [line: number, field: string, value: string, reason: string];

/** Maximum characters of a value that are shown. */
export const MAX_SHOWN = 100;

/**
 * CSV of refused rows while it grows; it is stored once it is closed. Cells that a spreadsheet would run as a formula
 * become text.
 */
export interface RejectFile<Row extends readonly (string | number)[] = RejectRow> {
  add(rows: readonly Row[]): Promise<void>;
  /** Resolves once the file is stored. */
  close(): Promise<void>;
  /** Removes the file after its work has failed; a file that was closed stays. */
  abandon(): Promise<void>;
}

/** Starts a CSV file with a header; an existing file of that path is replaced. */
export async function openRejectFile<Row extends readonly (string | number)[] = RejectRow>(
  config: FilesConfig,
  path: string,
  header: readonly string[] = REJECT_COLUMNS,
): Promise<RejectFile<Row>> {
  // Several attempts may write the same file: each writes its own copy, and the last to end counts.
  const draft = newFile('rejects', 'csv');
  const stream = createWriteStream(await newDraft(config, draft), { mode: 0o600 });
  const ended = finished(stream);
  // The error is thrown by the write or the close of the file.
  ended.catch(() => undefined);
  stream.write(stringify([header as string[]], { bom: true }));
  return {
    async add(rows) {
      if (rows.length === 0) return;
      const text = stringify(
        rows.map((row) => [...row]),
        { escape_formulas: true },
      );
      if (!stream.write(text)) await Promise.race([once(stream, 'drain'), ended]);
    },
    async close() {
      stream.end();
      await ended;
      await keepDraft(config, draft, path);
    },
    async abandon() {
      stream.destroy();
      await dropDraft(config, draft);
    },
  };
}

const TYPES: Readonly<Record<FileFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/**
 * Sends a file of refused rows as an attachment: as it is stored, or as a workbook, in which phone numbers stay texts.
 */
export const attachRejects = (config: FilesConfig, path: string, name: string, format: FileFormat) => ({
  stream: () => (format === 'csv' ? readFile(config, path) : asWorkbook(config, path)),
  name: `${name}.${format}`,
  type: TYPES[format],
});

const ROWS_AT_ONCE = 1_000;
/** Apostrophe that keeps a cell of a CSV a text; a workbook marks texts itself. */
const GUARD = /^'(?=[=+\-@\t\r＝＋－＠])/;

async function asWorkbook(config: FilesConfig, path: string): Promise<Readable> {
  const draft = newFile('rejects', 'xlsx');
  const place = await newDraft(config, draft);
  const book = await createTable('xlsx', place, { sheet: 'Refused rows' });
  try {
    const source = await readFile(config, path);
    const parser = parse({ bom: true });
    source.once('error', (error) => parser.destroy(error));
    let line = -1;
    let rows: Cells[] = [];
    for await (const cells of source.pipe(parser) as AsyncIterable<string[]>) {
      if (line < 0) line = cells.indexOf('line');
      rows.push(cells.map((cell, at) => (at === line && /^\d+$/.test(cell) ? Number(cell) : cell.replace(GUARD, ''))));
      if (rows.length < ROWS_AT_ONCE) continue;
      await book.write(rows);
      rows = [];
    }
    await book.write(rows);
    await book.end();
  } catch (error) {
    await book.abandon();
    await dropDraft(config, draft);
    throw error;
  }
  return readDraft(config, draft);
}

import { createReadStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { BusinessError } from '../errors.ts';
import type { TextFormat } from './file-format.ts';
import { PlainLines } from './plain-lines.ts';
import type { TableBatch, TableRow } from './read-table.ts';
import { SIGNS } from './separator.ts';

/** Maximum characters of a row of numbers; without it an unclosed quote would read the whole file into memory. */
const MAX_ROW_CHARACTERS = 65_536;

/** Bytes that are read and split together. */
const PIECE_BYTES = 1 << 18;

/** Form of a number in files with semicolons between cells: with a decimal comma. */
const DECIMAL_COMMA = /^[+-]?\d{1,12},\d{1,6}$/;

/**
 * Reads separated text (RFC 4180, lenient about stray quotes and ragged rows). Throws `file_unreadable`, and `quote_open`
 * with the row.
 */
export async function* readCsv(path: string, format: Omit<TextFormat, 'fault'>): AsyncGenerator<TableBatch> {
  for await (const { rows, bytes_read } of readText(path, format)) {
    // A line that names the separator is no row.
    if (format.declared && rows[0]?.line === 1) rows.shift();
    if (format.separator === 'semicolon') for (const row of rows) readDecimals(row);
    if (rows.length > 0) yield { rows, bytes_read };
  }
}

function readDecimals(row: TableRow): void {
  for (const [at, cell] of row.cells.entries()) {
    if (!DECIMAL_COMMA.test(cell.trim())) continue;
    row.exact ??= {};
    row.exact[at] = cell.trim().replace(',', '.');
  }
}

async function* readText(
  path: string,
  { encoding, separator }: Pick<TextFormat, 'encoding' | 'separator'>,
): AsyncGenerator<TableBatch> {
  let rows: TableRow[] = [];
  const plain = encoding.startsWith('utf-16') ? null : new PlainLines(encoding, SIGNS[separator], MAX_ROW_CHARACTERS);
  let parsing = plain === null;
  // Line on which the row begins that is being parsed.
  let begun = 1;
  const parser = parse({
    bom: true,
    delimiter: SIGNS[separator],
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARACTERS,
    // Rows are taken here and never enter the parser's own queue, which costs more than the parsing.
    on_record: (cells: string[], { lines }) => {
      rows.push({ line: lines + (plain?.lines ?? 0), cells });
      begun = lines + 1;
      return null;
    },
  });
  const ended = finished(parser.resume());
  // If reading stops early, nobody awaits the end; its error is that of the write.
  ended.catch(() => undefined);
  const decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding);
  const write = (text: string | Buffer) =>
    new Promise<void>((done, fail) => parser.write(text, (error) => (error ? fail(error) : done())));
  const source = createReadStream(path, { highWaterMark: PIECE_BYTES });
  try {
    for await (const read of source as AsyncIterable<Buffer>) {
      let piece = read;
      if (plain && !parsing) {
        const split = plain.take(read);
        if (split) {
          if (split.length > 0) yield { rows: split, bytes_read: source.bytesRead };
          continue;
        }
        parsing = true;
        piece = plain.rest;
        if (plain.carried) await write(plain.carried);
      }
      await write(decoder ? decoder.decode(piece, { stream: true }) : piece);
      if (rows.length === 0) continue;
      yield { rows, bytes_read: source.bytesRead };
      rows = [];
    }
    if (plain && !parsing) {
      const split = plain.last();
      if (split && split.length > 0) yield { rows: split, bytes_read: source.bytesRead };
      if (split) return;
      if (plain.carried) await write(plain.carried);
      parser.write(decoder ? decoder.decode(plain.rest) : plain.rest);
    }
    if (decoder) parser.write(decoder.decode());
    parser.end();
    await ended;
    if (rows.length > 0) yield { rows, bytes_read: source.bytesRead };
  } catch (error) {
    const { code, lines = 0 } = error as { code?: string; lines?: number };
    if (!code?.startsWith('CSV_')) throw error;
    // A row that continues over line ends is in quotes.
    if (code === 'CSV_QUOTE_NOT_CLOSED' || lines > begun)
      throw new BusinessError('quote_open', { params: { row: begun + (plain?.lines ?? 0) }, cause: error });
    throw new BusinessError('file_unreadable', { cause: error });
  } finally {
    source.destroy();
    parser.destroy();
  }
}

import { createReadStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { BusinessError } from '../errors.ts';
import type { TextEncoding } from './file-format.ts';
import { PlainLines } from './plain-lines.ts';
import type { TableBatch, TableRow } from './read-table.ts';

/** A row longer than this is no row of numbers; an unclosed quote would else swallow the file into memory. */
const MAX_ROW_CHARACTERS = 65_536;

/** Reads comma-separated text (RFC 4180, lenient about stray quotes and ragged rows). Throws `file_unreadable`. */
export async function* readCsv(path: string, encoding: TextEncoding): AsyncGenerator<TableBatch> {
  let rows: TableRow[] = [];
  const plain =
    encoding === 'utf-8' || encoding === 'windows-1252' ? new PlainLines(encoding, MAX_ROW_CHARACTERS) : null;
  let parsing = plain === null;
  const parser = parse({
    bom: true,
    delimiter: ',',
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_CHARACTERS,
    // Rows are taken here and never enter the parser's own queue, which costs more than the parsing.
    on_record: (cells: string[], { lines }) => {
      rows.push({ line: lines + (plain?.lines ?? 0), cells });
      return null;
    },
  });
  const ended = finished(parser.resume());
  // Where reading stops early nobody awaits the end; its error is that of the write.
  ended.catch(() => undefined);
  const decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding);
  const source = createReadStream(path);
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
      }
      const text = decoder ? decoder.decode(piece, { stream: true }) : piece;
      await new Promise<void>((done, fail) => parser.write(text, (error) => (error ? fail(error) : done())));
      if (rows.length === 0) continue;
      yield { rows, bytes_read: source.bytesRead };
      rows = [];
    }
    if (plain && !parsing) {
      const split = plain.last();
      if (split && split.length > 0) yield { rows: split, bytes_read: source.bytesRead };
      if (split) return;
      parser.write(decoder ? decoder.decode(plain.rest) : plain.rest);
    }
    parser.end();
    await ended;
    if (rows.length > 0) yield { rows, bytes_read: source.bytesRead };
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('CSV_')) {
      throw new BusinessError('file_unreadable', { cause: error });
    }
    throw error;
  } finally {
    source.destroy();
    parser.destroy();
  }
}

import { posix } from 'node:path';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { BusinessError } from '../errors.ts';
import type { TableBatch, TableRow } from './read-table.ts';
import { readZipDirectory, readZipEntry, type ZipEntry } from './zip.ts';

/** Bytes of XML after inflating. A workbook at Excel's own limit of rows stays below; a bomb does not. */
const LIMITS = { index: 1 << 20, strings: 256 << 20, sheet: 1 << 30 };
const MAX_COLUMNS = 64;
const MAX_STRINGS = 5_000_000;
/** Bytes without a tag or a text after which XML is taken for a bomb: the parser holds what is unfinished in memory. */
const MAX_QUIET_BYTES = 1 << 20;
const MAX_CELL_CHARACTERS = 32_767;

/** Reads the first sheet of an Office Open XML workbook (ECMA-376) as a stream. Throws `file_unreadable`. */
export async function* readXlsx(path: string, fileBytes: number): AsyncGenerator<TableBatch> {
  const entries = await readZipDirectory(path);
  const sheet = entries && (await firstSheet(path, entries));
  if (!entries || !sheet) throw new BusinessError('file_unreadable');
  const strings = await sharedStrings(path, entries.get('xl/sharedStrings.xml'));
  const rows = new SheetRows(strings);
  let bytes = 0;
  const pieces = readZipEntry(path, sheet, LIMITS.sheet, (read) => {
    bytes = read;
  });
  for await (const _ of parsed(pieces, rows)) {
    const batch = rows.take();
    if (batch.length > 0) {
      yield { rows: batch, bytes_read: Math.round((bytes / sheet.compressed) * fileBytes) };
    }
  }
}

interface XmlHandler {
  open(tag: SaxesTagPlain): void;
  close(name: string): void;
  text(text: string): void;
}

/** Parses XML piece by piece; a piece has been handled when it is yielded. */
async function* parsed(pieces: AsyncIterable<Buffer>, handler: XmlHandler): AsyncGenerator<void> {
  const parser = new SaxesParser();
  // Errors throw, so that nothing is read past the first.
  parser.on('error', (error) => {
    throw new BusinessError('file_unreadable', { cause: error });
  });
  let quiet = 0;
  const text = (piece: string) => {
    quiet = 0;
    handler.text(piece);
  };
  parser.on('opentag', ({ name, attributes, isSelfClosing }) => {
    quiet = 0;
    handler.open({ name: localName(name), attributes, isSelfClosing });
  });
  parser.on('closetag', ({ name }) => {
    quiet = 0;
    handler.close(localName(name));
  });
  parser.on('text', text);
  parser.on('cdata', text);
  const decoder = new TextDecoder();
  for await (const piece of pieces) {
    quiet += piece.length;
    parser.write(decoder.decode(piece, { stream: true }));
    if (quiet > MAX_QUIET_BYTES) throw new BusinessError('file_unreadable');
    yield;
  }
  parser.close();
  yield;
}

async function parseAll(path: string, entry: ZipEntry, limit: number, handler: XmlHandler): Promise<void> {
  for await (const _ of parsed(readZipEntry(path, entry, limit), handler));
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

async function firstSheet(path: string, entries: ReadonlyMap<string, ZipEntry>): Promise<ZipEntry | undefined> {
  const [workbook, relations] = [entries.get('xl/workbook.xml'), entries.get('xl/_rels/workbook.xml.rels')];
  if (!workbook || !relations) return undefined;
  let wanted: string | undefined;
  await parseAll(path, workbook, LIMITS.index, {
    open: ({ name, attributes }) => {
      const reference = Object.keys(attributes).find((key) => key.endsWith(':id'));
      if (name === 'sheet' && reference) wanted ??= attributes[reference];
    },
    close: () => {},
    text: () => {},
  });
  let target: string | undefined;
  await parseAll(path, relations, LIMITS.index, {
    open: ({ name, attributes }) => {
      if (name === 'Relationship' && attributes.Id === wanted) target = attributes.Target;
    },
    close: () => {},
    text: () => {},
  });
  return target === undefined ? undefined : entries.get(posix.resolve('/xl', target).slice(1));
}

/** The texts that cells refer to by number. Phonetic readings (`rPh`) are no part of a text. */
async function sharedStrings(path: string, entry: ZipEntry | undefined): Promise<string[]> {
  const strings: string[] = [];
  if (!entry) return strings;
  let text = '';
  let inText = false;
  let inReading = false;
  await parseAll(path, entry, LIMITS.strings, {
    open: ({ name }) => {
      if (name === 'si') text = '';
      if (name === 'rPh') inReading = true;
      if (name === 't') inText = !inReading;
    },
    close: (name) => {
      if (name === 't') inText = false;
      if (name === 'rPh') inReading = false;
      if (name === 'si' && strings.push(text) > MAX_STRINGS) throw new BusinessError('file_unreadable');
    },
    text: (piece) => {
      if (inText && text.length < MAX_CELL_CHARACTERS) text += piece;
    },
  });
  return strings;
}

class SheetRows implements XmlHandler {
  readonly #strings: readonly string[];
  #done: TableRow[] = [];
  #row: TableRow | undefined;
  #line = 0;
  #column = -1;
  #type = '';
  #value = '';
  #inValue = false;

  constructor(strings: readonly string[]) {
    this.#strings = strings;
  }

  /** The rows finished since the last call. */
  take(): TableRow[] {
    const rows = this.#done;
    this.#done = [];
    return rows;
  }

  open({ name, attributes }: SaxesTagPlain): void {
    if (name === 'row') {
      // A row or cell without its place stands behind the one before it.
      this.#line = Number(attributes.r) || this.#line + 1;
      this.#row = { line: this.#line, cells: [] };
      this.#column = -1;
    } else if (name === 'c') {
      this.#column = attributes.r === undefined ? this.#column + 1 : columnOf(attributes.r);
      this.#type = attributes.t ?? 'n';
      this.#value = '';
    } else if (name === 'v' || name === 't') {
      this.#inValue = true;
    }
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#inValue = false;
    if (name === 'c' && this.#row && this.#column < MAX_COLUMNS) {
      const { cells } = this.#row;
      while (cells.length < this.#column) cells.push('');
      cells[this.#column] = this.#cellText();
    }
    if (name === 'row' && this.#row) {
      if (this.#row.cells.some((cell) => cell !== '')) this.#done.push(this.#row);
      this.#row = undefined;
    }
  }

  text(piece: string): void {
    if (this.#inValue && this.#value.length < MAX_CELL_CHARACTERS) this.#value += piece;
  }

  #cellText(): string {
    const value = this.#value;
    switch (this.#type) {
      case 's':
        return this.#strings[Number(value)] ?? '';
      case 'e':
        return '';
      case 'n':
        // Some writers give whole numbers an exponent; the value is exact, only its spelling is not that of digits.
        return /[eE.]/.test(value) && Number.isSafeInteger(Number(value)) ? String(Number(value)) : value;
      default:
        return value;
    }
  }
}

/** The column of a cell's address, from 0: `B7` is 1. */
function columnOf(address: string): number {
  let column = 0;
  for (let i = 0; i < address.length; i++) {
    const unit = address.charCodeAt(i) & ~32;
    if (unit < 65 || unit > 90) break;
    column = column * 26 + unit - 64;
  }
  return column - 1;
}

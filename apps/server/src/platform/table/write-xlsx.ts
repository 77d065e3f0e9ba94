import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib';
import { type Cells, StyledCell } from './cells.ts';
import { sheetLook, sheetNameOf, styleOf, stylesXml } from './xlsx-styles.ts';

// Workbook (ECMA-376) with its texts in the cells, written as a stream. It is an archive (PKWARE APPNOTE 4.3) whose
// entries give their sizes after their data. Rows beyond a sheet's maximum continue in the next sheet.

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Writes the parts that list the sheets for a reader, by name. */
function bookParts(sheets: number, sheetName: string): [name: string, xml: string][] {
  const each = (line: (sheet: number) => string) => Array.from({ length: sheets }, (_, at) => line(at + 1)).join('');
  const override = (part: string, type: string) =>
    `<Override PartName="/xl/${part}.xml" ContentType="${CONTENT}.${type}+xml"/>`;
  const relation = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${DOCUMENT}/${type}" Target="${target}.xml"/>`;
  const types = `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override('workbook', 'sheet.main')}${override('styles', 'styles')}${each((sheet) => override(`worksheets/sheet${sheet}`, 'worksheet'))}</Types>`;
  const relations = (lines: string) => `<Relationships xmlns="${PACKAGE}/relationships">${lines}</Relationships>`;
  const names = each(
    (sheet) => `<sheet name="${xml(sheetNameOf(sheetName, sheet))}" sheetId="${sheet}" r:id="rId${sheet}"/>`,
  );
  return [
    ['[Content_Types].xml', types],
    ['_rels/.rels', relations(relation(1, 'officeDocument', 'xl/workbook'))],
    ['xl/workbook.xml', `<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}"><sheets>${names}</sheets></workbook>`],
    [
      'xl/_rels/workbook.xml.rels',
      relations(
        each((sheet) => relation(sheet, 'worksheet', `worksheets/sheet${sheet}`)) +
          relation(sheets + 1, 'styles', 'styles'),
      ),
    ],
    ['xl/styles.xml', stylesXml(MAIN)],
  ];
}

const SHEET_ENDS = '</sheetData></worksheet>';

/** Maximum rows of a sheet, its heading included. */
const SHEET_ROWS = 1_048_576;
/** Maximum characters of a cell. */
const CELL_CHARACTERS = 32_767;
const DEFLATED = 8;
/** Bit 3: sizes follow; bit 11: names are UTF-8. */
const FLAGS = 0x0808;
/** 1 January 1980, the archive's first day: the file is dated by the file system. */
const DATE = 0x0021;

const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' };
const xml = (text: string) =>
  text
    .slice(0, CELL_CHARACTERS)
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: XML 1.0 has no place for them
    .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, '')
    .replace(/[<>&"]/g, (sign) => ESCAPES[sign]!);

/** Answers the letters of a column, from 0: A to Z, then AA. */
const letters = (column: number): string =>
  (column < 26 ? '' : letters(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26));

const cell = (value: Cells[number], at: string, heading: boolean): string => {
  if (value === null) return '';
  if (value instanceof StyledCell) return `<c r="${at}" s="${styleOf(value.style)}"><v>${value.value}</v></c>`;
  if (typeof value === 'number') return `<c r="${at}"><v>${value}</v></c>`;
  if (typeof value === 'boolean') return `<c r="${at}" t="b"><v>${value ? 1 : 0}</v></c>`;
  const style = heading ? ` s="${styleOf('heading')}"` : '';
  return `<c r="${at}"${style} t="inlineStr"><is><t xml:space="preserve">${xml(value)}</t></is></c>`;
};

interface Entry {
  name: Buffer;
  offset: number;
  crc: number;
  compressed: number;
  size: number;
}

/** Writes a workbook row by row into a file. Its first row is its heading, and is repeated on each further sheet. */
export class XlsxWriter {
  readonly #file: WriteStream;
  readonly #sheetRows: number;
  readonly #sheet: string;
  readonly #entries: Entry[] = [];
  #heading: Cells | undefined;
  #written = 0;
  #sheets = 0;
  /** Rows in the open sheet. */
  #rows = 0;
  #deflate: DeflateRaw | undefined;
  #entry: Entry | undefined;
  /** Deflated bytes that are not written yet. */
  #deflated: Buffer[] = [];

  constructor(path: string, options: { sheet?: string | undefined; sheetRows?: number } = {}) {
    this.#file = createWriteStream(path, { mode: 0o600 });
    this.#sheetRows = options.sheetRows ?? SHEET_ROWS;
    this.#sheet = options.sheet ?? 'Sheet';
  }

  /** Adds rows; numbers and texts stay what they are, so nothing runs as a formula. */
  async rows(rows: readonly Cells[]): Promise<void> {
    this.#heading ??= rows[0];
    for (let from = 0; from < rows.length; ) {
      if (this.#sheets === 0 || this.#rows === this.#sheetRows) await this.#nextSheet();
      const to = Math.min(rows.length, from + this.#sheetRows - this.#rows);
      await this.#put(
        rows
          .slice(from, to)
          .map((cells) => this.#line(cells))
          .join(''),
      );
      from = to;
    }
  }

  async #nextSheet(): Promise<void> {
    if (this.#sheets > 0) await this.#endSheet();
    await this.#open(`xl/worksheets/sheet${++this.#sheets}.xml`);
    this.#rows = 0;
    const heading = this.#heading ?? [];
    await this.#put(`${DECLARATION}<worksheet xmlns="${MAIN}">${sheetLook(heading)}<sheetData>`);
    if (this.#sheets > 1) await this.#put(this.#line(heading));
  }

  #line(cells: Cells): string {
    const row = ++this.#rows;
    return `<row r="${row}">${cells.map((value, column) => cell(value, `${letters(column)}${row}`, row === 1)).join('')}</row>`;
  }

  async #endSheet(): Promise<void> {
    await this.#put(SHEET_ENDS);
    await this.#close();
  }

  async end(): Promise<void> {
    if (this.#sheets === 0) await this.#nextSheet();
    await this.#endSheet();
    for (const [name, text] of bookParts(this.#sheets, this.#sheet)) {
      await this.#open(name);
      await this.#put(DECLARATION + text);
      await this.#close();
    }
    const start = this.#written;
    for (const entry of this.#entries) await this.#write(directoryEntry(entry));
    const end = Buffer.alloc(22);
    end.writeUInt32LE(0x06054b50, 0);
    end.writeUInt16LE(this.#entries.length, 8);
    end.writeUInt16LE(this.#entries.length, 10);
    end.writeUInt32LE(this.#written - start, 12);
    end.writeUInt32LE(start, 16);
    await this.#write(end);
    this.#file.end();
    await finished(this.#file);
  }

  /** Leaves the file unfinished. */
  destroy(): void {
    this.#deflate?.destroy();
    this.#file.destroy();
  }

  async #open(name: string): Promise<void> {
    const entry = { name: Buffer.from(name), offset: this.#written, crc: 0, compressed: 0, size: 0 };
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    writeCommon(header, 4);
    header.writeUInt16LE(entry.name.length, 26);
    await this.#write(Buffer.concat([header, entry.name]));
    this.#entry = entry;
    this.#deflate = createDeflateRaw().on('data', (chunk: Buffer) => this.#deflated.push(chunk));
  }

  async #put(text: string): Promise<void> {
    const [entry, deflate] = [this.#entry!, this.#deflate!];
    const bytes = Buffer.from(text);
    entry.crc = crc32(bytes, entry.crc);
    entry.size += bytes.length;
    await new Promise<void>((done, failed) => deflate.write(bytes, (error) => (error ? failed(error) : done())));
    await this.#drain();
  }

  async #drain(): Promise<void> {
    const chunk = Buffer.concat(this.#deflated.splice(0));
    this.#entry!.compressed += chunk.length;
    if (chunk.length > 0) await this.#write(chunk);
  }

  async #close(): Promise<void> {
    const [entry, deflate] = [this.#entry!, this.#deflate!];
    deflate.end();
    await once(deflate, 'end');
    await this.#drain();
    const descriptor = Buffer.alloc(16);
    descriptor.writeUInt32LE(0x08074b50, 0);
    writeSizes(descriptor, 4, entry);
    await this.#write(descriptor);
    this.#entries.push(entry);
  }

  #write(bytes: Buffer): Promise<void> {
    this.#written += bytes.length;
    return new Promise((done, failed) => this.#file.write(bytes, (error) => (error ? failed(error) : done())));
  }
}

function writeCommon(to: Buffer, at: number): void {
  to.writeUInt16LE(20, at);
  to.writeUInt16LE(FLAGS, at + 2);
  to.writeUInt16LE(DEFLATED, at + 4);
  to.writeUInt16LE(DATE, at + 8);
}

function writeSizes(to: Buffer, at: number, { crc, compressed, size }: Entry): void {
  to.writeUInt32LE(crc, at);
  to.writeUInt32LE(compressed, at + 4);
  to.writeUInt32LE(size, at + 8);
}

function directoryEntry(entry: Entry): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE(20, 4);
  writeCommon(header, 6);
  writeSizes(header, 16, entry);
  header.writeUInt16LE(entry.name.length, 28);
  header.writeUInt32LE(entry.offset, 42);
  return Buffer.concat([header, entry.name]);
}

import type { TextEncoding } from '@heliograph/contract/kernel/file-reading';
import type { TableRow } from './read-table.ts';

const [QUOTE, LINE_FEED, RETURN] = [0x22, 0x0a, 0x0d];
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LONE_RETURN = /\r(?!\n)/;

/**
 * Splits separated text whose quotes enclose whole cells, as in most files of numbers, with a fifth of the parser's
 * work. It reads piece by piece until one needs the parser; `carried` and then `rest` are the part that is not split.
 */
export class PlainLines {
  readonly #decode: (octets: Buffer) => string;
  readonly #separator: string;
  readonly #longest: number;
  #begun = false;
  /** Beginning of a row that continues after its last line end, in quotes. */
  carried = '';
  /** Octets of the line that continues in the next piece. */
  rest: Buffer = Buffer.alloc(0);
  /** Number of lines that were split, empty ones too. */
  lines = 0;

  /** For text in which line feeds and quotes are separate octets; rows have at most `longest` characters. */
  constructor(encoding: TextEncoding, separator: string, longest: number) {
    const decoder = new TextDecoder(encoding);
    this.#decode = encoding === 'utf-8' ? (octets) => octets.toString('utf8') : (octets) => decoder.decode(octets);
    this.#separator = separator;
    this.#longest = longest;
  }

  /** Answers the rows that a piece ends; null if it needs the parser. */
  take(piece: Buffer): TableRow[] | null {
    let octets = this.rest.length > 0 ? Buffer.concat([this.rest, piece]) : piece;
    if (!this.#begun && octets.subarray(0, BOM.length).equals(BOM)) octets = octets.subarray(BOM.length);
    this.#begun = true;
    const end = octets.lastIndexOf(LINE_FEED) + 1;
    this.rest = octets;
    if (octets.length - end > this.#longest) return null;
    const rows = this.#split(octets.subarray(0, end), false);
    if (rows) this.rest = octets.subarray(end);
    return rows;
  }

  /** Answers the last row, if the text ends without a line end. */
  last(): TableRow[] | null {
    return this.#split(this.rest, true);
  }

  #split(octets: Buffer, isLast: boolean): TableRow[] | null {
    const text = this.carried + this.#decode(octets);
    const returns = text.includes('\r');
    if (returns && LONE_RETURN.test(text)) return null;
    const rows: TableRow[] = [];
    const row = new QuotedRow(text, this.#separator.charCodeAt(0));
    let line = this.lines;
    let quote = text.indexOf('"');
    let start = 0;
    while (start < text.length) {
      const feed = text.indexOf('\n', start);
      const stop = feed < 0 ? text.length : feed;
      let cells: string[];
      let next = stop + 1;
      if (quote < 0 || quote > stop) {
        const end = returns && stop > start && text.charCodeAt(stop - 1) === RETURN ? stop - 1 : stop;
        cells = end > start ? text.slice(start, end).split(this.#separator) : [];
      } else {
        const end = row.read(start);
        if (end === 'open' && !isLast && text.length - start <= this.#longest) break;
        if (typeof end === 'string') return null;
        cells = row.cells;
        next = end;
        quote = text.indexOf('"', next);
      }
      if (next - start > this.#longest) return null;
      line += 1 + row.feeds;
      row.feeds = 0;
      if (cells.length > 0) rows.push({ line, cells });
      start = next;
    }
    this.lines = line;
    this.carried = start < text.length ? text.slice(start) : '';
    return rows;
  }
}

/** Reads rows with quotes. */
class QuotedRow {
  readonly #text: string;
  readonly #separator: number;
  cells: string[] = [];
  /** Line feeds within the cells. */
  feeds = 0;

  constructor(text: string, separator: number) {
    this.#text = text;
    this.#separator = separator;
  }

  /**
   * Reads the row that begins at `start`; answers where the next one begins. It is `open` if its last quote is not
   * closed, and `odd` if a quote is in the middle of a cell.
   */
  read(start: number): number | 'open' | 'odd' {
    const text = this.#text;
    this.cells = [];
    for (let at = start; ; ) {
      let end = at;
      if (text.charCodeAt(at) === QUOTE) {
        end = closingQuote(text, at + 1);
        if (end < 0) return 'open';
        const cell = text.slice(at + 1, end++);
        this.cells.push(cell.includes('"') ? cell.replaceAll('""', '"') : cell);
        if (!this.#countFeeds(cell)) return 'odd';
        if (text.charCodeAt(end) === RETURN) end++;
      } else {
        for (; end < text.length; end++) {
          const code = text.charCodeAt(end);
          if (code === this.#separator || code === LINE_FEED) break;
          if (code === QUOTE) return 'odd';
        }
        const stop = text.charCodeAt(end) !== this.#separator && text.charCodeAt(end - 1) === RETURN ? end - 1 : end;
        this.cells.push(text.slice(at, stop));
      }
      if (end >= text.length) return end;
      const code = text.charCodeAt(end);
      if (code === LINE_FEED) return end + 1;
      if (code !== this.#separator) return 'odd';
      at = end + 1;
    }
  }

  /** Counts the line feeds of a cell; false if it has a carriage return. */
  #countFeeds(cell: string): boolean {
    for (let feed = cell.indexOf('\n'); feed >= 0; feed = cell.indexOf('\n', feed + 1)) {
      if (cell.includes('\r')) return false;
      this.feeds++;
    }
    return true;
  }
}

/** Finds the quote that ends a cell; two quotes in a row stand for one of the cell. */
function closingQuote(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote >= 0 && text.charCodeAt(quote + 1) === QUOTE) quote = text.indexOf('"', quote + 2);
  return quote;
}

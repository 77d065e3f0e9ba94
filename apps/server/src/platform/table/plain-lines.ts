import type { TextEncoding } from '@heliograph/contract/kernel/file-reading';
import type { TableRow } from './read-table.ts';

const [QUOTE, LINE_FEED] = [0x22, 0x0a];
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LONE_RETURN = /\r(?!\n)/;

/**
 * Splits separated text without quotes, as in most files of numbers, with a fifth of the parser's work. It reads piece
 * by piece until one needs the parser; `rest` then is the part that is not split.
 */
export class PlainLines {
  readonly #decode: (octets: Buffer) => string;
  readonly #separator: string;
  readonly #longest: number;
  /** Octets of the line that continues in the next piece. */
  #rest: Buffer = Buffer.alloc(0);
  #begun = false;
  /** Number of lines that were split, empty ones too. */
  lines = 0;

  /** For text in which line feeds and quotes are separate octets; rows have at most `longest` characters. */
  constructor(encoding: TextEncoding, separator: string, longest: number) {
    const decoder = new TextDecoder(encoding);
    this.#decode = encoding === 'utf-8' ? (octets) => octets.toString('utf8') : (octets) => decoder.decode(octets);
    this.#separator = separator;
    this.#longest = longest;
  }

  get rest(): Buffer {
    return this.#rest;
  }

  /** Answers the rows that a piece ends; null if it needs the parser. */
  take(piece: Buffer): TableRow[] | null {
    let octets = this.#rest.length > 0 ? Buffer.concat([this.#rest, piece]) : piece;
    if (!this.#begun && octets.subarray(0, BOM.length).equals(BOM)) octets = octets.subarray(BOM.length);
    this.#begun = true;
    const end = octets.lastIndexOf(LINE_FEED) + 1;
    this.#rest = octets;
    if (octets.includes(QUOTE) || octets.length - end > this.#longest) return null;
    const rows = this.#split(octets.subarray(0, end));
    if (rows) this.#rest = octets.subarray(end);
    return rows;
  }

  /** Answers the last row, if the text ends without a line end. */
  last(): TableRow[] | null {
    return this.#split(this.#rest);
  }

  #split(octets: Buffer): TableRow[] | null {
    const text = this.#decode(octets);
    const returns = text.includes('\r');
    if (returns && LONE_RETURN.test(text)) return null;
    const rows: TableRow[] = [];
    let line = this.lines;
    for (let start = 0; start < text.length; ) {
      const feed = text.indexOf('\n', start);
      const stop = feed < 0 ? text.length : feed;
      const end = returns && stop > start && text.charCodeAt(stop - 1) === 13 ? stop - 1 : stop;
      if (end - start > this.#longest) return null;
      line++;
      if (end > start) rows.push({ line, cells: text.slice(start, end).split(this.#separator) });
      start = stop + 1;
    }
    this.lines = line;
    return rows;
  }
}

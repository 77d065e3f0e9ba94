import type { SaxesTagPlain } from 'saxes';
import { BusinessError } from '../errors.ts';
import type { CellFormats, ShownCell } from './cell-format.ts';
import type { TableRow } from './read-table.ts';
import type { TextStore } from './text-store.ts';
import type { XmlHandler } from './xml.ts';

const MAX_COLUMNS = 64;
const MAX_CELL_CHARACTERS = 32_767;
/** Maximum characters of a row; the limit is the same for text files. */
const MAX_ROW_CHARACTERS = 65_536;

/** Collects the rows of a sheet, each cell as the sheet shows it. Rows that the sheet hides are marked. */
export class SheetRows implements XmlHandler {
  readonly #texts: TextStore;
  readonly #formats: CellFormats;
  #done: TableRow[] = [];
  #row: TableRow | undefined;
  #line = 0;
  #column = -1;
  #type = '';
  #style = 0;
  #value = '';
  #inValue = false;
  #inReading = false;
  #characters = 0;

  constructor(texts: TextStore, formats: CellFormats) {
    this.#texts = texts;
    this.#formats = formats;
  }

  /** The rows finished since the last call. */
  take(): TableRow[] {
    const rows = this.#done;
    this.#done = [];
    return rows;
  }

  open({ name, attributes }: SaxesTagPlain): void {
    if (name === 'row') {
      // A row or cell without its place comes after the one before it.
      this.#line = Number(attributes.r) || this.#line + 1;
      this.#row = { line: this.#line, cells: [], ...(isSet(attributes.hidden) && { hidden: true }) };
      this.#column = -1;
      this.#characters = 0;
    } else if (name === 'c') {
      this.#column = attributes.r === undefined ? this.#column + 1 : columnOf(attributes.r);
      this.#type = attributes.t ?? 'n';
      this.#style = Number(attributes.s ?? 0);
      this.#value = '';
    } else if (name === 'rPh') {
      this.#inReading = true;
    } else if (name === 'v' || name === 't') {
      this.#inValue = !this.#inReading;
    }
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#inValue = false;
    if (name === 'rPh') this.#inReading = false;
    if (name === 'c' && this.#row && this.#column < MAX_COLUMNS) this.#place(this.#row, this.#column);
    if (name === 'row' && this.#row) {
      if (this.#row.cells.some((cell) => cell !== '')) this.#done.push(this.#row);
      this.#row = undefined;
    }
  }

  text(piece: string): void {
    if (this.#inValue && this.#value.length < MAX_CELL_CHARACTERS) this.#value += piece;
  }

  #place(row: TableRow, column: number): void {
    const { text, exact } = this.#shown();
    while (row.cells.length < column) row.cells.push('');
    row.cells[column] = text;
    this.#characters += text.length;
    if (this.#characters > MAX_ROW_CHARACTERS) throw new BusinessError('file_unreadable');
    if (exact !== undefined) {
      row.exact ??= {};
      row.exact[column] = exact;
    }
  }

  #shown(): ShownCell {
    const value = this.#value;
    switch (this.#type) {
      case 's':
        return { text: this.#texts.get(Number(value)) };
      case 'n':
        return value.trim() === '' || Number.isNaN(Number(value))
          ? { text: value }
          : this.#formats.number(Number(value), this.#style);
      case 'b':
        return value === '' ? { text: '' } : this.#formats.boolean(value.trim() === '1');
      case 'd':
        return this.#formats.date(value, this.#style);
      default:
        return { text: value };
    }
  }
}

/** Whether an attribute of XML Schema's type boolean is true. */
export const isSet = (value: string | undefined): boolean => value === '1' || value === 'true';

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

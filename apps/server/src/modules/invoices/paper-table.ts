import type { DocumentLine, IssuedDocument } from './document.ts';
import type { Paper, Style } from './paper.ts';
import type { printed } from './printed.ts';

interface Bounds {
  left: number;
  right: number;
  top: number;
  foot: number;
}

const GRAY = '#5c6370';
const CELL: Style = { size: 9 };
const HEAD: Style = { size: 8, color: GRAY };
const LINE = 12.5;
const PAD = 5;

/** Lines, sums and closing texts of a document, on as many pages as they need. */
export class PaperTable {
  readonly #paper: Paper;
  readonly #document: IssuedDocument;
  readonly #say: ReturnType<typeof printed>;
  readonly #bounds: Bounds;
  #y = 0;

  constructor(paper: Paper, document: IssuedDocument, say: ReturnType<typeof printed>, bounds: Bounds) {
    this.#paper = paper;
    this.#document = document;
    this.#say = say;
    this.#bounds = bounds;
  }

  /** Writes everything, from `y` on. */
  write(y: number): void {
    this.#y = y;
    this.#heading();
    for (const line of this.#document.lines) this.#line(line);
    this.#sums();
    this.#texts();
  }

  /** Ends of the columns of figures, from the right. */
  get #ends() {
    const { right } = this.#bounds;
    return { amount: right, tax: right - 86, price: right - 146, quantity: right - 226 };
  }

  #room(height: number, repeat = false): void {
    const { pdf } = this.#paper;
    if (this.#y + height <= pdf.page.height - this.#bounds.foot) return;
    pdf.addPage();
    this.#y = this.#bounds.top + 8;
    if (repeat) this.#heading();
  }

  #heading(): void {
    const { left, right } = this.#bounds;
    const { columns } = this.#say;
    const ends = this.#ends;
    this.#paper.text(columns.description, left, this.#y, HEAD);
    for (const name of ['quantity', 'price', 'tax', 'amount'] as const)
      this.#paper.text(columns[name], ends[name], this.#y, { ...HEAD, align: 'right' });
    this.#paper.rule(left, right, this.#y + 6, this.#document.look.color, 1);
    this.#y += 20;
  }

  #line(line: DocumentLine): void {
    const { left, right } = this.#bounds;
    const ends = this.#ends;
    const text = this.#paper.wrap(line.description, ends.quantity - left - 45, CELL);
    this.#room(text.length * LINE + PAD, true);
    const figures = this.#say.line(line);
    for (const name of ['quantity', 'price', 'tax', 'amount'] as const)
      this.#paper.text(figures[name], ends[name], this.#y, { ...CELL, align: 'right' });
    for (const each of text) {
      this.#paper.text(each, left, this.#y, CELL);
      this.#y += LINE;
    }
    this.#paper.rule(left, right, this.#y - LINE + 5, '#e6e9ed');
    this.#y += PAD;
  }

  #sums(): void {
    const { right } = this.#bounds;
    const sums = this.#say.sums;
    this.#room(sums.length * 17 + 30);
    this.#y += 8;
    const from = right - 250;
    for (const { name, amount, strong } of sums) {
      const style: Style = strong ? { size: 12, bold: true } : { size: 9.5 };
      if (strong) {
        this.#paper.rule(from, right, this.#y - 8, this.#document.look.color, 1);
        this.#y += 8;
      }
      for (const each of this.#paper.wrap(name, 160, style)) {
        this.#paper.text(each, from, this.#y, style);
        this.#y += strong ? 18 : 15;
      }
      this.#paper.text(amount, right, this.#y - (strong ? 18 : 15), { ...style, align: 'right' });
    }
    this.#y += 12;
  }

  #texts(): void {
    const { left, right } = this.#bounds;
    for (const { text, bold = false } of this.#say.closing) {
      const style: Style = { size: 9, bold, ...(bold ? {} : { color: '#3b4048' }) };
      for (const each of this.#paper.wrap(text, right - left, style)) {
        this.#room(LINE);
        this.#paper.text(each, left, this.#y, style);
        this.#y += LINE;
      }
      this.#y += 6;
    }
  }
}

import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { LOCALE_TAGS, type Locale } from '@heliograph/contract/kernel/scope';
import { type Cell, type Cells, StyledCell } from './cells.ts';

const MARGIN = 50;
const ROW = 18;
const GAP = 8;
/** Share of the width for the labels of a block, and the room below each of its lines. */
const LABELS = 0.22;
const LEADING = 3;

/**
 * Text that a standard font covers, which every reader has. Other text uses an embedded font, with only the characters
 * that are used.
 */
const LATIN = /^[\u0020-\u007e\u00a0-\u00ff]*$/;
const HAN_FONT = join(fileURLToPath(import.meta.resolve('@embedpdf/fonts-sc')), '../../fonts/NotoSansHans-Regular.otf');

/** Look of a table on paper. */
export interface PrintedTable {
  title: string;
  /** Lines below the title, such as the account and the period. */
  facts: readonly string[];
  /** Columns in order: their share of the width, and whether their cells are aligned to the right. */
  columns: readonly { share: number; right?: boolean }[];
  /** True if each row is a block: its first cell, and below it the others in full beside the headings of their columns. */
  blocks?: boolean;
  locale: Locale;
  /** Text at the foot of a page. */
  foot(page: number, pages: number): string;
}

/** PDF with a title and one table that continues on as many A4 pages as it needs, its heading on each. */
export class PdfTable {
  readonly #pdf: PDFKit.PDFDocument;
  readonly #table: PrintedTable;
  readonly #amounts: Intl.NumberFormat;
  #heading: Cells | null = null;
  #y = MARGIN;

  private constructor(pdf: PDFKit.PDFDocument, table: PrintedTable) {
    this.#pdf = pdf;
    this.#table = table;
    this.#amounts = new Intl.NumberFormat(LOCALE_TAGS[table.locale], { minimumFractionDigits: 3 });
  }

  /** Starts a document that is written to a stream, with the title and the facts. */
  static async create(out: Writable, table: PrintedTable): Promise<PdfTable> {
    const { default: PDFDocument } = await import('pdfkit');
    const pdf = new PDFDocument({
      size: 'A4',
      margin: MARGIN,
      bufferPages: true,
      lang: LOCALE_TAGS[table.locale],
      info: { Title: [table.title, ...table.facts.slice(0, 1)].join(' · ') },
    });
    pdf.pipe(out);
    const made = new PdfTable(pdf, table);
    pdf.fontSize(18);
    made.#write(table.title, MARGIN, made.#width, { bold: true });
    made.#y += 30;
    pdf.fontSize(10);
    for (const fact of table.facts) {
      made.#write(fact, MARGIN, made.#width);
      made.#y += ROW;
    }
    made.#y += ROW;
    pdf.fontSize(9);
    return made;
  }

  get #width(): number {
    return this.#pdf.page.width - 2 * MARGIN;
  }

  #write(text: string, x: number, width: number, { bold = false, right = false } = {}): void {
    this.#font(text, bold).text(text, x, this.#y, {
      width,
      align: right ? 'right' : 'left',
      lineBreak: false,
      ellipsis: true,
      height: ROW,
    });
  }

  #textOf(cell: Cell): string {
    if (!(cell instanceof StyledCell)) return cell === null ? '' : String(cell);
    return cell.style === 'amount' ? this.#amounts.format(cell.text as Intl.StringNumericLiteral) : cell.text;
  }

  #draw(cells: Cells, bold: boolean): void {
    const { columns } = this.#table;
    const total = columns.reduce((sum, { share }) => sum + share, 0);
    let x = MARGIN;
    for (const [place, { share, right = false }] of columns.entries()) {
      const width = (this.#width * share) / total;
      this.#write(this.#textOf(cells[place] ?? null), x, width - GAP, { bold, right });
      x += width;
    }
    this.#y += ROW;
  }

  /** Writes the heading, which each further page repeats. */
  heading(cells: Cells): void {
    this.#heading = cells;
    if (this.#table.blocks) return;
    const pdf = this.#pdf.fillColor('#555555');
    this.#draw(cells, false);
    pdf.fillColor('#000000');
    pdf
      .moveTo(MARGIN, this.#y - 4)
      .lineTo(MARGIN + this.#width, this.#y - 4)
      .lineWidth(0.5)
      .strokeColor('#999999')
      .stroke();
  }

  /** Writes a row below the last one, on a new page if the present one is full. */
  row(cells: Cells, { bold = false } = {}): void {
    if (this.#table.blocks) {
      this.#block(cells);
      return;
    }
    if (this.#y > this.#pdf.page.height - MARGIN - ROW) {
      this.#pdf.addPage();
      this.#y = MARGIN;
      if (this.#heading) this.heading(this.#heading);
    }
    this.#draw(cells, bold);
  }

  /** Writes a row as a block that no page parts. */
  #block([title = null, ...cells]: Cells): void {
    const labels = this.#width * LABELS;
    const width = this.#width - labels;
    const lines = cells.map((cell, place) => {
      const text = this.#textOf(cell);
      return {
        label: this.#textOf(this.#heading?.[place + 1] ?? null),
        text,
        height: this.#font(text).heightOfString(text, { width }),
      };
    });
    const height = ROW + lines.reduce((sum, line) => sum + line.height + LEADING, 0);
    if (this.#y > MARGIN && this.#y + height > this.#pdf.page.height - MARGIN) {
      this.#pdf.addPage();
      this.#y = MARGIN;
    }
    this.#write(this.#textOf(title), MARGIN, this.#width, { bold: true });
    this.#y += ROW;
    for (const line of lines) {
      this.#pdf.fillColor('#555555');
      this.#write(line.label, MARGIN, labels - GAP);
      this.#font(line.text)
        .fillColor('#000000')
        .text(line.text, MARGIN + labels, this.#y, { width });
      this.#y += line.height + LEADING;
    }
    this.#y += ROW;
  }

  /** Chooses the font of a text. */
  #font(text: string, bold = false): PDFKit.PDFDocument {
    return this.#pdf.font(LATIN.test(text) ? (bold ? 'Helvetica-Bold' : 'Helvetica') : HAN_FONT);
  }

  /** Writes the foot of each page and ends the stream. */
  end(): void {
    const pdf = this.#pdf;
    const { count } = pdf.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      pdf.switchToPage(page);
      // The text lies below the margin, where it would otherwise start a new page.
      pdf.page.margins.bottom = 0;
      this.#y = pdf.page.height - MARGIN + 10;
      pdf.fontSize(8).fillColor('#555555');
      this.#write(this.#table.foot(page + 1, count), MARGIN, this.#width, { right: true });
    }
    pdf.end();
  }
}

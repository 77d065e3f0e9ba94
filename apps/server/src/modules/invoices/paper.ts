import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fontHas } from '#platform/driver/internals';

/** Folder of the fonts of a package, by the address of its module. */
const folder = (address: string) => join(dirname(fileURLToPath(address)), '../fonts');
const latin = () => folder(import.meta.resolve('@embedpdf/fonts-latin'));
const han = () => folder(import.meta.resolve('@embedpdf/fonts-sc'));

/** Typefaces by what they cover. Every text is written with them, because an archived document embeds its fonts. */
const FILES = {
  latin: () => join(latin(), 'NotoSans-Regular.ttf'),
  'latin-bold': () => join(latin(), 'NotoSans-SemiBold.ttf'),
  han: () => join(han(), 'NotoSansHans-Regular.otf'),
  'han-bold': () => join(han(), 'NotoSansHans-Medium.otf'),
} as const;
type Face = keyof typeof FILES;

/** Mark that stands for a character that no typeface has. */
const UNKNOWN = '?';
/** Characters that are written with the typeface of Chinese, if the Latin one has them too. */
const HAN = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]/;
/** Places at which a line may break: after a blank or hyphen, and around a Chinese character. */
const PIECES = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef]+\s*|\s+/g;

export interface Style {
  size: number;
  bold?: boolean;
  color?: string;
  align?: 'left' | 'right';
}

interface Run {
  face: Face;
  text: string;
}

/** Page of a PDF on which texts in several scripts are written at exact places. */
export class Paper {
  readonly pdf: PDFKit.PDFDocument;
  readonly #faces = new Set<Face>();
  readonly #covered = new Map<string, Face | null>();
  readonly #widths = new Map<string, number>();

  constructor(pdf: PDFKit.PDFDocument) {
    this.pdf = pdf;
  }

  #use(face: Face): void {
    if (!this.#faces.has(face)) {
      this.pdf.registerFont(face, readFileSync(FILES[face]()));
      this.#faces.add(face);
    }
    this.pdf.font(face);
  }

  #has(face: Face, letter: string): boolean {
    this.#use(face);
    return fontHas(this.pdf, letter.codePointAt(0)!);
  }

  #faceOf(letter: string, bold: boolean): Face | null {
    const key = `${bold ? 'b' : ''}${letter}`;
    const known = this.#covered.get(key);
    if (known !== undefined) return known;
    const [latin, han]: [Face, Face] = bold ? ['latin-bold', 'han-bold'] : ['latin', 'han'];
    const order = HAN.test(letter) ? [han, latin] : [latin, han];
    const face = order.find((each) => this.#has(each, letter)) ?? null;
    this.#covered.set(key, face);
    return face;
  }

  /** Splits a text into runs of one typeface; a character that none has becomes a mark. */
  #runs(text: string, bold: boolean): Run[] {
    const runs: Run[] = [];
    for (const letter of text) {
      const found = this.#faceOf(letter, bold);
      const face = found ?? (bold ? 'latin-bold' : 'latin');
      const last = runs.at(-1);
      if (last?.face === face) last.text += found ? letter : UNKNOWN;
      else runs.push({ face, text: found ? letter : UNKNOWN });
    }
    return runs;
  }

  /** Returns the width of a text in points. */
  width(text: string, { size, bold = false }: Style): number {
    const key = `${bold ? 'b' : ''}${size} ${text}`;
    const known = this.#widths.get(key);
    if (known !== undefined) return known;
    let width = 0;
    for (const run of this.#runs(text, bold)) {
      this.#use(run.face);
      width += this.pdf.fontSize(size).widthOfString(run.text);
    }
    if (this.#widths.size < 20_000) this.#widths.set(key, width);
    return width;
  }

  /** Breaks a text into lines of at most `most` points; a word that is longer is broken inside. */
  wrap(text: string, most: number, style: Style): string[] {
    return text.split('\n').flatMap((paragraph) => {
      const lines: string[] = [];
      let line = '';
      for (const piece of paragraph.match(PIECES) ?? []) {
        if (this.width((line + piece).trimEnd(), style) <= most) {
          line += piece;
          continue;
        }
        if (line.trim() !== '') lines.push(line.trimEnd());
        line = '';
        for (const letter of piece.trimStart()) {
          if (line !== '' && this.width(line + letter, style) > most) {
            lines.push(line);
            line = '';
          }
          line += letter;
        }
      }
      lines.push(line.trimEnd());
      return lines;
    });
  }

  /** Writes one line at a place. With `align: 'right'` it ends at `x`. */
  text(text: string, x: number, y: number, style: Style): void {
    const { size, bold = false, color = '#1a1d21', align = 'left' } = style;
    let at = align === 'right' ? x - this.width(text, style) : x;
    for (const run of this.#runs(text, bold)) {
      this.#use(run.face);
      this.pdf.fontSize(size).fillColor(color);
      // Both typefaces stand on the same line, whatever their heights are.
      this.pdf.text(run.text, at, y, { lineBreak: false, baseline: 'alphabetic' });
      at += this.pdf.widthOfString(run.text);
    }
  }

  rule(x1: number, x2: number, y: number, color: string, width = 0.5): void {
    this.pdf.moveTo(x1, y).lineTo(x2, y).lineWidth(width).strokeColor(color).stroke();
  }
}

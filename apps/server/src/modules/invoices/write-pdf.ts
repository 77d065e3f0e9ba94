import { LOCALE_TAGS } from '@heliograph/contract/kernel/scope';
import type { IssuedDocument } from './document.ts';
import { Paper } from './paper.ts';
import { PaperTable } from './paper-table.ts';
import { printed } from './printed.ts';

const MARGIN = 48;
/** Space at the foot of a page for the seller's line and the number of the page. */
const FOOT = 56;

/**
 * Writes an issued document as a PDF/A-3b in the buyer's language, with the seller's look. `attach` adds files before it
 * ends. Returns its bytes.
 */
export async function writePdf(
  document: IssuedDocument,
  attach: (pdf: PDFKit.PDFDocument) => unknown = () => undefined,
): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit');
  const say = printed(document);
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    pdfVersion: '1.7',
    subset: 'PDF/A-3b',
    lang: LOCALE_TAGS[document.locale],
    font: null as unknown as string,
    info: {
      Title: `${say.title} ${document.number}`,
      // The library writes it into XML as it is.
      Author: document.seller.legal_name.replace(/[&<>]/g, ' '),
      CreationDate: new Date(`${document.issue_date}T00:00:00Z`),
    },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => pdf.once('end', resolve).once('error', reject));
  const paper = new Paper(pdf);
  const y = writeHead(paper, document, say);
  const table = new PaperTable(paper, document, say, {
    left: MARGIN,
    right: pdf.page.width - MARGIN,
    top: MARGIN,
    foot: FOOT,
  });
  table.write(y);
  writeFeet(paper, document, say);
  attach(pdf);
  pdf.end();
  await ended;
  return Buffer.concat(chunks);
}

type Say = ReturnType<typeof printed>;

const GRAY = '#5c6370';
const SMALL = { size: 8.5, color: GRAY } as const;
const BODY = { size: 9.5 } as const;

/** Writes the seller, the title with its facts, and the buyer. Returns the place below them. */
function writeHead(paper: Paper, document: IssuedDocument, say: Say): number {
  const { pdf } = paper;
  const right = pdf.page.width - MARGIN;
  const middle = pdf.page.width * 0.56;
  pdf.rect(0, 0, pdf.page.width, 6).fill(document.look.color);
  let y = MARGIN + 14;
  if (document.look.logo) {
    pdf.image(document.look.logo, MARGIN, MARGIN - 10, { fit: [170, 40] });
    y = MARGIN + 48;
  }
  for (const line of paper.wrap(document.seller.legal_name, middle - MARGIN - 20, { size: 13, bold: true })) {
    paper.text(line, MARGIN, y, { size: 13, bold: true });
    y += 16;
  }
  for (const text of say.sellerLines)
    for (const line of paper.wrap(text, middle - MARGIN - 20, SMALL)) {
      paper.text(line, MARGIN, y, SMALL);
      y += 12;
    }
  let at = MARGIN + 20;
  for (const line of paper.wrap(say.title, right - middle, { size: 21, bold: true })) {
    paper.text(line, right, at, { size: 21, bold: true, color: document.look.color, align: 'right' });
    at += 24;
  }
  paper.text(document.number, right, at - 4, { size: 12, bold: true, align: 'right' });
  at += 18;
  for (const [name, value] of say.facts) {
    paper.text(name, middle, at, SMALL);
    for (const line of paper.wrap(value, right - middle - 110, BODY)) {
      paper.text(line, right, at, { ...BODY, align: 'right' });
      at += 14;
    }
  }
  y = Math.max(y, at) + 14;
  paper.text(say.billTo, MARGIN, y, SMALL);
  y += 15;
  for (const line of paper.wrap(document.buyer.legal_name, middle, { size: 11, bold: true })) {
    paper.text(line, MARGIN, y, { size: 11, bold: true });
    y += 14;
  }
  for (const text of say.buyerLines)
    for (const line of paper.wrap(text, middle, BODY)) {
      paper.text(line, MARGIN, y, BODY);
      y += 13;
    }
  if (say.about)
    for (const line of paper.wrap(say.about, right - MARGIN, BODY)) {
      y += 13;
      paper.text(line, MARGIN, y, BODY);
    }
  return y + 24;
}

/** Writes the seller's line and the number of the page on each page. */
function writeFeet(paper: Paper, document: IssuedDocument, say: Say): void {
  const { pdf } = paper;
  const { count } = pdf.bufferedPageRange();
  const right = pdf.page.width - MARGIN;
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page);
    const y = pdf.page.height - FOOT + 18;
    paper.rule(MARGIN, right, y - 10, '#d7dbe0');
    const foot = [document.seller.legal_name, document.number].join(' · ');
    paper.text(paper.wrap(foot, right - MARGIN - 90, { size: 7.5 })[0] ?? '', MARGIN, y + 2, {
      size: 7.5,
      color: GRAY,
    });
    paper.text(say.page(page + 1, count), right, y + 2, { size: 7.5, color: GRAY, align: 'right' });
  }
}

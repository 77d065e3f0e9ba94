import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { MessageKey } from '@heliograph/contract/kernel/message-keys';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { LOCALE_TAGS } from '@heliograph/contract/kernel/scope';
import type { Context } from '#platform/context';
import type { AttachedFile } from '#platform/tasks/csv-file';
import { translate } from '#platform/text/i18n';
import { daysOf, SUMS, wholeStatement } from './statement.ts';

const MARGIN = 50;
const ROW = 18;
const DATE_WIDTH = 75;
const AMOUNT_WIDTH = 110;

/**
 * Text that a standard font covers, which every reader has. Other text uses an embedded font, with only the characters
 * that are used.
 */
const LATIN = /^[\u0020-\u007e\u00a0-\u00ff]*$/;
const HAN_FONT = join(fileURLToPath(import.meta.resolve('@embedpdf/fonts-sc')), '../../fonts/NotoSansHans-Regular.otf');

/** Writes a statement as a PDF in the caller's language. */
export async function statementPdf(ctx: Context, id: number): Promise<AttachedFile> {
  const { statement, lines } = await wholeStatement(ctx, id);
  const say = (key: MessageKey, params: Record<string, string | number> = {}) => translate(ctx.locale, key, params);
  const { from, to } = daysOf(statement);
  const amounts = new Intl.NumberFormat(LOCALE_TAGS[ctx.locale], { minimumFractionDigits: 3 });
  const amount = (thousandths: number) => amounts.format(fromThousandths(thousandths) as Intl.StringNumericLiteral);

  const { default: PDFDocument } = await import('pdfkit');
  const title = say('statement.title', { month: statement.month.slice(0, 7) });
  const pdf = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    lang: LOCALE_TAGS[ctx.locale],
    info: { Title: `${title} · ${statement.billing_account_name}` },
  });
  const chunks: Buffer[] = [];
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
  const whole = new Promise<void>((resolve, reject) => pdf.on('end', resolve).on('error', reject));
  const right = pdf.page.width - MARGIN;
  const bottom = pdf.page.height - MARGIN - ROW;
  let y = MARGIN;

  const font = (text: string, bold: boolean) =>
    pdf.font(LATIN.test(text) ? (bold ? 'Helvetica-Bold' : 'Helvetica') : HAN_FONT);
  const write = (text: string, x: number, width: number, align: 'left' | 'right', bold = false) =>
    font(text, bold).text(text, x, y, { width, align, lineBreak: false, ellipsis: true, height: ROW });
  const line = () => {
    pdf
      .moveTo(MARGIN, y - 4)
      .lineTo(right, y - 4)
      .lineWidth(0.5)
      .strokeColor('#999999')
      .stroke();
  };
  const row = (date: string, what: string, value: string, bold = false) => {
    if (y > bottom) {
      pdf.addPage();
      y = MARGIN;
      heading();
    }
    write(date, MARGIN, DATE_WIDTH, 'left', bold);
    write(what, MARGIN + DATE_WIDTH, right - MARGIN - DATE_WIDTH - AMOUNT_WIDTH - 10, 'left', bold);
    write(value, right - AMOUNT_WIDTH, AMOUNT_WIDTH, 'right', bold);
    y += ROW;
  };
  const heading = () => {
    pdf.fontSize(9).fillColor('#555555');
    row(say('statement.date'), say('statement.what'), say('statement.amount', { currency: statement.currency }));
    pdf.fillColor('#000000');
    line();
  };

  pdf.fontSize(18);
  write(title, MARGIN, right - MARGIN, 'left', true);
  y += 30;
  pdf.fontSize(10);
  for (const text of [
    statement.corporation_name,
    say('statement.account', { name: statement.billing_account_name, key: statement.billing_account_key }),
    say('statement.period', { from, to, timezone: statement.timezone }),
  ]) {
    write(text, MARGIN, right - MARGIN, 'left');
    y += ROW;
  }
  y += ROW;
  for (const sum of SUMS) {
    const bold = sum === 'opening_balance' || sum === 'closing_balance';
    row(
      bold ? (sum === 'opening_balance' ? from : to) : '',
      say(`resources.statements.fields.${sum}`),
      amount(statement[sum]),
      bold,
    );
  }
  if (lines.length > 0) {
    y += ROW;
    pdf.fontSize(12);
    write(say('statement.movements'), MARGIN, right - MARGIN, 'left', true);
    y += ROW + 4;
    heading();
    for (const { date, what, amount: value } of lines) row(date, what, amount(value));
  }
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page++) {
    pdf.switchToPage(page);
    // The text lies below the margin, where it would otherwise start a new page.
    pdf.page.margins.bottom = 0;
    y = pdf.page.height - MARGIN + 10;
    pdf.fontSize(8).fillColor('#555555');
    write(say('statement.page', { page: page + 1, pages: count }), MARGIN, right - MARGIN, 'right');
  }
  pdf.end();
  await whole;
  return {
    stream: Readable.from([Buffer.concat(chunks)]),
    name: `statement-${statement.billing_account_key}-${statement.month.slice(0, 7)}.pdf`,
    type: 'application/pdf',
  };
}

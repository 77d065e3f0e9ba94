import { type PricedLine, roundToMinor, type Sums } from '@heliograph/contract/invoices/amounts';
import type { creditInvoice } from '@heliograph/contract/invoices/invoice';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { BodyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import type { Db } from './db.ts';
import { soldInvoice, wholeInvoice } from './invoice-rows.ts';
import { issueDraft } from './issue.ts';
import { type NewLine, storeLines, sumColumns, sumsOrThrow } from './lines.ts';
import { lockInvoices, releaseExcess } from './spread.ts';

type Wanted = BodyOf<typeof creditInvoice>['lines'];

interface Creditable extends PricedLine {
  id: number;
  position: number;
  description: string;
  amount: number;
  /** Part of the amount that is not credited yet. */
  left: number;
}

/** Reads the lines of an invoice with what is left of them. */
async function creditable(db: Db, invoiceId: number): Promise<Creditable[]> {
  const { rows } = await sql<Creditable>`
    SELECT l.id, l.position, l.description, l.quantity, l.unit_price, l.tax_category, l.tax_rate, l.amount,
      (l.amount - coalesce((SELECT sum(n.amount) FROM invoice_line n WHERE n.credited_line_id = l.id), 0))::bigint AS left
    FROM invoice_line l WHERE l.invoice_id = ${invoiceId} ORDER BY l.position`.execute(db);
  return rows;
}

/** Makes a line of a credit note: the same article for a whole line, or an amount of it. */
function lineFor(line: Creditable, amount: number): NewLine {
  const { id: credited_line_id, description, tax_category, tax_rate } = line;
  const tax = { description, tax_category, tax_rate, credited_line_id };
  if (amount === line.amount) return { ...tax, quantity: line.quantity, unit_price: line.unit_price };
  return { ...tax, quantity: amount < 0 ? -1_000 : 1_000, unit_price: Math.abs(amount) };
}

/** Chooses the lines to credit: all that is left, or the wanted amounts. Throws a 422 for an amount beyond a line. */
function chosen(lines: readonly Creditable[], wanted: Wanted, currency: string): NewLine[] {
  if (!wanted) return lines.filter(({ left }) => left !== 0).map((line) => lineFor(line, line.left));
  const seen = new Set<number>();
  return wanted.map(({ position, amount }, place) => {
    const line = lines.find((each) => each.position === position);
    if (!line || seen.has(position)) throw fieldError(`lines.${place}.position`, 'not_visible');
    seen.add(position);
    const value = roundToMinor(toThousandths(amount), currency) * Math.sign(line.left || 1);
    if (value === 0) throw fieldError(`lines.${place}.amount`, 'too_small', { count: 0.001 });
    if (Math.abs(value) > Math.abs(line.left))
      throw fieldError(`lines.${place}.amount`, 'credit_too_large', { amount: fromThousandths(Math.abs(line.left)) });
    return lineFor(line, value);
  });
}

/**
 * Lets a credit note end exactly where its invoice does: never above what is left, and the last one takes the rest. The
 * difference, at most a few minor units, is shown as rounding.
 */
function within(sums: Sums, left: number, isLast: boolean): Sums {
  const payable = isLast ? left : Math.min(left, sums.payable);
  return { ...sums, payable, rounding: payable - sums.net - sums.tax };
}

/** Issues a credit note for an invoice that the caller sells. */
export const creditOne: Handler<typeof creditInvoice> = async (ctx, { params, body }) => {
  const invoice = await soldInvoice(ctx, params.id);
  if (invoice.kind !== 'invoice' || invoice.state !== 'issued') throw new BusinessError('invoice_not_open');
  // Two credit notes at the same time take turns. Money that becomes free moves to other invoices of the account, so payments
  // and credit notes lock them in one order.
  if (invoice.billing_account_id !== null) await lockInvoices(ctx.db, invoice.billing_account_id!);
  await ctx.db.selectFrom('invoice').select('id').where('id', '=', params.id).forNoKeyUpdate().execute();
  const { credited } = await soldInvoice(ctx, params.id);
  const left = invoice.payable! - credited!;
  const lines = await creditable(ctx.db, params.id);
  const taken = chosen(lines, body.lines, invoice.currency!);
  if (left <= 0 || taken.length === 0) throw new BusinessError('invoice_not_open');
  const amounts = new Map(taken.map((line) => [line.credited_line_id, line.quantity * line.unit_price]));
  const isLast = lines.every(({ id, left: rest }) => rest * 1_000 === (amounts.get(id) ?? 0));
  const terms = { currency: invoice.currency!, prices_include_tax: invoice.prices_include_tax! };
  const sums = within(sumsOrThrow(taken, { ...terms, withholding_rate: 0 }), left, isLast);
  const { id } = await ctx.db
    .insertInto('invoice')
    .values({
      kind: 'credit_note',
      invoice_issuer_id: invoice.invoice_issuer_id!,
      seller_id: invoice.seller_id,
      corporation_id: invoice.corporation_id!,
      billing_account_id: invoice.billing_account_id,
      timezone: invoice.timezone!,
      language: invoice.language!,
      reference: invoice.reference,
      reason: body.reason,
      credited_invoice_id: params.id,
      user_id: ctx.caller.user_id,
      created_at: ctx.clock.now().toISOString(),
      ...terms,
      ...sumColumns(sums),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await storeLines(ctx.db, id, taken, sums);
  const number = await issueDraft(ctx, id);
  await releaseExcess(ctx.db, params.id);
  const message = translate(ctx.locale, 'invoicing.credited', { number });
  return { data: await wholeInvoice(ctx, id), message };
};

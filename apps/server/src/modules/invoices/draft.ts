import { type TaxCategory, taxOf } from '@heliograph/contract/invoices/amounts';
import type {
  changeInvoice,
  discardInvoice,
  draftInvoice,
  draftLine,
  invoiceTerms,
} from '@heliograph/contract/invoices/invoice';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { BodyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import type { Db } from './db.ts';
import { sells, soldInvoice, wholeInvoice } from './invoice-rows.ts';
import { type NewLine, storeLines, sumColumns, sumsOrThrow } from './lines.ts';
import { type Buyer, type Issuer, type Parties, partiesOf } from './parties.ts';

type WrittenLine = z.output<typeof draftLine>;

/** Loads the sides of a document that the caller sells. Throws a 422 on `corporation_id`, or `invoice_issuer_missing`. */
async function sidesFor(ctx: Context, corporationId: number): Promise<Parties & { issuer: Issuer }> {
  await requireVisible(ctx, 'corporation', corporationId, 'corporation_id');
  const { issuer, ...parties } = await partiesOf(ctx.db, corporationId);
  if (!sells(ctx.caller, parties.corporation.reseller_id)) throw fieldError('corporation_id', 'not_a_customer');
  if (!issuer) throw new BusinessError('invoice_issuer_missing');
  return { ...parties, issuer };
}

/** Rate that a buyer withholds, in thousandths of a percent. */
export const withholdingOf = (issuer: Issuer, buyer: Buyer | null): number =>
  buyer?.withholds ? issuer.withholding_rate : 0;

/** Tax treatment of a buyer. */
export const treatmentOf = (buyer: Buyer | null) =>
  (buyer?.tax_treatment ?? 'standard') as 'standard' | 'zero' | 'exempt';

/** Prices the lines that a person wrote in a field of the call. Throws a 422 for a quantity of zero. */
function pricedLines<Line extends WrittenLine>(
  lines: readonly Line[],
  { issuer, buyer }: Pick<Parties, 'buyer'> & { issuer: Issuer },
  field = 'lines',
): NewLine[] {
  return lines.map(({ description, quantity, unit_price, tax_category }, place) => {
    const amount = toThousandths(quantity);
    if (amount === 0) throw fieldError(`${field}.${place}.quantity`, 'invoice_quantity');
    return {
      description,
      quantity: amount,
      unit_price: toThousandths(unit_price),
      ...taxOf(issuer, treatmentOf(buyer), tax_category),
    };
  });
}

/** Calculates a draft's lines by the present profiles and stores them with their sums. */
export async function storeDraftLines(
  db: Db,
  draft: { id: number; currency: string; prices_include_tax: boolean },
  lines: readonly NewLine[],
  withholding_rate: number,
): Promise<void> {
  const sums = sumsOrThrow(lines, { ...draft, withholding_rate });
  await storeLines(db, draft.id, lines, sums);
  await db.updateTable('invoice').set(sumColumns(sums)).where('id', '=', draft.id).execute();
}

/** Returns the terms that a new invoice to a corporation would have. */
export const showTerms: Handler<typeof invoiceTerms> = async (ctx, { query }) => {
  const { corporation, issuer, buyer } = await sidesFor(ctx, query.corporation_id);
  return {
    data: {
      currency: corporation.currency,
      prices_include_tax: issuer.prices_include_tax,
      payment_days: issuer.payment_days,
      tax_registered: issuer.tax_registered,
      tax_rate: fromThousandths(issuer.tax_rate),
      tax_treatment: treatmentOf(buyer),
      withholding_rate: fromThousandths(withholdingOf(issuer, buyer)),
      buyer: buyer !== null,
    },
  };
};

async function requireAccount(ctx: Context, id: number | null | undefined, corporationId: number): Promise<void> {
  if (id === null || id === undefined) return;
  const within = sql<boolean>`corporation_id = ${corporationId}`;
  await requireVisible(ctx, 'billing_account', id, 'billing_account_id', within);
}

function checkPeriod(from: string | null | undefined, to: string | null | undefined): void {
  if (from && to && to < from) throw fieldError('period_to', 'date_order');
}

/** Inserts a draft without lines. Returns its id. */
export async function insertDraft(
  db: Db,
  { corporation, issuer, buyer }: Parties & { issuer: Issuer },
  more: {
    kind?: 'invoice' | 'receipt';
    billing_account_id?: number | null | undefined;
    payment_days?: number | undefined;
    period_from?: string | null | undefined;
    period_to?: string | null | undefined;
    reference?: string | null | undefined;
    note?: string | null | undefined;
    statement_id?: number;
    billed?: number;
    billed_from?: string;
    payment_id?: number;
    prices_include_tax?: boolean;
    user_id?: number | null;
    created_at: string;
  },
): Promise<number> {
  const { id } = await db
    .insertInto('invoice')
    .values({
      kind: 'invoice',
      invoice_issuer_id: issuer.id,
      seller_id: corporation.reseller_id,
      corporation_id: corporation.id,
      currency: corporation.currency,
      timezone: corporation.timezone,
      language: buyer?.language ?? 'en',
      prices_include_tax: issuer.prices_include_tax,
      ...more,
      payment_days: more.payment_days ?? issuer.payment_days,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Facts of a change for the activity log. */
export const logged = (row: { number?: string | null; payable?: number | null; currency?: string | null }) => ({
  number: row.number ?? null,
  payable: row.payable == null ? null : fromThousandths(row.payable),
  currency: row.currency ?? null,
});

export const log = (ctx: Context, description: string, id: number, corporation_id: number, after: object | null) =>
  audit(ctx, { name: 'invoices', description, subject_type: 'invoices', subject_id: id, corporation_id, after });

/** Writes a draft to a customer of the caller. */
export const createDraft: Handler<typeof draftInvoice> = async (ctx, { body }) => {
  const sides = await sidesFor(ctx, body.corporation_id);
  await requireAccount(ctx, body.billing_account_id, body.corporation_id);
  checkPeriod(body.period_from, body.period_to);
  const { lines, corporation_id: _, ...header } = body;
  const priced = pricedLines(lines, sides);
  const id = await insertDraft(ctx.db, sides, {
    ...header,
    user_id: ctx.caller.user_id,
    created_at: ctx.clock.now().toISOString(),
  });
  const { currency } = sides.corporation;
  const { prices_include_tax } = sides.issuer;
  const rate = withholdingOf(sides.issuer, sides.buyer);
  await storeDraftLines(ctx.db, { id, currency, prices_include_tax }, priced, rate);
  const data = await wholeInvoice(ctx, id);
  await log(ctx, 'created', id, data.corporation_id, { payable: data.payable, currency });
  const record = translate(ctx.locale, 'invoicing.draft');
  return { data, message: translate(ctx.locale, 'saved.created', { record }) };
};

/** Loads a draft that the caller sells, locked until the end of the transaction. Throws `invoice_issued`. */
export async function lockedDraft(ctx: Context, id: number) {
  const row = await soldInvoice(ctx, id);
  const now = await ctx.db
    .selectFrom('invoice')
    .select(['state', 'billed'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!now) throw new BusinessError('not_found');
  if (now.state !== 'draft') throw new BusinessError('invoice_issued');
  return { ...row, billed: now.billed };
}

/** Most lines of a draft that a person changes. */
const MOST_LINES = 20_000;

/** Returns all lines of a draft after some changed. Throws `changed_meanwhile` if a line that they name is gone. */
async function changedLines(
  db: Db,
  invoiceId: number,
  { changed, removed, added }: NonNullable<BodyOf<typeof changeInvoice>['line_changes']>,
  sides: Pick<Parties, 'buyer'> & { issuer: Issuer },
): Promise<NewLine[]> {
  const rows = await db
    .selectFrom('invoice_line')
    .select(['id', 'description', 'quantity', 'unit_price', 'tax_category'])
    .where('invoice_id', '=', invoiceId)
    .orderBy('position')
    .execute();
  const treatment = treatmentOf(sides.buyer);
  const lines = new Map<number, NewLine>(
    rows.map(({ id, description, quantity, unit_price, tax_category }) => {
      const own = tax_category === 'outside' ? undefined : (tax_category as TaxCategory);
      return [id, { description, quantity, unit_price, ...taxOf(sides.issuer, treatment, own) }];
    }),
  );
  for (const id of [...removed, ...changed.map((line) => line.id)])
    if (!lines.has(id)) throw new BusinessError('changed_meanwhile');
  for (const [place, line] of pricedLines(changed, sides, 'line_changes.changed').entries())
    lines.set(changed[place]!.id, line);
  for (const id of removed) lines.delete(id);
  const all = [...lines.values(), ...pricedLines(added, sides, 'line_changes.added')];
  if (all.length === 0) throw fieldError('lines', 'required');
  if (all.length > MOST_LINES) throw new BusinessError('invoice_too_large');
  return all;
}

/** Changes a draft. Its lines are priced again by the present profiles. */
export const changeDraft: Handler<typeof changeInvoice> = async (ctx, { params, body }) => {
  const row = await lockedDraft(ctx, params.id);
  const { corporation_id } = row as { corporation_id: number };
  await requireAccount(ctx, body.billing_account_id, corporation_id);
  const isMoved = body.billing_account_id !== undefined && body.billing_account_id !== row.billing_account_id;
  if (row.billed !== null && isMoved) throw fieldError('billing_account_id', 'invoice_month_account');
  const { lines, line_changes, ...header } = body;
  checkPeriod(
    header.period_from === undefined ? row.period_from : header.period_from,
    header.period_to === undefined ? row.period_to : header.period_to,
  );
  if (Object.keys(header).length > 0)
    await ctx.db.updateTable('invoice').set(header).where('id', '=', params.id).execute();
  if (lines || line_changes) {
    const sides = await sidesFor(ctx, corporation_id);
    const draft = { id: params.id, currency: row.currency!, prices_include_tax: row.prices_include_tax! };
    const priced = lines ? pricedLines(lines, sides) : await changedLines(ctx.db, params.id, line_changes!, sides);
    await storeDraftLines(ctx.db, draft, priced, withholdingOf(sides.issuer, sides.buyer));
  }
  const data = await wholeInvoice(ctx, params.id);
  await log(ctx, 'updated', params.id, corporation_id, { payable: data.payable, currency: data.currency });
  const record = translate(ctx.locale, 'invoicing.draft');
  return { data, message: translate(ctx.locale, 'saved.updated', { record }) };
};

/** Deletes a draft. */
export const discardDraft: Handler<typeof discardInvoice> = async (ctx, { params }) => {
  const row = await lockedDraft(ctx, params.id);
  await ctx.db.deleteFrom('invoice').where('id', '=', params.id).execute();
  await log(ctx, 'deleted', params.id, row.corporation_id!, null);
  return { message: translate(ctx.locale, 'delete.done') };
};

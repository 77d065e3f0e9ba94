import type { getInvoice, invoiceLines, invoices } from '@heliograph/contract/invoices/invoice';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { sql } from 'kysely';
import type { Caller } from '#platform/context';
import { containing } from '#platform/database/like';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import type { ListContext } from '#platform/tasks/exported-list';

export type Row = ReplyOf<typeof invoices>['data'][number];
export type Filters = Omit<QueryOf<typeof invoices>, 'limit' | 'cursor'>;
type Whole = ReplyOf<typeof getInvoice>['data'];
type Line = ReplyOf<typeof invoiceLines>['data'][number];

/** State that people see. Days are counted in the buyer's time zone. */
const status = (now: Date) => sql<Row['status']>`CASE
  WHEN state = 'draft' THEN 'draft' WHEN kind <> 'invoice' THEN 'issued'
  WHEN credited >= payable AND credited > 0 THEN 'credited' WHEN paid + credited >= payable THEN 'paid'
  WHEN due_date < (${now.toISOString()}::timestamptz AT TIME ZONE timezone)::date THEN 'overdue'
  WHEN paid + credited > 0 THEN 'part_paid' ELSE 'open' END`;

const select = ({ db, clock }: Pick<ListContext, 'db' | 'clock'>) =>
  db.selectFrom('invoice_row').selectAll().select(status(clock.now()).as('status'));
type Stored = Awaited<ReturnType<ReturnType<typeof select>['executeTakeFirstOrThrow']>>;

const AMOUNTS = ['net', 'tax', 'rounding', 'payable', 'withholding', 'paid', 'credited'] as const;

function onWire(row: Stored): Row {
  const amounts = Object.fromEntries(AMOUNTS.map((field) => [field, fromThousandths(row[field]!)]));
  const owed = row.kind === 'invoice' && row.state === 'issued';
  const open = owed ? Math.max(0, row.payable! - row.paid! - row.credited!) : 0;
  return { ...row, ...amounts, open: fromThousandths(open) } as unknown as Row;
}

/** Returns the id in a cursor; null without one. Throws `malformed_request`. */
function placeOf(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  if (!/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  return Number(cursor);
}

/** Makes a page of one more row than it has, if there are more. */
function pageOf<R>(rows: readonly R[], limit: number, place: (row: R) => number) {
  const data = rows.slice(0, limit);
  const has_more = rows.length > data.length;
  return { data, next_cursor: has_more ? String(place(data.at(-1)!)) : null, has_more };
}

/** Reads a page of documents, newest first; with `issued` without drafts. */
export async function invoicePage(
  ctx: ListContext,
  query: Filters & { limit: number; cursor?: string | undefined; issued?: boolean },
) {
  const before = placeOf(query.cursor);
  const rows = await ctx.db
    .selectFrom(select(ctx).as('v'))
    .selectAll()
    .$if(query.issued === true, (q) => q.where('state', '=', 'issued'))
    .$if(query.status !== undefined, (q) => q.where('status', '=', query.status!))
    .$if(query.kind !== undefined, (q) => q.where('kind', '=', query.kind!))
    .$if(query.corporation_id !== undefined, (q) => q.where('corporation_id', '=', query.corporation_id!))
    .$if(query.billing_account_id !== undefined, (q) => q.where('billing_account_id', '=', query.billing_account_id!))
    .$if(!!query.number, (q) => q.where('number', 'ilike', containing(query.number!)))
    .$if(query.from !== undefined, (q) => q.where('issue_date', '>=', query.from!))
    .$if(query.to !== undefined, (q) => q.where('issue_date', '<=', query.to!))
    .$if(before !== null, (q) => q.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(query.limit + 1)
    .execute();
  return pageOf(rows.map(onWire), query.limit, ({ id }) => id);
}

/** Lists the documents that the caller issued or received. */
export const listInvoices: Handler<typeof invoices> = (ctx, { query }) => invoicePage(ctx, query);

/** Tells whether the caller acts for the seller of a document. */
export const sells = (caller: Pick<Caller, 'scope_level' | 'corporation_id'>, sellerId: number | null): boolean =>
  isAdministration(caller.scope_level) || (sellerId !== null && sellerId === caller.corporation_id);

/** Loads a document that the caller sees; throws `not_found`. */
export async function storedInvoice(ctx: Pick<ListContext, 'db' | 'clock'>, id: number): Promise<Stored> {
  const row = await select(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw new BusinessError('not_found');
  return row;
}

/** Loads a document that the caller sells; throws `not_found`, or `forbidden` for one that they received. */
export async function soldInvoice(ctx: ListContext, id: number): Promise<Stored> {
  const row = await storedInvoice(ctx, id);
  if (!sells(ctx.caller, row.seller_id)) throw new BusinessError('forbidden');
  return row;
}

/** Returns a document with its payments and credit notes. */
export async function wholeInvoice(ctx: ListContext, id: number): Promise<Whole> {
  const row = await storedInvoice(ctx, id);
  const { db } = ctx;
  const payments = await db
    .selectFrom('invoice_payment as p')
    .innerJoin('account_payment as a', 'a.id', 'p.payment_id')
    .select(['a.id', 'p.amount', 'a.created_at as paid_at', 'a.note'])
    .where('p.invoice_id', '=', id)
    .orderBy('a.id')
    .execute();
  const notes = await db
    .selectFrom('invoice')
    .select(['id', 'number', 'issue_date', 'payable'])
    .where('credited_invoice_id', '=', id)
    .where('state', '=', 'issued')
    .orderBy('id')
    .execute();
  const { lines, files } = await db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('invoice_line').select(sql<number>`count(*)`.as('n')).where('invoice_id', '=', id).as('lines'),
      selectFrom('invoice_document').select(sql<number>`count(*)`.as('n')).where('invoice_id', '=', id).as('files'),
    ])
    .executeTakeFirstOrThrow();
  const taxes = row.taxes as unknown as { tax_category: string; tax_rate: number; taxable: number; tax: number }[];
  return {
    ...onWire(row),
    sells: sells(ctx.caller, row.seller_id),
    lines: Number(lines),
    ready: Number(files) > 0,
    taxes: taxes.map((each) => ({
      ...each,
      tax_rate: fromThousandths(each.tax_rate),
      taxable: fromThousandths(each.taxable),
      tax: fromThousandths(each.tax),
    })),
    payments: payments.map((each) => ({ ...each, amount: fromThousandths(each.amount) })),
    credit_notes: notes.map((each) => ({ ...each, payable: fromThousandths(each.payable) })),
  } as unknown as Whole;
}

/** Returns one document. */
export const showInvoice: Handler<typeof getInvoice> = async (ctx, { params }) => ({
  data: await wholeInvoice(ctx, params.id),
});

/** Lists the lines of a document. */
export const listInvoiceLines: Handler<typeof invoiceLines> = async (ctx, { params, query }) => {
  await storedInvoice(ctx, params.id);
  const after = placeOf(query.cursor) ?? 0;
  const rows = await ctx.db
    .selectFrom('invoice_line as l')
    .select(['l.id', 'l.position', 'l.description', 'l.quantity', 'l.unit_price', 'l.tax_category', 'l.tax_rate'])
    .select(['l.amount', 'l.net'])
    .select(({ selectFrom }) =>
      selectFrom('invoice_line as n')
        .select(({ fn }) => fn.coalesce(fn.sum<number>('n.amount'), sql<number>`0`).as('credited'))
        .whereRef('n.credited_line_id', '=', 'l.id')
        .as('credited'),
    )
    .where('l.invoice_id', '=', params.id)
    .where('l.position', '>', after)
    .orderBy('l.position')
    .limit(query.limit + 1)
    .execute();
  const lines = rows.map((row) => ({
    ...row,
    quantity: fromThousandths(row.quantity),
    unit_price: fromThousandths(row.unit_price),
    tax_rate: fromThousandths(row.tax_rate),
    amount: fromThousandths(row.amount),
    net: fromThousandths(row.net),
    credited: fromThousandths(Number(row.credited)),
  })) as Line[];
  return pageOf(lines, query.limit, ({ position }) => position);
};

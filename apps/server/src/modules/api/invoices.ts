import * as contract from '@heliograph/contract/api/invoice';
import type { z } from 'zod';
import { invoicePage, readDocument, wholeInvoice } from '#modules/invoices';
import { requirePermission } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { KeyHolder } from './keyring.ts';
import { mountPublicOperation, type ProgramContext, type PublicApi } from './mount-public.ts';

type Shown = z.output<(typeof contract.listIssuedInvoices)['reply']>['data'][number];
type Row = Awaited<ReturnType<typeof invoicePage>>['data'][number];

const textOf = (id: number | null) => (id === null ? null : String(id));

/** Shows an issued document to its buyer. */
const shown = (row: Row): Shown => ({
  id: String(row.id),
  kind: row.kind,
  number: row.number!,
  status: row.status as Shown['status'],
  seller: row.seller_name ?? '',
  buyer: row.buyer_name,
  issue_date: row.issue_date!,
  due_date: row.due_date,
  period_from: row.period_from,
  period_to: row.period_to,
  currency: row.currency,
  net: row.net,
  tax: row.tax,
  rounding: row.rounding,
  total: row.payable,
  withholding: row.withholding,
  paid: row.paid,
  credited: row.credited,
  open: row.open,
  billing_account_id: textOf(row.billing_account_id),
  issued_at: row.issued_at!,
});

/** Finds a document that the key's corporation received. Throws `not_found`: a test key sees no money. */
async function received(ctx: ProgramContext, holder: KeyHolder, id: number) {
  if (ctx.is_test) throw new BusinessError('not_found');
  const invoice = await wholeInvoice(ctx, id);
  if (invoice.corporation_id !== holder.caller.corporation_id || invoice.status === 'draft')
    throw new BusinessError('not_found');
  return invoice;
}

/** Mounts the calls about the documents that a corporation received. */
export function invoiceRoutes(api: PublicApi): void {
  mountPublicOperation(api, contract.listIssuedInvoices, ({ holder, query, read }) =>
    read(async (ctx) => {
      if (ctx.is_test) return { data: [], next_cursor: null, has_more: false };
      requirePermission(ctx.caller, 'invoices-index');
      if (query.cursor !== undefined && !/^\d{1,15}$/.test(query.cursor)) throw new BusinessError('cursor_invalid');
      const own = { corporation_id: holder.caller.corporation_id!, issued: true };
      const { data, ...page } = await invoicePage(ctx, { ...query, ...own });
      return { data: data.map(shown), ...page };
    }),
  );
  mountPublicOperation(api, contract.getIssuedInvoice, ({ holder, params, read }) =>
    read(async (ctx) => {
      requirePermission(ctx.caller, 'invoices-show');
      const invoice = await received(ctx, holder, params.id);
      return {
        ...shown(invoice),
        reason: invoice.reason,
        credited_invoice_id: textOf(invoice.credited_invoice_id),
        files_ready: invoice.ready,
        taxes: invoice.taxes.map(({ tax_category: category, tax_rate: rate, taxable, tax }) => ({
          category,
          rate,
          taxable,
          tax,
        })),
        payments: invoice.payments.map(({ amount, paid_at }) => ({ amount, paid_at })),
        credit_notes: invoice.credit_notes.map(({ id, payable: total, ...note }) => ({
          ...note,
          id: String(id),
          total,
        })),
      };
    }),
  );
  for (const [operation, kind] of [
    [contract.getInvoicePdf, 'pdf'],
    [contract.getInvoiceXml, 'xml'],
  ] as const)
    mountPublicOperation(api, operation, ({ holder, params, read }) =>
      read(async (ctx) => {
        requirePermission(ctx.caller, 'invoices-download');
        await received(ctx, holder, params.id);
        return readDocument(ctx, params.id, kind);
      }),
    );
}

import { exportInvoices } from '@heliograph/contract/invoices/invoice';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { Handler } from '#platform/http/http';
import { amountCell } from '#platform/table/cells';
import { askForList, type ExportedList } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';
import { type Filters, invoicePage, type Row } from './invoice-rows.ts';
import { exportInvoiceListJob } from './jobs.ts';

const COLUMNS = [
  'number',
  'kind',
  'status',
  'corporation_name',
  'buyer_name',
  'seller_name',
  'issue_date',
  'due_date',
  'net',
  'tax',
  'payable',
  'paid',
  'credited',
  'open',
  'currency',
] as const;
const AMOUNTS = new Set<string>(['net', 'tax', 'payable', 'paid', 'credited', 'open']);

/** List of documents as a file. */
export const invoiceListFile: ExportedList<Filters, Row> = {
  kind: 'invoices',
  withoutNumbers: true,
  permission: exportInvoices.permission!,
  filters: exportInvoices.body.omit({ format: true }),
  page: invoicePage,
  heading: (_, locale) => COLUMNS.map((field) => translate(locale, `resources.invoices.fields.${field}`)),
  cells: (row, _, locale) =>
    COLUMNS.map((field) => {
      const value = row[field];
      if (value === null) return null;
      if (field === 'kind') return translate(locale, keyIn('invoice_kind', value));
      if (field === 'status') return translate(locale, keyIn('invoice_status', value));
      return AMOUNTS.has(field) ? amountCell(value) : value;
    }),
};

/** Puts a request for the list as a file into the queue. */
export const askForInvoices: Handler<typeof exportInvoices> = async (ctx, { body }) => {
  // A first row is read before the file is queued, so that a wrong filter is refused immediately.
  await invoicePage(ctx, { ...body, limit: 1 });
  return askForList(ctx, exportInvoiceListJob, invoiceListFile, body as never);
};

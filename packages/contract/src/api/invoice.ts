import { z } from 'zod';
import { TAX_CATEGORIES } from '../invoices/amounts.ts';
import { INVOICE_KINDS, INVOICE_STATUSES } from '../invoices/invoice.ts';
import { day, idText, instant } from '../kernel/fields.ts';
import { publicOperation } from '../kernel/public-operation.ts';
import { idString } from './message.ts';

const amount = z.string().describe('Decimal string with three decimals.');
/** States of documents that buyers see; they see no drafts. */
const STATUSES = INVOICE_STATUSES.filter((status) => status !== 'draft');

const invoice = z.object({
  id: idString,
  kind: z.enum(INVOICE_KINDS),
  number: z.string(),
  status: z.enum(STATUSES).describe('`issued` is the state of credit notes and receipts.'),
  seller: z.string(),
  buyer: z.string(),
  issue_date: day,
  due_date: day.nullable(),
  period_from: day.nullable(),
  period_to: day.nullable(),
  currency: z.string(),
  net: amount,
  tax: amount,
  rounding: amount.describe('Difference between the total and the sum with tax, if prices include tax.'),
  total: amount,
  withholding: amount.describe('Part of the total that you are expected to withhold and to pay to the tax authority.'),
  paid: amount,
  credited: amount.describe('Sum of the credit notes for it.'),
  open: amount.describe('Still to be paid.'),
  billing_account_id: idString.nullable().describe('Account whose payments pay it.'),
  issued_at: instant,
});

const params = z.object({ id: idText });

export const listIssuedInvoices = publicOperation({
  name: 'listInvoices',
  method: 'GET',
  path: '/v1/invoices',
  scope: 'invoices:read',
  tag: 'Account',
  summary: 'List the invoices, credit notes and receipts that you received',
  description: 'Newest first. A test key gets an empty list.',
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(40).optional().describe('`next_cursor` of the previous page.'),
    kind: z.enum(INVOICE_KINDS).optional(),
    status: z.enum(STATUSES).optional(),
    from: day.optional().describe('First day of issue.'),
    to: day.optional().describe('Last day of issue.'),
  }),
  reply: z.object({ data: z.array(invoice), next_cursor: z.string().nullable(), has_more: z.boolean() }),
  errors: ['cursor_invalid'],
});

export const getIssuedInvoice = publicOperation({
  name: 'getInvoice',
  method: 'GET',
  path: '/v1/invoices/:id',
  scope: 'invoices:read',
  tag: 'Account',
  summary: 'Get an invoice, credit note or receipt',
  description:
    'An issued document never changes; `status`, `paid`, `credited` and `open` follow payments and credit notes.',
  params,
  reply: invoice.extend({
    reason: z.string().nullable().describe('Reason of a credit note.'),
    credited_invoice_id: idString.nullable().describe('Invoice that a credit note is about.'),
    files_ready: z.boolean().describe('The files can be downloaded, usually a few seconds after the issue.'),
    taxes: z.array(
      z.object({
        category: z.enum(TAX_CATEGORIES),
        rate: z.string().describe('Percentage.'),
        taxable: amount,
        tax: amount,
      }),
    ),
    payments: z.array(z.object({ amount, paid_at: instant })).describe('Parts of payments that paid it.'),
    credit_notes: z.array(z.object({ id: idString, number: z.string(), issue_date: day, total: amount })),
  }),
  errors: ['not_found'],
});

const file = (name: string, kind: 'pdf' | 'xml', { summary, description }: { summary: string; description: string }) =>
  publicOperation({
    name,
    method: 'GET',
    path: `/v1/invoices/:id/${kind}`,
    scope: 'invoices:read',
    tag: 'Account',
    summary,
    description: `${description} The same bytes every time. \`invoice_preparing\`: try again in a few seconds.`,
    params,
    reply: z.string(),
    media: kind === 'pdf' ? 'application/pdf' : 'application/xml',
    errors: ['not_found', 'invoice_preparing'],
  });

export const getInvoicePdf = file('getInvoicePdf', 'pdf', {
  summary: 'Download a document as PDF',
  description: 'PDF/A-3b in your language. The EN 16931 data of an invoice is embedded (Factur-X).',
});

export const getInvoiceXml = file('getInvoiceXml', 'xml', {
  summary: 'Download the data of an invoice as XML',
  description: 'Cross Industry Invoice by EN 16931, with all lines. Receipts have none.',
});

import { z } from 'zod';
import { day, idText, instant, label, money, reference, text } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply, idParams, oneReply } from '../kernel/resource.ts';
import { LOCALES } from '../kernel/scope.ts';
import { reportExport } from '../reports/report-file.ts';
import { TAX_CATEGORIES } from './amounts.ts';
import { percentage } from './invoice-issuer.ts';

export const INVOICE_KINDS = ['invoice', 'credit_note', 'receipt'] as const;

/** States that people see. All but `draft` and `issued` follow from payments, credit notes and the due date. */
export const INVOICE_STATUSES = ['draft', 'open', 'part_paid', 'overdue', 'paid', 'credited', 'issued'] as const;

const signed = money({ signed: true });

const row = z.object({
  id: z.int(),
  kind: z.enum(INVOICE_KINDS),
  status: z.enum(INVOICE_STATUSES),
  /** Null for a draft. */
  number: z.string().nullable(),
  corporation_id: z.int(),
  corporation_name: z.string(),
  seller_name: z.string().nullable(),
  buyer_name: z.string(),
  billing_account_id: z.int().nullable(),
  billing_account_name: z.string().nullable(),
  currency: z.string(),
  issue_date: day.nullable(),
  due_date: day.nullable(),
  period_from: day.nullable(),
  period_to: day.nullable(),
  net: signed,
  tax: signed,
  /** Difference between what is payable and the sum with tax, if prices include tax. */
  rounding: signed,
  payable: signed,
  /** Part of it that the buyer is expected to withhold and to pay to the tax authority. */
  withholding: signed,
  paid: signed,
  credited: signed,
  /** Still to be paid; zero for credit notes and receipts. */
  open: signed,
  created_at: instant,
  issued_at: instant.nullable(),
});

/** Lists the documents that the caller issued or received, newest first. Drafts are only seen by their seller. */
export const invoices = listing({
  path: '/api/v1/invoices',
  permission: 'invoices-index',
  row,
  filters: z.object({
    status: z.enum(INVOICE_STATUSES).optional(),
    kind: z.enum(INVOICE_KINDS).optional(),
    corporation_id: z.coerce.number().int().optional(),
    billing_account_id: z.coerce.number().int().optional(),
    /** Part of a number. */
    number: z.string().trim().max(40).optional(),
    /** First and last day of issue. */
    from: day.optional(),
    to: day.optional(),
  }),
});

/** Document with its payments and credit notes. */
export const wholeInvoice = row.extend({
  /** True if the caller sells: drafts, issuing and credit notes are theirs. */
  sells: z.boolean(),
  prices_include_tax: z.boolean(),
  payment_days: z.int(),
  language: z.enum(LOCALES),
  reference: z.string().nullable(),
  note: z.string().nullable(),
  reason: z.string().nullable(),
  credited_invoice_id: z.int().nullable(),
  credited_number: z.string().nullable(),
  user_name: z.string().nullable(),
  lines: z.int(),
  taxes: z.array(
    z.object({ tax_category: z.enum(TAX_CATEGORIES), tax_rate: percentage, taxable: signed, tax: signed }),
  ),
  /** Files are ready to be downloaded. */
  ready: z.boolean(),
  payments: z.array(z.object({ id: z.int(), amount: signed, paid_at: instant, note: z.string().nullable() })),
  credit_notes: z.array(z.object({ id: z.int(), number: z.string(), issue_date: day, payable: signed })),
});

export const getInvoice = operation({
  method: 'GET',
  path: '/api/v1/invoices/:id',
  permission: 'invoices-show',
  params: idParams,
  reply: oneReply(wholeInvoice),
  errors: ['not_found'],
});

/** Lists the lines of a document in their order. */
export const invoiceLines = listing({
  path: '/api/v1/invoices/:id/lines',
  permission: 'invoices-show',
  params: z.object({ id: idText }),
  row: z.object({
    id: z.int(),
    position: z.int(),
    description: z.string(),
    quantity: signed,
    unit_price: money(),
    tax_category: z.enum(TAX_CATEGORIES),
    tax_rate: percentage,
    amount: signed,
    net: signed,
    /** Amount that credit notes have taken back. */
    credited: signed,
  }),
  filters: z.object({}),
  errors: ['not_found'],
});

/** Line that a person writes. Its tax is that of the seller and buyer unless it names a category. */
export const draftLine = z.object({
  description: label(300),
  quantity: money({ digits: 9, signed: true }),
  unit_price: money({ digits: 9 }),
  tax_category: z.enum(['standard', 'zero', 'exempt']).optional(),
});

/** Most lines that are written or changed by one call. */
export const LINES_AT_ONCE = 500;

const draft = z.object({
  /** Account whose payments pay it. */
  billing_account_id: reference('billing-accounts').nullable().optional(),
  payment_days: z.int().min(0).max(365).optional(),
  period_from: day.nullable().optional(),
  period_to: day.nullable().optional(),
  reference: label(100).nullable().optional(),
  note: text(500).nullable().optional(),
  lines: z.array(draftLine).min(1).max(LINES_AT_ONCE),
});

/** Writes a draft. It has no number, and only its seller sees it. */
export const draftInvoice = operation({
  method: 'POST',
  path: '/api/v1/invoices',
  permission: 'invoices-create',
  body: draft.extend({ corporation_id: reference('corporations') }),
  reply: oneReply(wholeInvoice),
  errors: ['invoice_issuer_missing', 'invoice_too_large'],
  status: 201,
});

export const changeInvoice = operation({
  method: 'PATCH',
  path: '/api/v1/invoices/:id',
  permission: 'invoices-create',
  params: idParams,
  body: draft.partial().extend({
    /**
     * Changes of some lines, by their ids, instead of all `lines`. Lines keep their order, and new ones come last. The ids of
     * all lines are new afterwards.
     */
    line_changes: z
      .object({
        changed: z.array(draftLine.extend({ id: z.int() })).max(LINES_AT_ONCE),
        removed: z.array(z.int()).max(LINES_AT_ONCE),
        added: z.array(draftLine).max(LINES_AT_ONCE),
      })
      .optional(),
  }),
  reply: oneReply(wholeInvoice),
  errors: ['not_found', 'invoice_issued', 'invoice_too_large', 'changed_meanwhile'],
});

/** Deletes a draft. Issued documents stay. */
export const discardInvoice = operation({
  method: 'DELETE',
  path: '/api/v1/invoices/:id',
  permission: 'invoices-create',
  params: idParams,
  reply: doneReply,
  errors: ['not_found', 'invoice_issued'],
});

/** Gives a draft the next number of its series and makes it final. */
export const issueInvoice = operation({
  method: 'POST',
  path: '/api/v1/invoices/:id/issue',
  permission: 'invoices-issue',
  params: idParams,
  reply: oneReply(wholeInvoice),
  errors: ['not_found', 'invoice_issued', 'invoice_buyer_missing', 'invoice_negative'],
});

/**
 * Issues a credit note for an invoice: for all that is not credited yet, or for amounts of its lines. An amount is as
 * the line is priced.
 */
export const creditInvoice = operation({
  method: 'POST',
  path: '/api/v1/invoices/:id/credit',
  permission: 'invoices-credit',
  params: idParams,
  body: z.object({
    reason: label(200),
    lines: z
      .array(z.object({ position: z.int().positive(), amount: money() }))
      .min(1)
      .max(LINES_AT_ONCE)
      .optional(),
  }),
  reply: oneReply(wholeInvoice),
  errors: ['not_found', 'invoice_not_open', 'invoice_buyer_missing'],
  status: 201,
});

/** Returns the terms of a new invoice to a corporation: the profiles of both sides decide them. */
export const invoiceTerms = operation({
  method: 'GET',
  path: '/api/v1/invoices/terms',
  permission: 'invoices-create',
  query: z.object({ corporation_id: idText }),
  reply: z.object({
    data: z.object({
      currency: z.string(),
      prices_include_tax: z.boolean(),
      payment_days: z.int(),
      tax_registered: z.boolean(),
      tax_rate: percentage,
      tax_treatment: z.enum(['standard', 'zero', 'exempt']),
      withholding_rate: percentage,
      /** Whether the buyer has a profile; without it nothing can be issued. */
      buyer: z.boolean(),
    }),
  }),
  errors: ['invoice_issuer_missing'],
});

const file = (kind: 'pdf' | 'xml') =>
  operation({
    method: 'GET',
    path: `/api/v1/invoices/:id/${kind}`,
    permission: 'invoices-download',
    params: idParams,
    reply: z.string(),
    errors: ['not_found', 'invoice_preparing'],
  });

/** File of an issued document, as it was stored when it was issued. */
export const invoicePdf = file('pdf');
export const invoiceXml = file('xml');

/** Writes the same rows as the list to a file. */
export const exportInvoices = reportExport({
  path: '/api/v1/invoices/exports',
  permission: 'invoices-download',
  filters: invoices.query.omit({ limit: true, cursor: true }),
});

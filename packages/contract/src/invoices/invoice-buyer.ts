import { z } from 'zod';
import { day, email, label, reference, text } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';
import { LOCALES } from '../kernel/scope.ts';
import { country } from './invoice-issuer.ts';

/** Lines of an invoice for a month: one for each network and price, or for each campaign. */
export const INVOICE_LINES = ['network', 'campaign'] as const;

const input = z.object({
  corporation_id: reference('corporations'),
  legal_name: label(200),
  address: text(300).min(1),
  postal_code: label(20).nullable(),
  city: label(100),
  country,
  contact_name: label(100).nullable(),
  /** Address that gets its documents and reminders; none are sent without it. */
  email: email.nullable(),
  language: z.enum(LOCALES).nullable(),
  reference: label(100).nullable(),
  tax_number: label(40).nullable(),
  registration_number: label(40).nullable(),
  tax_treatment: z.enum(['standard', 'zero', 'exempt']),
  exempt_reason: label(200).nullable(),
  withholds: z.boolean(),
  /** Month from which its postpaid accounts are invoiced by themselves; none without it. */
  invoices_from: day.nullable(),
  invoice_lines: z.enum(INVOICE_LINES),
});

/** Buyer as it appears on the documents that it receives. */
export const invoiceBuyer = resource({
  name: 'invoice-buyers',
  row: input.extend({ corporation_name: z.string() }),
  create: input.extend({
    postal_code: input.shape.postal_code.default(null),
    contact_name: input.shape.contact_name.default(null),
    email: input.shape.email.default(null),
    language: input.shape.language.default(null),
    reference: input.shape.reference.default(null),
    tax_number: input.shape.tax_number.default(null),
    registration_number: input.shape.registration_number.default(null),
    tax_treatment: input.shape.tax_treatment.default('standard'),
    exempt_reason: input.shape.exempt_reason.default(null),
    withholds: z.boolean().default(false),
    invoices_from: input.shape.invoices_from.default(null),
    invoice_lines: input.shape.invoice_lines.default('network'),
  }),
  update: input.omit({ corporation_id: true }).partial(),
  filters: z.object({ corporation_id: z.coerce.number().int().optional() }),
  sort: ['legal_name', 'created_at'],
  title: 'legal_name',
  groups: {
    buyer: ['corporation_id', 'legal_name', 'address', 'postal_code', 'city', 'country'],
    contact: ['email', 'contact_name', 'language', 'reference'],
    month_end: ['invoices_from', 'invoice_lines'],
    tax: ['tax_number', 'registration_number', 'tax_treatment', 'exempt_reason', 'withholds'],
  },
  conflicts: { invoice_buyer_corporation_id_key: 'invoice_buyer_already_exists' },
});

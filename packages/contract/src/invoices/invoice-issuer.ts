import { z } from 'zod';
import { email, label, money, reference, text } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

/** Wordings of documents by the law of a country. */
export const INVOICE_PRESETS = ['general', 'philippines'] as const;
export type InvoicePreset = (typeof INVOICE_PRESETS)[number];

/** Country by its two letters (ISO 3166-1). */
export const country = z.string().regex(/^[A-Z]{2}$/, { error: 'country_code' });

/** Percentage with up to three decimals, kept in thousandths of a percent as amounts are. */
export const percentage = money({ digits: 2 });

/** Beginning of a series' numbers. */
const prefix = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9][A-Za-z0-9/._-]{0,15}$/, { error: 'invoice_prefix' });

const input = z.object({
  /** Reseller whose customers get the documents; empty for the platform. */
  corporation_id: reference('corporations').nullable(),
  preset: z.enum(INVOICE_PRESETS),
  legal_name: label(200),
  /** Street and house, one or more lines. */
  address: text(300).min(1),
  postal_code: label(20).nullable(),
  city: label(100),
  country,
  email: email.nullable(),
  phone: label(40).nullable(),
  tax_number: label(40),
  registration_number: label(40).nullable(),
  permit_number: label(200).nullable(),
  tax_registered: z.boolean(),
  tax_rate: percentage,
  exempt_reason: label(200).nullable(),
  withholding_rate: percentage,
  /** Prices, and therefore the amounts of accounts, include tax. */
  prices_include_tax: z.boolean(),
  payment_days: z.int().min(0).max(365),
  bank_name: label(100).nullable(),
  bank_account: label(50).nullable(),
  bank_code: label(20).nullable(),
  note: text(500).nullable(),
  invoice_prefix: prefix,
  credit_note_prefix: prefix,
  receipt_prefix: prefix,
  number_digits: z.int().min(1).max(10),
  number_yearly: z.boolean(),
  first_number: z.int().min(1).max(9_999_999_999),
  /** Month-end invoices are issued as they are made; otherwise they wait as drafts. */
  issue_automatically: z.boolean(),
  /** Payments into prepaid accounts get a receipt. */
  receipts: z.boolean(),
  /** Documents are mailed to buyers that have an address for them. */
  mail_documents: z.boolean(),
  /** Days before and after the due date on which buyers are reminded, each once. */
  remind_before: z.int().min(0).max(60).nullable(),
  remind_after: z.int().min(1).max(60).nullable(),
});

/** Seller as it appears on its documents: the platform, or a reseller. */
export const invoiceIssuer = resource({
  name: 'invoice-issuers',
  row: input.extend({
    corporation_name: z.string().nullable(),
    /** Next number of each series that has begun. */
    series: z.array(z.object({ prefix: z.string(), next_number: z.int() })),
  }),
  create: input.extend({
    corporation_id: input.shape.corporation_id.default(null),
    preset: input.shape.preset.default('general'),
    postal_code: input.shape.postal_code.default(null),
    email: input.shape.email.default(null),
    phone: input.shape.phone.default(null),
    registration_number: input.shape.registration_number.default(null),
    permit_number: input.shape.permit_number.default(null),
    tax_registered: z.boolean().default(true),
    tax_rate: percentage.default('0.000'),
    exempt_reason: input.shape.exempt_reason.default(null),
    withholding_rate: percentage.default('0.000'),
    prices_include_tax: z.boolean().default(true),
    payment_days: input.shape.payment_days.default(15),
    bank_name: input.shape.bank_name.default(null),
    bank_account: input.shape.bank_account.default(null),
    bank_code: input.shape.bank_code.default(null),
    note: input.shape.note.default(null),
    invoice_prefix: prefix.default('INV-'),
    credit_note_prefix: prefix.default('CN-'),
    receipt_prefix: prefix.default('RC-'),
    number_digits: input.shape.number_digits.default(5),
    number_yearly: z.boolean().default(true),
    first_number: input.shape.first_number.default(1),
    issue_automatically: z.boolean().default(false),
    receipts: z.boolean().default(false),
    mail_documents: z.boolean().default(false),
    remind_before: input.shape.remind_before.default(null),
    remind_after: input.shape.remind_after.default(null),
  }),
  update: input.omit({ corporation_id: true }).partial(),
  filters: z.object({}),
  sort: ['legal_name', 'created_at'],
  title: 'legal_name',
  groups: {
    seller: ['preset', 'corporation_id', 'legal_name', 'address', 'postal_code', 'city', 'country', 'email', 'phone'],
    tax: [
      'tax_number',
      'registration_number',
      'permit_number',
      'tax_registered',
      'tax_rate',
      'prices_include_tax',
      'exempt_reason',
      'withholding_rate',
    ],
    payment: ['payment_days', 'bank_name', 'bank_account', 'bank_code', 'note'],
    automatic: ['issue_automatically', 'receipts', 'mail_documents', 'remind_before', 'remind_after'],
    numbers: [
      'invoice_prefix',
      'credit_note_prefix',
      'receipt_prefix',
      'number_yearly',
      'number_digits',
      'first_number',
    ],
  },
  conflicts: { invoice_issuer_corporation_id_key: 'invoice_issuer_already_exists' },
});

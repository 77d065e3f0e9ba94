import { z } from 'zod';
import { currency } from '../exchange-rates/exchange-rate.ts';
import { bulkUploadOf } from '../kernel/bulk-upload.ts';
import { cost, day, idText, instant, reference } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { doneReply, idParams, oneReply } from '../kernel/resource.ts';
import { timeZone } from '../kernel/time-zones.ts';
import { reportExport } from '../reports/report-file.ts';

/** Fields of the columns of a carrier's invoice or list of messages; `mccmnc` is both codes in one column. */
export const INVOICE_COLUMNS = [
  'message_id',
  'day',
  'network',
  'mccmnc',
  'mcc',
  'mnc',
  'parts',
  'price',
  'amount',
  'currency',
  'state',
] as const;
export type InvoiceColumn = (typeof INVOICE_COLUMNS)[number];

/** Forms of the message ids in a carrier's file, compared with those in its answers. */
export const INVOICE_ID_FORMS = ['as_is', 'hex_to_decimal', 'decimal_to_hex'] as const;

/**
 * Kinds of differences, in the order in which they are looked for; a line has the first that applies. `cost_unknown`:
 * no card of the link has a cost for it.
 */
export const INVOICE_DIFFERENCES = [
  'missing_here',
  'missing_there',
  'count',
  'state',
  'cost_unknown',
  'price',
] as const;

/** Differences of one kind, added up. */
const kindSum = z.object({
  kind: z.enum(INVOICE_DIFFERENCES),
  lines: z.int(),
  carrier_amount: cost({ signed: true }),
  own_amount: cost({ signed: true }),
});

const sums = z.object({
  carrier_parts: z.int(),
  carrier_amount: cost({ signed: true }),
  own_parts: z.int(),
  /** Cost of the own parts by the link's cards. */
  own_amount: cost({ signed: true }),
  /** Own parts whose cost is unknown; they are not in `own_amount`. */
  own_unknown: z.int(),
});

/** Carrier's invoice or list of messages that was compared with the traffic recorded here. */
const carrierInvoice = sums.extend({
  id: z.int(),
  link_id: reference('links'),
  link_name: z.string(),
  file_name: z.string(),
  /** True if the file has a message id in each row; otherwise it has sums. */
  by_message: z.boolean(),
  from: day,
  to: day,
  timezone: z.string(),
  currency,
  user_name: z.string().nullable(),
  created_at: instant,
  /** Differences of sums by day and network. */
  sum_differences: z.array(kindSum),
  /** Differences of messages; empty for a file of sums. */
  message_differences: z.array(kindSum),
});

/** Lists the compared files, the newest first. */
export const carrierInvoices = listing({
  path: '/api/v1/carrier-invoices',
  permission: 'carrier-invoices-index',
  row: carrierInvoice,
  filters: z.object({ link_id: z.coerce.number().int().optional() }),
});

export const getCarrierInvoice = operation({
  method: 'GET',
  path: '/api/v1/carrier-invoices/:id',
  permission: 'carrier-invoices-index',
  params: idParams,
  reply: oneReply(carrierInvoice),
  errors: ['not_found'],
});

/** Deletes a comparison, so that the same file can be compared again. */
export const deleteCarrierInvoice = operation({
  method: 'DELETE',
  path: '/api/v1/carrier-invoices/:id',
  permission: 'carrier-invoices-delete',
  params: idParams,
  reply: doneReply,
  errors: ['not_found'],
});

const lineFilters = z.object({
  /** `sums`: days and networks. `messages`: messages that differ. */
  level: z.enum(['sums', 'messages']).default('sums'),
  kind: z.enum(INVOICE_DIFFERENCES).optional(),
  day: day.optional(),
  network: z.string().max(100).optional(),
});

/**
 * Lists the lines of a comparison: each day and network, or each message that differs, at most 100,000 of them. The
 * sums of the comparison count all.
 */
export const carrierInvoiceLines = listing({
  path: '/api/v1/carrier-invoices/:id/lines',
  permission: 'carrier-invoices-index',
  params: z.object({ id: idText }),
  row: z.object({
    id: z.int(),
    /** Null if both sides agree. */
    kind: z.enum(INVOICE_DIFFERENCES).nullable(),
    day: day.nullable(),
    /** Name of the network; as the carrier wrote it if it is not known here. Empty if the file names none. */
    network: z.string(),
    /** Carrier's id of the message, and the own one if it was found. */
    carrier_id: z.string().nullable(),
    message_id: z.int().nullable(),
    carrier_parts: z.int(),
    carrier_amount: cost({ signed: true }).nullable(),
    carrier_state: z.enum(['delivered', 'undelivered']).nullable(),
    own_parts: z.int(),
    own_amount: cost({ signed: true }).nullable(),
    own_state: z.enum(['delivered', 'undelivered']).nullable(),
    currency,
  }),
  filters: lineFilters,
  errors: ['not_found'],
});

/** Writes the lines of a comparison to a file. */
export const exportCarrierInvoice = reportExport({
  path: '/api/v1/carrier-invoices/exports',
  permission: 'carrier-invoices-download',
  filters: lineFilters.extend({ carrier_invoice_id: z.int() }),
  errors: ['not_found'],
});

/**
 * Compares a carrier's invoice or list of messages with the traffic of its link. The columns are found by the names that
 * carriers use, then by those that were assigned for the link before; `columns` assigns others, such as
 * `Ref = message_id, Total = amount`.
 */
export const uploadCarrierInvoice = bulkUploadOf(
  'carrier-invoices',
  'carrier-invoices-upload',
  z.object({
    link_id: idText,
    currency,
    /** First and last day of the file, in its time zone. */
    from: day,
    to: day,
    timezone: timeZone,
    id_form: z.enum(INVOICE_ID_FORMS).default('as_is'),
    /** Difference of a line's amounts that is no difference, such as 0.01 for rounded sums. */
    tolerance: cost().default('0'),
    columns: z.string().trim().max(1000).optional(),
  }),
);

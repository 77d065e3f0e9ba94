import { z } from 'zod';
import { day, idText, instant, money } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { shownTimeZone } from '../kernel/time-zones.ts';
import { reportExport } from '../reports/report-file.ts';

export const CREDIT_CHANGE_KINDS = [
  'payment',
  'reservation',
  'charge',
  'release',
  'refund',
  'commitment',
  'correction',
] as const;

const filters = z.object({
  billing_account_id: z.coerce.number().int().optional(),
  campaign_id: z.coerce.number().int().optional(),
  kind: z.enum(CREDIT_CHANGE_KINDS).optional(),
  /** Days in the caller's time zone, both included; at most one month within the last twelve. Both or none. */
  from: day.optional(),
  to: day.optional(),
});

/**
 * Movements of credit, newest first. What a campaign (or the traffic outside campaigns) is charged, and what is given
 * back to it, is one row a quarter of an hour; everything else is a row of its own.
 */
export const creditChanges = listing({
  path: '/api/v1/credit-changes',
  permission: 'credit-changes-index',
  row: z.object({
    id: z.int(),
    created_at: instant,
    /** When the last of its transfers was posted. */
    last_at: instant,
    /** Transfers of the ledger in it, and the first and last of their ids. */
    transfers: z.int(),
    first_transfer_id: z.int(),
    last_transfer_id: z.int(),
    billing_account_id: z.int(),
    billing_account_name: z.string(),
    kind: z.enum(CREDIT_CHANGE_KINDS),
    /** Money that moved: given to the account (positive) or taken from it, by a charge from what was reserved. */
    amount: money({ signed: true }),
    /** What the line changes of the credit that may still be spent; nothing, where it is a charge. */
    balance_change: money({ signed: true }),
    /** The credit behind this line: that of the line before with its change. The newest line's is the account's. */
    balance_after: money({ signed: true }),
    /** What the line changes of the money that is reserved, and how much is reserved behind it. */
    reserved_change: money({ signed: true }),
    reserved_after: money({ signed: true }),
    currency: z.string(),
    campaign_id: z.int().nullable(),
    campaign_name: z.string().nullable(),
    user_name: z.string().nullable(),
    note: z.string().nullable(),
  }),
  filters,
});

/** The ledger's transfers that a row of the credit changes adds up, oldest first. */
export const creditChangeTransfers = listing({
  path: '/api/v1/credit-changes/:id/transfers',
  permission: 'credit-changes-index',
  params: z.object({ id: idText }),
  row: z.object({
    id: z.int(),
    created_at: instant,
    amount: money({ signed: true }),
    balance_after: money({ signed: true }),
  }),
  filters: z.object({}),
  errors: ['not_found'],
});

/** The same as a file; a period is needed. */
export const exportCreditChanges = reportExport({
  path: '/api/v1/credit-changes/exports',
  permission: 'credit-changes-download',
  filters: filters.extend({ from: day, to: day }),
});

/**
 * The top bar's badge: what the caller's account still holds, or owes. To be read again when `billing.balance` arrives
 * on the corporation's channel.
 */
export const totalOutstandingNotify = operation({
  method: 'GET',
  path: '/api/v1/total-outstanding-notify',
  permission: null,
  reply: z.object({
    label: z.string(),
    amount: money({ signed: true }),
    currency: z.string(),
    type: z.enum(['prepaid', 'postpaid', 'none']),
  }),
});

/** The money of one account in one month of its time zone, made when the month is over. */
export const statements = listing({
  path: '/api/v1/statements',
  permission: 'credit-changes-index',
  row: z.object({
    id: z.int(),
    billing_account_id: z.int(),
    billing_account_name: z.string(),
    corporation_name: z.string(),
    currency: z.string(),
    timezone: shownTimeZone,
    /** Such as `2026-01`. */
    month: z.string(),
    /** Payments less charges at the start and the end; reservations count for neither. */
    opening_balance: money({ signed: true }),
    payments: money({ signed: true }),
    charges: money({ signed: true }),
    refunds: money({ signed: true }),
    commitment: money({ signed: true }),
    corrections: money({ signed: true }),
    closing_balance: money({ signed: true }),
    created_at: instant,
  }),
  filters: z.object({ billing_account_id: z.coerce.number().int().optional() }),
});

const params = z.object({ id: idText });

export const statementPdf = operation({
  method: 'GET',
  path: '/api/v1/statements/:id/pdf',
  permission: 'credit-changes-download',
  params,
  reply: z.string(),
  errors: ['not_found'],
});

export const statementCsv = operation({
  method: 'GET',
  path: '/api/v1/statements/:id/csv',
  permission: 'credit-changes-download',
  params,
  reply: z.string(),
  errors: ['not_found'],
});

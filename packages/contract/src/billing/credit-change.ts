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
  'transfer',
  'discount',
] as const;

const filters = z.object({
  billing_account_id: z.coerce.number().int().optional(),
  campaign_id: z.coerce.number().int().optional(),
  kind: z.enum(CREDIT_CHANGE_KINDS).optional(),
  /** Days in the caller's time zone, both included; at most one month within the last twelve. Give both or none. */
  from: day.optional(),
  to: day.optional(),
});

/**
 * Lists movements of credit, newest first. Charges to a campaign, and amounts given back to it, are added up to one row
 * per quarter of an hour; so is the traffic outside campaigns. Everything else is a row of its own.
 */
export const creditChanges = listing({
  path: '/api/v1/credit-changes',
  permission: 'credit-changes-index',
  row: z.object({
    id: z.int(),
    created_at: instant,
    /** Time at which the last transfer of the row was posted. */
    last_at: instant,
    /** Number of ledger transfers in the row, and the first and last of their ids. */
    transfers: z.int(),
    first_transfer_id: z.int(),
    last_transfer_id: z.int(),
    billing_account_id: z.int(),
    billing_account_name: z.string(),
    kind: z.enum(CREDIT_CHANGE_KINDS),
    /** Money that moved: positive to the account, negative from it. A charge takes it from the reserved money. */
    amount: money({ signed: true }),
    /** Change of the credit that can still be spent; zero for a charge. */
    balance_change: money({ signed: true }),
    /** Credit after this line: that of the line before plus the change. The newest line has the account's credit. */
    balance_after: money({ signed: true }),
    /** Change of the reserved money, and the money reserved after this line. */
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

/** Lists the ledger transfers that a row of the credit changes adds up, oldest first. */
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

/** Writes the same rows to a file; a period is required. */
export const exportCreditChanges = reportExport({
  path: '/api/v1/credit-changes/exports',
  permission: 'credit-changes-download',
  filters: filters.extend({ from: day, to: day }),
});

/**
 * Returns the badge of the top bar: the money that the caller's account still has, or owes. Call it again when
 * `billing.balance` arrives on the corporation's channel.
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

/** Lists statements: the money of one account in one month of its time zone. They are made when the month is over. */
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
    /** Month, such as `2026-01`. */
    month: z.string(),
    /** Payments less charges at the start and at the end of the month; reservations do not count. */
    opening_balance: money({ signed: true }),
    payments: money({ signed: true }),
    charges: money({ signed: true }),
    refunds: money({ signed: true }),
    commitment: money({ signed: true }),
    corrections: money({ signed: true }),
    /** Received from other accounts, less what was given to them. */
    transfers: money({ signed: true }),
    /** Volume discount of the month. */
    discounts: money({ signed: true }),
    closing_balance: money({ signed: true }),
    created_at: instant,
    /** Time at which it was made again, after its month was opened again and corrected; null if it never was. */
    revised_at: instant.nullable(),
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

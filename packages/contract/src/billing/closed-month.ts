import { z } from 'zod';
import { idText, instant, label, month } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';

/** Lines of the list that is checked before a month is closed; the last three are the platform's. */
export const MONTH_CHECKS = [
  'ledger',
  'statements',
  'statement_sums',
  'invoices',
  'costs',
  'carrier_invoices',
  'exchange_rates',
] as const;

const check = z.object({
  name: z.enum(MONTH_CHECKS),
  /** Number of things that are missing or wrong; 0 if the line is done. */
  missing: z.int(),
  /** True if the month cannot be closed before the line is done. */
  blocks: z.boolean(),
});

const row = z.object({
  /** Id of the closed month; null while it is open. */
  id: z.int().nullable(),
  month,
  /** Seller that closed it, by name; null for the platform. */
  seller_name: z.string().nullable(),
  /** True for a month of the caller's own. */
  own: z.boolean(),
  closed_at: instant.nullable(),
  /** True if it was closed, opened again and is open now: entries of it can be corrected. */
  reopened: z.boolean(),
  closed_by_name: z.string().nullable(),
  /** Reason for which somebody asked to open it again. */
  reopen_note: z.string().nullable(),
  reopen_asked_by_name: z.string().nullable(),
  /** True if the caller may confirm that it is opened again: another person asked. */
  reopenable: z.boolean(),
});

/** Lists the last 13 months of the caller's own sales, newest first; for the platform also the closed ones of resellers. */
export const closedMonths = operation({
  method: 'GET',
  path: '/api/v1/closed-months',
  permission: 'closed-months-index',
  reply: z.object({ data: z.array(row) }),
});

/** Checks what is missing before the caller's month can be closed. */
export const checkMonth = operation({
  method: 'GET',
  path: '/api/v1/closed-months/checks',
  permission: 'closed-months-index',
  query: z.object({ month }),
  reply: z.object({ data: z.array(check) }),
});

/**
 * Closes the caller's month and all earlier ones. Their entries cannot be written any more: corrections, refunds and late
 * receipts are entries of the open month.
 */
export const closeMonth = operation({
  method: 'POST',
  path: '/api/v1/closed-months',
  permission: 'closed-months-create',
  body: z.object({ month }),
  reply: z.object({ data: z.array(row) }),
  status: 201,
  errors: ['month_not_complete', 'month_closed'],
});

const params = z.object({ id: idText });

/** Asks to open the newest closed month of a seller again, with the reason. Another person confirms it. */
export const askToReopenMonth = operation({
  method: 'POST',
  path: '/api/v1/closed-months/:id/reopen-request',
  permission: 'closed-months-reopen',
  params,
  body: z.object({ note: label(200) }),
  reply: z.object({ data: z.array(row) }),
  errors: ['not_found', 'month_not_newest'],
});

/** Opens a month again, after another person of the platform has asked for it. */
export const reopenMonth = operation({
  method: 'POST',
  path: '/api/v1/closed-months/:id/reopen',
  permission: 'closed-months-reopen',
  params,
  reply: z.object({ data: z.array(row) }),
  errors: ['not_found', 'month_not_newest', 'month_second_person'],
});

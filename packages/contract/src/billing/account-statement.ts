import { z } from 'zod';
import { day, idText, instant, money } from '../kernel/fields.ts';
import { PRINTED_FORMATS } from '../kernel/file-format.ts';
import { listing } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { downloadRow } from '../reports/transaction.ts';

/** Kinds of lines. `campaign` and `messages` fold reservation, charges and releases; the others are one entry each. */
export const STATEMENT_KINDS = [
  'campaign',
  'messages',
  'payment',
  'refund',
  'commitment',
  'correction',
  'transfer',
  'discount',
] as const;

/**
 * Lists the lines of an account's statement, newest first. A campaign is one line, at the place of its first entry; so
 * are the messages outside campaigns of a day in the caller's time zone. The balance after a line is that of the line before it
 * plus its amount, and the newest line has the account's balance.
 */
export const accountStatement = listing({
  path: '/api/v1/billing-accounts/:id/statement',
  permission: 'credit-changes-index',
  params: z.object({ id: idText }),
  row: z.object({
    /** Id of the first credit change in the line. */
    id: z.int(),
    created_at: instant,
    /** Time of the last entry in the line. */
    last_at: instant,
    kind: z.enum(STATEMENT_KINDS),
    campaign_id: z.int().nullable(),
    campaign_name: z.string().nullable(),
    user_name: z.string().nullable(),
    note: z.string().nullable(),
    /** Change of the credit by all entries of the line. */
    amount: money({ signed: true }),
    balance_after: money({ signed: true }),
    /** Amounts that were set aside, taken and given back; zero where nothing is folded. */
    reserved: money(),
    charged: money(),
    released: money(),
    currency: z.string(),
  }),
  /** First and last day of the lines in the caller's time zone; at most one month. Give both or none. */
  filters: z.object({ from: day.optional(), to: day.optional() }),
  errors: ['not_found'],
});

/** Writes the lines of a period to a file, between its closing and its opening balance. */
export const exportAccountStatement = operation({
  method: 'POST',
  path: '/api/v1/billing-accounts/:id/statement/exports',
  permission: 'credit-changes-download',
  params: z.object({ id: idText }),
  body: z.object({ from: day, to: day, format: z.enum(PRINTED_FORMATS).default('csv') }),
  reply: oneReply(downloadRow),
  status: 202,
  errors: ['not_found'],
});

/** Returns the sums of the lines of a period. The opening balance, plus added, minus spent, is the closing balance. */
export const accountStatementTotals = operation({
  method: 'GET',
  path: '/api/v1/billing-accounts/:id/statement/totals',
  permission: 'credit-changes-index',
  params: z.object({ id: idText }),
  query: z.object({ from: day, to: day }),
  reply: z.object({
    data: z.object({
      currency: z.string(),
      opening: money({ signed: true }),
      /** Payments, refunds, volume discounts, received transfers and positive corrections. */
      added: money(),
      /** Everything else: campaigns, messages, commitments, given transfers and negative corrections. */
      spent: money({ signed: true }),
      closing: money({ signed: true }),
    }),
  }),
  errors: ['not_found'],
});

/** Days that the pace of an account is measured over. */
export const PACE_DAYS = 30;

/** Returns the charges of an account by day, and how long its credit lasts at their pace. */
export const accountPace = operation({
  method: 'GET',
  path: '/api/v1/billing-accounts/:id/pace',
  permission: 'credit-changes-index',
  params: z.object({ id: idText }),
  reply: z.object({
    currency: z.string(),
    /** The last days in the corporation's time zone, oldest first, the last one today. */
    days: z.array(z.object({ date: z.string(), charged: money({ signed: true }) })),
    /** Balance and credit limit together: the amount that can still be spent. */
    available: money(),
    /** Average charges of a day, since the first charge of these days; null without any. */
    per_day: money().nullable(),
    /** Whole days until the balance and the credit limit are used up at this pace; null without charges. */
    days_left: z.int().nullable(),
  }),
  errors: ['not_found'],
});

import { z } from 'zod';
import { day, money } from '../kernel/fields.ts';
import { cursorQuery, cursorReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { reportExport } from '../reports/report-file.ts';

/** Groups of the report. `corporation` is the customer of the reseller. */
export const RESALE_GROUPS = ['corporation', 'department', 'user', 'campaign', 'sender', 'day'] as const;

const sums = z.object({
  /** Messages that a carrier accepted, and their parts. */
  messages: z.int(),
  parts: z.int(),
  /** Charges to the customers' accounts, as in the summary reports. */
  revenue: money({ signed: true }),
  currency: z.string(),
  /** Charges to the reseller's own accounts for the same messages. It is not what carriers take. */
  cost: money({ signed: true }),
  cost_currency: z.string(),
  /** Revenue less cost; null if they are in two currencies. */
  margin: money({ signed: true }).nullable(),
  /**
   * Volume discounts that customers got for months that end in the period, in the currency of the revenue. Null in groups and
   * selections to which they do not belong: those of departments, users, campaigns and sender IDs.
   */
  discounts: money().nullable(),
  /** Margin less the discounts; null without one of both. */
  margin_after_discounts: money({ signed: true }).nullable(),
});

const filters = z.object({
  by: z.enum(RESALE_GROUPS).default('corporation'),
  /** Days in the caller's time zone, both included; at most a month within the last twelve. */
  from: day,
  to: day,
  corporation_id: z.coerce.number().int().optional(),
  sender_id: z.string().trim().max(20).optional(),
});

/**
 * Adds up what customers paid and what their messages cost their reseller, the smallest margin first; by day the newest
 * first. The platform's people see all resellers.
 */
export const resaleMargins = operation({
  method: 'GET',
  path: '/api/v1/resale-margins',
  permission: 'resale-margins-index',
  query: cursorQuery.extend(filters.shape),
  reply: cursorReply(
    sums.extend({
      /** Place of the row in the report. */
      id: z.int(),
      /** Name of the group; empty without one, such as messages outside campaigns. */
      name: z.string(),
      /** Margin as a share of the revenue; null without one. */
      rate: z.number().nullable(),
    }),
  ).extend({
    /** Sums of the whole selection, one for each pair of currencies. */
    totals: z.array(sums),
    /**
     * Volume discounts on the resellers' own accounts for months that end in the period. They lower the cost of all their
     * messages, so they are in no row and no margin. Empty for a selection of customers or sender IDs.
     */
    own_discounts: z.array(z.object({ amount: money(), currency: z.string() })),
  }),
});

/** Writes the same rows to a file. */
export const exportResaleMargins = reportExport({
  path: '/api/v1/resale-margins/exports',
  permission: 'resale-margins-download',
  filters,
});

import { z } from 'zod';
import { consolidated } from '../kernel/consolidated.ts';
import { money } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { trafficCounts } from '../reports/summary-report.ts';

const counts = z.object({
  ...trafficCounts,
  /** Number of messages that phones sent. */
  replies: z.int(),
  /** Spend of the corporations with the caller's currency; `other_spend` has the other currencies. */
  spend: money(),
});

const { parts: _, ...fates } = trafficCounts;

/** Number of days that a dashboard can cover, including today. */
export const DASHBOARD_DAYS = [7, 30] as const;

/** Returns the last days in the caller's scope and time zone; today is the last day. */
export const dashboard = operation({
  method: 'GET',
  path: '/api/v1/dashboard',
  permission: 'dashboard-index',
  query: z.object({ days: z.coerce.number().pipe(z.literal(DASHBOARD_DAYS)).default(7) }),
  reply: z.object({
    currency: z.string(),
    today: counts,
    /** Sums of all these days, and of the same number of days before them. */
    totals: counts,
    before: counts,
    /** Spend of all these days in each other currency. */
    other_spend: z.array(z.object({ currency: z.string(), amount: money() })),
    /** Spend of all these days in the caller's currency, by the rates of today; for the platform's people. */
    all_spend: consolidated,
    days: z.array(counts.extend({ date: z.iso.date() })),
    /** Counts by sender ID, those with most messages first. */
    senders: z.array(z.object({ sender_id: z.string(), ...trafficCounts, delivery_rate: z.number().nullable() })),
    /** Counts by country, those with most messages first; the worker updates them within minutes. */
    destinations: z.array(z.object({ calling_code: z.string(), ...fates, delivery_rate: z.number().nullable() })),
    /** Messages by hour of the week; Monday is 1. Hours without messages are left out. */
    hours: z.array(z.object({ weekday: z.int(), hour: z.int(), messages: z.int() })),
    /** Corporations with most messages; null for people who see only one corporation. */
    customers: z
      .array(z.object({ corporation_id: z.int(), corporation_name: z.string(), ...trafficCounts }))
      .nullable(),
    /** Messages of running campaigns that are not handed over yet. */
    waiting: z.int(),
    /** Counts of the links in the last minute; null except for the administration. */
    links: z
      .array(
        z.object({
          id: z.int(),
          name: z.string(),
          state: z.string(),
          submitted: z.int(),
          accepted: z.int(),
          failed: z.int(),
          receipts: z.int(),
          /** Counts of the shown days, updated like the destinations. */
          days: z.object({ ...fates, delivery_rate: z.number().nullable() }),
        }),
      )
      .nullable(),
    running_campaigns: z.int(),
    scheduled_campaigns: z.int(),
    pending_campaigns: z.int(),
    number_lists: z.int(),
    /** Campaigns that wait for their time, the next one first. */
    next_campaigns: z.array(z.object({ id: z.int(), name: z.string(), starts_at: z.string(), total_count: z.int() })),
    recent_campaigns: z.array(
      z.object({
        id: z.int(),
        name: z.string(),
        state: z.string(),
        total_count: z.int(),
        delivered: z.int(),
        created_at: z.string(),
      }),
    ),
  }),
});

import { z } from 'zod';
import { money } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { trafficCounts } from '../reports/summary-report.ts';

const counts = z.object({
  ...trafficCounts,
  /** Messages that phones sent. */
  replies: z.int(),
  /** Of the corporations that have the caller's currency; `other_spend` tells those of others. */
  spend: money(),
});

const { parts: _, ...fates } = trafficCounts;

/** Days that a dashboard looks back, today among them. */
export const DASHBOARD_DAYS = [7, 30] as const;

/** The last days in the caller's scope and time zone; today is the last day. */
export const dashboard = operation({
  method: 'GET',
  path: '/api/v1/dashboard',
  permission: 'dashboard-index',
  query: z.object({ days: z.coerce.number().pipe(z.literal(DASHBOARD_DAYS)).default(7) }),
  reply: z.object({
    currency: z.string(),
    today: counts,
    /** All of the days, and as many days before them. */
    totals: counts,
    before: counts,
    /** Spend of all of the days in each other currency. */
    other_spend: z.array(z.object({ currency: z.string(), amount: money() })),
    days: z.array(counts.extend({ date: z.iso.date() })),
    /** By sender ID, those with most messages first. */
    senders: z.array(z.object({ sender_id: z.string(), ...trafficCounts, delivery_rate: z.number().nullable() })),
    /** By country, those with most messages first; the worker counts them within minutes. */
    destinations: z.array(z.object({ calling_code: z.string(), ...fates, delivery_rate: z.number().nullable() })),
    /** By hour of the week, Monday is 1; hours without messages are left out. */
    hours: z.array(z.object({ weekday: z.int(), hour: z.int(), messages: z.int() })),
    /** Corporations with most messages; null for whoever sees one alone. */
    customers: z
      .array(z.object({ corporation_id: z.int(), corporation_name: z.string(), ...trafficCounts }))
      .nullable(),
    /** Messages that are not handed over yet, of campaigns that run. */
    waiting: z.int(),
    /** What the links did in the last minute; null but for the administration. */
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
          /** Of the days that are shown, counted as the destinations are. */
          days: z.object({ ...fates, delivery_rate: z.number().nullable() }),
        }),
      )
      .nullable(),
    running_campaigns: z.int(),
    scheduled_campaigns: z.int(),
    pending_campaigns: z.int(),
    number_lists: z.int(),
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

import { z } from 'zod';
import { consolidated } from '../kernel/consolidated.ts';
import { day, money } from '../kernel/fields.ts';
import { cursorQuery, cursorReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { reportCosts } from '../kernel/report-costs.ts';
import { reportExport } from './report-file.ts';

export const SUMMARY_PERIODS = ['daily', 'weekly', 'monthly', 'annually'] as const;
export type SummaryPeriod = (typeof SUMMARY_PERIODS)[number];
export const SUMMARY_TYPES = ['corporation', 'sender', 'network'] as const;

/** Numbers of messages by outcome. */
export const trafficCounts = {
  /** Messages accepted by a carrier. */
  messages: z.int(),
  parts: z.int(),
  delivered: z.int(),
  /** Failed messages of all four kinds, without blocked ones. */
  failed: z.int(),
  blocked: z.int(),
  expired: z.int(),
};

const filters = z.object({
  period: z.enum(SUMMARY_PERIODS).default('daily'),
  type: z.enum(SUMMARY_TYPES).default('corporation'),
  /** Days in the caller's time zone, both included, within 12 months; at most a month if `period` is daily. */
  from: day,
  to: day,
  corporation_id: z.coerce.number().int().optional(),
  sender_id: z.string().trim().max(20).optional(),
  /** Network of the numbers, by lookup or prefix; 0 for numbers of no known network. */
  network_id: z.coerce.number().int().min(0).optional(),
});

/** Counts messages per day, week (from Monday), month or year, by corporation, or by its sender IDs or networks. */
export const summaryReports = operation({
  method: 'GET',
  path: '/api/v1/summary-reports',
  permission: 'summary-reports-index',
  query: cursorQuery.extend(filters.shape),
  reply: cursorReply(
    z.object({
      /** Place of the row in the report. */
      id: z.int(),
      starts_on: day,
      ends_on: day,
      corporation_id: z.int(),
      corporation_name: z.string(),
      /** Sender ID; null if the report is by corporation, empty if none was recorded. */
      sender_id: z.string().nullable(),
      /** Network; null if the report is not by network, 0 with an empty name if it is not known. */
      network_id: z.int().nullable(),
      network_name: z.string().nullable(),
      ...trafficCounts,
      /** `deliveryRate` of the kernel's figures, from 0 to 1; null if there is none. */
      delivery_rate: z.number().nullable(),
      spend: money(),
      currency: z.string(),
    }),
  ).extend({
    /** Networks of the period's messages, those with most messages first. The filter by network does not narrow them. */
    networks: z.array(z.object({ id: z.int(), name: z.string() })),
    /**
     * Messages of the selection that are not counted by network yet, if the report is by network or filtered by one. They
     * are counted within minutes. Network and outcome of a message that has been removed cannot be counted any more.
     */
    uncounted: z.int(),
    /** Sums of the whole selection. */
    totals: z.object(trafficCounts),
    /** One sum for each currency. */
    spend: z.array(z.object({ currency: z.string(), amount: money() })),
    /** All of it in the platform's currency, by the rates of the last day; for the platform's people. */
    all_spend: consolidated,
    /** Periods, oldest first; one without messages is left out. */
    series: z.array(z.object({ starts_on: day, ends_on: day, ...trafficCounts })),
  }),
});

/** Writes the same rows to a file. */
export const exportSummaryReports = reportExport({
  path: '/api/v1/summary-reports/exports',
  permission: 'summary-reports-download',
  filters: filters.extend({ costs: reportCosts }),
});

import { z } from 'zod';
import { campaignRow } from '../campaigns/campaign-row.ts';
import { day, instant } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { reportCosts } from '../kernel/report-costs.ts';
import { CAMPAIGN_STATES, MESSAGE_STATES } from '../kernel/states.ts';
import { reportExport } from './report-file.ts';

/** Views of the report: the messages sent, their states, or the request of each campaign. */
export const HISTORY_VIEWS = ['detail', 'status', 'request'] as const;

const filters = z.object({
  /** Days, in the caller's time zone, on which the campaigns were made; at most one month within the last twelve. */
  from: day,
  to: day,
  state: z.enum(CAMPAIGN_STATES).optional(),
  corporation_id: z.coerce.number().int().optional(),
  department_id: z.coerce.number().int().optional(),
  sender_id: z.string().trim().max(20).optional(),
  search: z.string().trim().max(100).optional(),
});

const counts = Object.fromEntries(MESSAGE_STATES.map((state) => [state, z.int()])) as Record<
  (typeof MESSAGE_STATES)[number],
  z.ZodInt
>;

const common = campaignRow.pick({
  id: true,
  name: true,
  state: true,
  corporation_name: true,
  department_name: true,
  user_name: true,
  sender_id: true,
  total_count: true,
  created_at: true,
});

/** Lists campaigns with their progress and cost, newest first. */
export const campaignHistory = listing({
  path: '/api/v1/campaign-history',
  permission: 'campaign-history-index',
  row: common.extend(
    campaignRow.pick({
      total_sms: true,
      processed: true,
      delivered: true,
      failed: true,
      expired: true,
      blocked: true,
      cancelled: true,
      charged: true,
      currency: true,
      started_at: true,
      finished_at: true,
    }).shape,
  ),
  filters,
});

/** Lists the same campaigns with their messages by delivery status. */
export const campaignStatuses = listing({
  path: '/api/v1/campaign-history/statuses',
  permission: 'campaign-history-index',
  row: common.extend(counts),
  filters,
});

/** Lists the same campaigns with their request, and the people who requested and approved it. */
export const campaignRequests = listing({
  path: '/api/v1/campaign-history/requests',
  permission: 'campaign-history-index',
  row: common.extend({
    ...campaignRow.pick({
      content_type: true,
      content: true,
      flash: true,
      sms_validity: true,
      total_sms: true,
      gsm_count: true,
      unicode_count: true,
      rejected_count: true,
      estimated_cost: true,
      currency: true,
      starts_at: true,
      ends_at: true,
      approved_by_name: true,
      approved_at: true,
      error_code: true,
    }).shape,
    billing_account_name: z.string(),
    asked_by_name: z.string().nullable(),
    asked_at: instant.nullable(),
  }),
  filters,
});

/** Writes a view to a file. */
export const exportCampaignHistory = reportExport({
  path: '/api/v1/campaign-history/exports',
  permission: 'campaign-history-download',
  filters: filters.extend({
    view: z.enum(HISTORY_VIEWS).default('detail'),
    /** Only in the view `detail`. */
    costs: reportCosts,
  }),
});

import { z } from 'zod';
import { id, idText, instant, label, money, msisdn } from '../kernel/fields.ts';
import { formatQuery } from '../kernel/file-format.ts';
import { cursorQuery, cursorReply, pageQuery, pageReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { CAMPAIGN_STATES, MESSAGE_STATES } from '../kernel/states.ts';
import { shownTimeZone } from '../kernel/time-zones.ts';
import { campaignRow, campaignTransitionRow, releaseRow } from './campaign-row.ts';
import { campaignSchedule } from './schedule.ts';

const sort = ['created_at', 'name', 'state', 'total_count'] as const;
const filters = z.object({
  state: z.enum(CAMPAIGN_STATES).optional(),
  corporation_id: z.coerce.number().int().optional(),
  department_id: z.coerce.number().int().optional(),
});

/** Every campaign the caller may see. */
export const listCampaigns = operation({
  method: 'GET',
  path: '/api/v1/campaigns',
  permission: 'campaigns-index',
  query: pageQuery(sort).extend(filters.shape),
  reply: pageReply(campaignRow),
});

/** Campaigns being prepared, running or paused. */
export const listRunningCampaigns = operation({
  method: 'GET',
  path: '/api/v1/running-campaigns',
  permission: 'running-campaigns-index',
  query: pageQuery(sort).extend(filters.omit({ state: true }).shape),
  reply: pageReply(campaignRow),
});

/** Campaigns waiting for an approval. */
export const listPendingCampaigns = operation({
  method: 'GET',
  path: '/api/v1/pending-campaigns',
  permission: 'pending-campaigns-index',
  query: pageQuery(sort).extend(filters.omit({ state: true }).shape),
  reply: pageReply(campaignRow),
});

const one = { params: z.object({ id: idText }), reply: oneReply(campaignRow) };

export const getCampaign = operation({
  method: 'GET',
  path: '/api/v1/campaigns/:id',
  permission: 'campaigns-show',
  params: one.params,
  reply: oneReply(
    campaignRow.extend({
      timeline: z.array(campaignTransitionRow),
      releases: z.array(releaseRow),
      /** Failures by their reason, most frequent first. */
      failures: z.array(z.object({ state: z.enum(MESSAGE_STATES), error_code: z.string(), count: z.int() })),
      /** Who followed short links, and how often in all; null where the campaign has none. */
      clicks: z.object({ recipients: z.int(), total: z.int() }).nullable(),
      /** Phones that answered it within 72 hours. */
      replies: z.int(),
    }),
  ),
  errors: ['not_found'],
});

/** Makes a campaign of a quote and runs it, or asks for approval where the caller may not run. */
export const createCampaign = operation({
  method: 'POST',
  path: '/api/v1/campaigns',
  permission: 'campaigns-create',
  body: z.object({
    quote_id: id,
    name: label(150),
    /** The cost the person saw and confirmed; must equal the quote's above the warning limit. */
    confirmed_cost: money().nullable().default(null),
    schedule: campaignSchedule.prefault({}),
  }),
  reply: one.reply,
  status: 201,
  errors: [
    'blackout_time',
    'schedule_over',
    'audience_empty',
    'cost_not_confirmed',
    'insufficient_credit',
    'billing_account_suspended',
    'supervisor_required',
    'sender_not_allowed',
    'no_route',
    'changed_meanwhile',
  ],
});

const note = z.string().trim().max(300).optional();

const change = (action: string, permission: string) =>
  operation({
    method: 'POST',
    path: `/api/v1/campaigns/:id/${action}`,
    permission,
    params: one.params,
    body: z.object({ note }),
    reply: one.reply,
    errors: ['not_found', 'invalid_transition', 'blackout_time', 'switched_off'],
  });

/** Ends a campaign: what was not handed over is cancelled and its reserve released. */
export const stopCampaign = change('stop', 'running-campaigns-stop');
export const pauseCampaign = change('pause', 'running-campaigns-pause');
export const resumeCampaign = change('resume', 'running-campaigns-pause');
/** Ends a campaign before it began. */
export const stopScheduledCampaign = change('stop-scheduled', 'schedule-campaigns-stop');
/** Ends the repetition: the occurrences that exist stay. */
export const endCampaignSeries = change('end-series', 'schedule-campaigns-stop');
export const discardCampaign = change('discard', 'pending-campaigns-discard');
/** Takes back the caller's own request for an approval. */
export const cancelCampaignRequest = change('cancel', 'campaigns-create');

const approvalErrors = [
  'not_found',
  'invalid_transition',
  'changed_meanwhile',
  'insufficient_credit',
  'billing_account_suspended',
  'blackout_time',
  'schedule_over',
] as const;

/** Lets a campaign run as it stands: it must still be what the fingerprint says. */
export const approveCampaign = operation({
  method: 'POST',
  path: '/api/v1/campaigns/:id/approve',
  permission: 'pending-campaigns-approve',
  params: one.params,
  // Whoever does not say what they saw has not seen what stands there.
  body: z.object({ fingerprint: z.string().default(''), note }),
  reply: one.reply,
  errors: approvalErrors,
});

/** Approves several, each by itself: what refuses one keeps none of the others back. */
export const approveCampaigns = operation({
  method: 'POST',
  path: '/api/v1/pending-campaigns/approve',
  permission: 'pending-campaigns-approve',
  body: z.object({
    campaigns: z
      .array(z.object({ id, fingerprint: z.string() }))
      .min(1)
      .max(100),
    note,
  }),
  reply: z.object({
    data: z.array(z.object({ id: z.int(), error_code: z.string().nullable(), message: z.string().nullable() })),
  }),
});

/**
 * Changes a campaign that waits: its name, its schedule, or with a new quote everything else. What is no name voids an
 * approval, and a campaign whose person may not run asks for one anew.
 */
export const editCampaign = operation({
  method: 'PATCH',
  path: '/api/v1/campaigns/:id',
  permission: 'campaigns-edit',
  params: one.params,
  body: z.object({
    name: label(150).optional(),
    quote_id: id.optional(),
    schedule: campaignSchedule.optional(),
    confirmed_cost: money().nullable().default(null),
    /** What the person saw of it; refused where somebody changed it meanwhile. */
    fingerprint: z.string().default(''),
  }),
  reply: one.reply,
  errors: [
    ...approvalErrors,
    'cost_not_confirmed',
    'audience_empty',
    'sender_not_allowed',
    'no_route',
    'supervisor_required',
  ],
});

/** Moves a scheduled campaign to another time. */
export const rescheduleCampaign = operation({
  method: 'POST',
  path: '/api/v1/campaigns/:id/reschedule',
  permission: 'schedule-campaigns-reschedule',
  params: one.params,
  body: z.object({ start: campaignSchedule.shape.start, end: campaignSchedule.shape.end, note }),
  reply: one.reply,
  errors: [...approvalErrors, 'supervisor_required'],
});

/** Campaigns that wait for their time. */
export const listScheduledCampaigns = operation({
  method: 'GET',
  path: '/api/v1/schedule-campaigns',
  permission: 'schedule-campaigns-index',
  query: pageQuery(['starts_at', ...sort]).extend(filters.omit({ state: true }).shape),
  reply: pageReply(campaignRow),
});

/** One entry of the calendar: a campaign, or an occurrence that is still to be made of a series. */
export const calendarRow = z.object({
  campaign_id: z.int().nullable(),
  series_id: z.int().nullable(),
  name: z.string(),
  /** Null of an occurrence to come. */
  state: z.enum(CAMPAIGN_STATES).nullable(),
  starts_at: instant,
  ends_at: instant.nullable(),
  timezone: shownTimeZone,
  total_count: z.int().nullable(),
});

/** What runs, ran or is to run in a span of at most 62 days. */
export const campaignCalendar = operation({
  method: 'GET',
  path: '/api/v1/schedule-campaigns/calendar',
  permission: 'schedule-campaigns-index',
  query: z.object({ from: instant, to: instant }),
  reply: z.object({ data: z.array(calendarRow) }),
});

export const pendingApprovalNotify = operation({
  method: 'GET',
  path: '/api/v1/pending-approval-notify',
  permission: null,
  reply: z.object({ count: z.int() }),
});

/** The CSV of the numbers that were not sent to (source, line, number as given, reason), as an attachment. */
export const campaignRejected = operation({
  method: 'GET',
  path: '/api/v1/campaigns/:id/rejected',
  permission: 'campaigns-show',
  params: one.params,
  query: formatQuery,
  reply: z.string(),
  errors: ['not_found'],
});
export const campaignRejectedPath = (campaignId: number) => `/api/v1/campaigns/${campaignId}/rejected`;

/** One message as reports show it. */
export const messageRow = z.object({
  id,
  created_at: instant,
  campaign_id: z.int().nullable(),
  campaign_name: z.string().nullable(),
  corporation_name: z.string(),
  user_name: z.string().nullable(),
  sender_id: z.string(),
  number: msisdn,
  name: z.string().nullable(),
  /** Null where the caller may not read texts. */
  text: z.string().nullable(),
  encoding: z.enum(['gsm', 'ucs2']),
  parts: z.int(),
  state: z.enum(MESSAGE_STATES),
  error_code: z.string().nullable(),
  charge: money(),
  currency: z.string(),
  done_at: instant.nullable(),
});

export const campaignMessages = operation({
  method: 'GET',
  path: '/api/v1/campaigns/:id/messages',
  permission: 'campaigns-show',
  params: one.params,
  query: cursorQuery.extend({ state: z.enum(MESSAGE_STATES).optional(), search: z.string().trim().max(40).optional() }),
  reply: cursorReply(messageRow),
  errors: ['not_found'],
});

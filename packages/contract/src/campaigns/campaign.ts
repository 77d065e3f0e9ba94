import { z } from 'zod';
import type { SegmentNames, SegmentRule } from '../audience/segment-rule.ts';
import type { ErrorCode } from '../kernel/errors.ts';
import { id, idText, instant, label, money } from '../kernel/fields.ts';
import { formatQuery } from '../kernel/file-format.ts';
import { pageQuery, pageReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { personText } from '../kernel/personal.ts';
import { oneReply } from '../kernel/resource.ts';
import type { Permission } from '../kernel/screen-list.ts';
import { CAMPAIGN_STATES, MESSAGE_STATES } from '../kernel/states.ts';
import { shownTimeZone } from '../kernel/time-zones.ts';
import { campaignRow, campaignTransitionRow, releaseRow } from './campaign-row.ts';
import { languagesOfCampaign } from './languages.ts';
import { campaignSchedule } from './schedule.ts';

const sort = ['created_at', 'name', 'state', 'total_count'] as const;
const filters = z.object({
  state: z.enum(CAMPAIGN_STATES).optional(),
  corporation_id: z.coerce.number().int().optional(),
  department_id: z.coerce.number().int().optional(),
});

/** Lists every campaign that the caller may see. */
export const listCampaigns = operation({
  method: 'GET',
  path: '/api/v1/campaigns',
  permission: 'campaigns-index',
  query: pageQuery(sort).extend(filters.shape),
  reply: pageReply(campaignRow),
});

/** Lists campaigns that are being prepared, running or paused. */
export const listRunningCampaigns = operation({
  method: 'GET',
  path: '/api/v1/running-campaigns',
  permission: 'running-campaigns-index',
  query: pageQuery(sort).extend(filters.omit({ state: true }).shape),
  reply: pageReply(campaignRow),
});

/** Lists campaigns that wait for an approval. */
export const listPendingCampaigns = operation({
  method: 'GET',
  path: '/api/v1/pending-campaigns',
  permission: 'pending-campaigns-index',
  query: pageQuery(sort).extend(filters.omit({ state: true }).shape),
  reply: pageReply(campaignRow),
});

const one = { params: z.object({ id: idText }), reply: oneReply(campaignRow) };

/** Segment of a campaign. Its rule was checked when it was stored; the page does without the schema of rules. */
const shownSegment = z.object({
  id,
  name: z.string(),
  rule: personText(z.custom<SegmentRule>()),
  names: z.custom<SegmentNames>(),
});

export const getCampaign = operation({
  method: 'GET',
  path: '/api/v1/campaigns/:id',
  permission: 'campaigns-show',
  params: one.params,
  reply: oneReply(
    campaignRow.extend({
      timeline: z.array(campaignTransitionRow),
      /** Segments of the recipients, with their rules as the quote kept them. */
      segments: z.array(shownSegment),
      releases: z.array(releaseRow),
      /** Failures by reason, most frequent first. */
      failures: z.array(z.object({ state: z.enum(MESSAGE_STATES), error_code: z.string(), count: z.int() })),
      /** Recipients who followed a short link, and clicks in all; null if the campaign has no short links. */
      clicks: z.object({ recipients: z.int(), total: z.int() }).nullable(),
      ...languagesOfCampaign,
      /** Number of phones that answered within 72 hours. */
      replies: z.int(),
      /** Number of phones that answered with an opt-out. */
      opt_outs: z.int(),
    }),
  ),
  errors: ['not_found'],
});

/** Lists the delivered messages of a campaign by the minute of their receipt, the earliest first. */
export const campaignDeliveries = operation({
  method: 'GET',
  path: '/api/v1/campaigns/:id/deliveries',
  permission: 'campaigns-show',
  params: one.params,
  reply: z.object({ data: z.array(z.object({ minute: instant, delivered: z.int() })) }),
  errors: ['not_found'],
});

/** Makes a campaign from a quote and runs it, or asks for approval if the caller may not run it. */
export const createCampaign = operation({
  method: 'POST',
  path: '/api/v1/campaigns',
  permission: 'campaigns-create',
  body: z.object({
    quote_id: id,
    name: label(150),
    /** Cost that the person saw and confirmed; above the warning limit it must equal the quote's cost. */
    confirmed_cost: money().nullable().default(null),
    schedule: campaignSchedule.prefault({}),
    /** True lets the person undo a large campaign for some seconds before it starts, as the operator has set. */
    undo: z.boolean().default(false),
  }),
  reply: one.reply,
  status: 201,
  errors: [
    'blackout_time',
    'outside_hours',
    'sending_limit_reached',
    'schedule_over',
    'audience_empty',
    'cost_not_confirmed',
    'insufficient_credit',
    'billing_account_suspended',
    'billing_account_held',
    'supervisor_required',
    'sender_not_allowed',
    'no_route',
    'destination_unavailable',
    'sender_not_registered',
    'changed_meanwhile',
  ],
});

const note = z.string().trim().max(300).optional();

const change = (action: string, permission: Permission, more: readonly ErrorCode[] = []) =>
  operation({
    method: 'POST',
    path: `/api/v1/campaigns/:id/${action}`,
    permission,
    params: one.params,
    body: z.object({ note }),
    reply: one.reply,
    errors: [
      'not_found',
      'invalid_transition',
      'blackout_time',
      'switched_off',
      'billing_account_held',
      'sender_out_of_use',
      'held_for_decision',
      ...more,
    ],
  });

/** Ends a campaign: messages not yet handed over are cancelled, and their reserved money is released. */
export const stopCampaign = change('stop', 'running-campaigns-stop');
export const pauseCampaign = change('pause', 'running-campaigns-pause');
export const resumeCampaign = change('resume', 'running-campaigns-pause');
/** Calls a campaign back in the seconds before it starts. Nothing was sent, and its reserved money is released. */
export const undoCampaign = change('undo', 'campaigns-create', ['forbidden', 'undo_over']);
/** Ends a campaign before it begins. */
export const stopScheduledCampaign = change('stop-scheduled', 'schedule-campaigns-stop');
/** Ends the repetition; existing occurrences stay. */
export const endCampaignSeries = change('end-series', 'schedule-campaigns-stop');
export const discardCampaign = change('discard', 'pending-campaigns-discard');
/** Withdraws the caller's own request for an approval. */
export const cancelCampaignRequest = change('cancel', 'campaigns-create');

/** Asks the supervisors again about the caller's own campaign that waits for approval, at most once an hour. */
export const remindSupervisors = change('remind', 'campaigns-create', ['reminded_already']);

const approvalErrors = [
  'not_found',
  'invalid_transition',
  'changed_meanwhile',
  'insufficient_credit',
  'billing_account_suspended',
  'billing_account_held',
  'blackout_time',
  'outside_hours',
  'sending_limit_reached',
  'schedule_over',
] as const;

/** Lets a campaign run in the state that the person saw: it must still have the given fingerprint. */
export const approveCampaign = operation({
  method: 'POST',
  path: '/api/v1/campaigns/:id/approve',
  permission: 'pending-campaigns-approve',
  params: one.params,
  // Without a fingerprint it is unknown what the person saw, so the approval is refused.
  body: z.object({ fingerprint: z.string().default(''), note }),
  reply: one.reply,
  errors: approvalErrors,
});

/** Approves several campaigns, each by itself: a refused one does not stop the others. */
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
 * Changes a waiting campaign: its name, its schedule, or with a new quote everything else. Any change except the name
 * voids an approval. The campaign asks for approval again if the person may not run it. The name of any campaign may
 * change.
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
    /**
     * Fingerprint of the state that the person saw; the change is refused if somebody changed the campaign meanwhile.
     */
    fingerprint: z.string().default(''),
  }),
  reply: one.reply,
  errors: [
    ...approvalErrors,
    'campaign_in_test',
    'cost_not_confirmed',
    'audience_empty',
    'sender_not_allowed',
    'no_route',
    'destination_unavailable',
    'sender_not_registered',
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

/** Lists campaigns that wait for their time. */
export const listScheduledCampaigns = operation({
  method: 'GET',
  path: '/api/v1/schedule-campaigns',
  permission: 'schedule-campaigns-index',
  query: pageQuery(['starts_at', ...sort]).extend(filters.omit({ state: true }).shape),
  reply: pageReply(campaignRow),
});

/** An entry of the calendar: a campaign, or a future occurrence of a series that is not made yet. */
export const calendarRow = z.object({
  campaign_id: z.int().nullable(),
  series_id: z.int().nullable(),
  name: z.string(),
  /** State; null for a future occurrence. */
  state: z.enum(CAMPAIGN_STATES).nullable(),
  starts_at: instant,
  ends_at: instant.nullable(),
  timezone: shownTimeZone,
  total_count: z.int().nullable(),
});

/** Lists the past, present and future campaigns in a span of at most 62 days. */
export const campaignCalendar = operation({
  method: 'GET',
  path: '/api/v1/schedule-campaigns/calendar',
  permission: 'schedule-campaigns-index',
  query: z.object({ from: instant, to: instant }),
  reply: z.object({ data: z.array(calendarRow) }),
});

/** Returns the CSV of the numbers not sent to (source, line, number as given, reason), as an attachment. */
export const campaignRejected = operation({
  method: 'GET',
  path: '/api/v1/campaigns/:id/rejected',
  permission: 'campaigns-show',
  params: one.params,
  query: formatQuery,
  reply: z.string(),
  errors: ['not_found', 'numbers_hidden'],
});
export const campaignRejectedPath = (campaignId: number) => `/api/v1/campaigns/${campaignId}/rejected`;

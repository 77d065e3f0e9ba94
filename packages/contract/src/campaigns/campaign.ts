import { z } from 'zod';
import { id, idText, instant, label, money, msisdn } from '../kernel/fields.ts';
import { cursorQuery, cursorReply, pageQuery, pageReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { abilities, oneReply } from '../kernel/resource.ts';
import { CAMPAIGN_STATES, MESSAGE_STATES } from '../kernel/states.ts';

/** Messages by what became of them, kept by the transactions that record outcomes. */
export const campaignCounters = z.object({
  /** Handed over or finally decided: everything that is no longer waiting. */
  processed: z.int(),
  submitted: z.int(),
  delivered: z.int(),
  failed: z.int(),
  expired: z.int(),
  cancelled: z.int(),
});

export const campaignRow = z.object({
  id,
  name: z.string(),
  corporation_id: z.int(),
  corporation_name: z.string(),
  department_id: z.int().nullable(),
  department_name: z.string().nullable(),
  user_name: z.string(),
  sender_id: z.string(),
  content_type: z.enum(['single', 'multi']),
  /** Null where the caller may not read texts. */
  content: z.string().nullable(),
  flash: z.boolean(),
  sms_validity: z.int(),
  state: z.enum(CAMPAIGN_STATES),
  /** Why it was rejected or failed: a code of the error catalogue. */
  error_code: z.string().nullable(),
  total_count: z.int(),
  total_sms: z.int(),
  gsm_count: z.int(),
  unicode_count: z.int(),
  rejected_count: z.int(),
  rejected_file: z.string().nullable(),
  estimated_cost: money(),
  charged: money(),
  currency: z.string(),
  ...campaignCounters.shape,
  created_at: instant,
  started_at: instant.nullable(),
  finished_at: instant.nullable(),
  abilities: abilities.extend({
    stop: z.boolean(),
    pause: z.boolean(),
    resume: z.boolean(),
    approve: z.boolean(),
    discard: z.boolean(),
  }),
});

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

/** The campaign's timeline: each transition with its time and person. */
export const campaignTransitionRow = z.object({
  created_at: instant,
  from_state: z.enum(CAMPAIGN_STATES).nullable(),
  to_state: z.enum(CAMPAIGN_STATES),
  user_name: z.string().nullable(),
  note: z.string().nullable(),
});

export const getCampaign = operation({
  method: 'GET',
  path: '/api/v1/campaigns/:id',
  permission: 'campaigns-show',
  params: one.params,
  reply: oneReply(
    campaignRow.extend({
      timeline: z.array(campaignTransitionRow),
      /** Failures by their reason, most frequent first. */
      failures: z.array(z.object({ state: z.enum(MESSAGE_STATES), error_code: z.string(), count: z.int() })),
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
  }),
  reply: one.reply,
  status: 201,
  errors: [
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

const change = (action: string, permission: string) =>
  operation({
    method: 'POST',
    path: `/api/v1/campaigns/:id/${action}`,
    permission,
    params: one.params,
    body: z.object({ note: z.string().trim().max(300).optional() }),
    reply: one.reply,
    errors: ['not_found', 'invalid_transition', 'insufficient_credit', 'billing_account_suspended'],
  });

/** Ends a campaign: what was not handed over is cancelled and its reserve released. */
export const stopCampaign = change('stop', 'running-campaigns-stop');
export const pauseCampaign = change('pause', 'running-campaigns-pause');
export const resumeCampaign = change('resume', 'running-campaigns-pause');
export const approveCampaign = change('approve', 'pending-campaigns-approve');
export const discardCampaign = change('discard', 'pending-campaigns-discard');

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

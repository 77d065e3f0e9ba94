import { z } from 'zod';
import { id, idText, instant, label, money, reference } from '../kernel/fields.ts';
import { MERGE_FIELDS } from '../kernel/merge-fields.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';

/** A file put on the server for a later call; kept a day. */
export const uploadRow = z.object({
  id,
  file_name: z.string(),
  size: z.int(),
  /** The header's columns, and the first rows as they stand. */
  columns: z.array(z.string()),
  preview: z.array(z.array(z.string())),
});

export const uploadCampaignFile = operation({
  method: 'POST',
  path: '/api/v1/campaigns/files',
  permission: 'campaigns-create',
  upload: true,
  reply: oneReply(uploadRow),
  status: 201,
  errors: ['file_type_unknown', 'file_headers_invalid', 'file_unreadable', 'payload_too_large'],
});

const defaults = z.object(
  Object.fromEntries(MERGE_FIELDS.map((field) => [field, z.string().max(300).optional()])) as Record<
    (typeof MERGE_FIELDS)[number],
    z.ZodOptional<z.ZodString>
  >,
);

/** What a campaign is: everything that decides what is sent to whom. */
export const campaignContent = z.object({
  content_type: z.enum(['single']).default('single'),
  sender_id: reference('sender-ids'),
  list_ids: z.array(reference('number-lists')).max(100).default([]),
  /** Pasted numbers, separated by commas, semicolons or new lines. */
  custom_numbers: z.string().max(200_000).default(''),
  /** An upload of `campaigns/files`. */
  file_id: id.nullable().default(null),
  content: z.string().min(1).max(1530),
  defaults: defaults.default({}),
  /** Refuses a number that lacks a value instead of filling in the default. */
  skip_default_param: z.boolean().default(false),
  flash: z.boolean().default(false),
  /** Hours a message may wait. */
  sms_validity: z.int().min(1).max(12).default(12),
});

/** Why a row of the audience is not sent to. */
export const REJECT_REASONS = [
  'empty',
  'spreadsheet_damage',
  'not_a_number',
  'too_short',
  'too_long',
  'wrong_prefix',
  'duplicate',
  'blacklisted',
  'opted_out',
  'blocked_text',
  'missing_value',
  'text_too_long',
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

export const quoteRow = z.object({
  id,
  state: z.enum(['counting', 'ready', 'failed']),
  rows_read: z.int(),
  /** Messages that would be sent. */
  total_count: z.int(),
  /** Parts that would be sent and charged. */
  total_sms: z.int(),
  gsm_count: z.int(),
  unicode_count: z.int(),
  rejected_count: z.int(),
  rejected: z.partialRecord(z.enum(REJECT_REASONS), z.int()),
  cost: money(),
  currency: z.string(),
  credit_balance: money({ signed: true }),
  balance_after: money({ signed: true }),
  /** The cost passes the account's warning limit, so it must be confirmed. */
  cost_warning: z.boolean(),
  /** What would refuse the campaign now: a code of the error catalogue. */
  refusal: z.string().nullable(),
  /** Texts as the first recipients will get them. */
  samples: z.array(z.object({ number: z.string(), text: z.string(), parts: z.int() })),
  /** Whether the caller may run it, or must ask for approval. */
  needs_approval: z.boolean(),
  /** Address of the CSV of rejected numbers, when there are any. */
  rejected_file: z.string().nullable(),
  error_code: z.string().nullable(),
  created_at: instant,
});

/** Counts and prices a campaign without sending; answers at once, counts in the background. */
export const createQuote = operation({
  method: 'POST',
  path: '/api/v1/campaigns/quotes',
  permission: 'campaigns-create',
  body: campaignContent,
  reply: oneReply(quoteRow),
  status: 202,
  errors: [
    'audience_empty',
    'sender_not_allowed',
    'flash_not_allowed',
    'text_too_long',
    'unknown_placeholder',
    'billing_account_missing',
    'no_route',
  ],
});

export const getQuote = operation({
  method: 'GET',
  path: '/api/v1/campaigns/quotes/:id',
  permission: 'campaigns-create',
  params: z.object({ id: idText }),
  reply: oneReply(quoteRow),
  errors: ['not_found'],
});

/** The CSV of what a quote left out (source, line, number as given, reason), as an attachment. */
export const quoteRejected = operation({
  method: 'GET',
  path: '/api/v1/campaigns/quotes/:id/rejected',
  permission: 'campaigns-create',
  params: z.object({ id: idText }),
  reply: z.string(),
  errors: ['not_found'],
});
export const quoteRejectedPath = (quoteId: number) => `/api/v1/campaigns/quotes/${quoteId}/rejected`;

/** Sends the text, rendered with the defaults, to one number; charged like any message, class transactional. */
export const testSend = operation({
  method: 'POST',
  path: '/api/v1/campaigns/tests',
  permission: 'campaigns-test',
  body: campaignContent
    .pick({ sender_id: true, content: true, defaults: true, flash: true, sms_validity: true })
    .extend({ number: label(40) }),
  reply: oneReply(z.object({ message_id: z.int(), parts: z.int(), cost: money(), text: z.string() })),
  status: 202,
  errors: [
    'test_number_missing',
    'sender_not_allowed',
    'flash_not_allowed',
    'text_too_long',
    'unknown_placeholder',
    'billing_account_missing',
    'billing_account_suspended',
    'insufficient_credit',
    'no_route',
  ],
});

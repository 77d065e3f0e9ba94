import { z } from 'zod';
import { id, idText, instant, label, money, reference } from '../kernel/fields.ts';
import { formatQuery } from '../kernel/file-format.ts';
import { MERGE_FIELDS } from '../kernel/merge-fields.ts';
import { NUMBER_FAULTS } from '../kernel/number-rules.ts';
import { operation } from '../kernel/operation.ts';
import { oneReply } from '../kernel/resource.ts';
import { columnMapping } from './recipient-file.ts';

const mergeValues = z.object(
  Object.fromEntries(MERGE_FIELDS.map((field) => [field, z.string().max(300).optional()])) as Record<
    (typeof MERGE_FIELDS)[number],
    z.ZodOptional<z.ZodString>
  >,
);

/** What a campaign is: everything that decides what is sent to whom. */
export const campaignContent = z.object({
  /** `multi`: each row of the file brings its own text, or the values of one that is written for all. */
  content_type: z.enum(['single', 'multi']).default('single'),
  sender_id: reference('sender-ids'),
  list_ids: z.array(reference('number-lists')).max(100).default([]),
  /** Pasted numbers, separated by commas, semicolons or new lines. */
  custom_numbers: z.string().max(200_000).default(''),
  /** Numbers that get nothing of this campaign, whatever lists or file they are in; written as `custom_numbers`. */
  blacklist_numbers: z.string().max(200_000).default(''),
  /** Reads numbers without a country code by the operator's rule; false refuses them. */
  read_national: z.boolean().default(true),
  /** An upload of `campaigns/files`. */
  file_id: id.nullable().default(null),
  /** What the columns of the file hold; null takes what their names say. */
  columns: columnMapping.nullable().default(null),
  /** The text; nothing where the file brings one for each. */
  content: z.string().max(1530).default(''),
  defaults: mergeValues.default({}),
  /** Refuses a number that lacks a value instead of filling in the default. */
  skip_default_param: z.boolean().default(false),
  flash: z.boolean().default(false),
  /** Hours a message may wait. */
  sms_validity: z.int().min(1).max(12).default(12),
  /** Every http and https address of the text becomes a short one of each recipient's own, whose clicks are counted. */
  short_links: z.boolean().default(false),
  /** Tells the number in the caller's profile when the campaign has ended. */
  notify_number: z.boolean().default(false),
});

/** Whether each row of the file brings its own whole text. */
export const bringsTexts = (content: {
  content_type?: 'single' | 'multi' | undefined;
  columns?: readonly (string | null)[] | null | undefined;
}): boolean => content.content_type === 'multi' && (content.columns?.includes('content') ?? false);

/** Why a row of the audience is not sent to. */
export const REJECT_REASONS = [
  ...NUMBER_FAULTS,
  'hidden_row',
  'duplicate',
  'left_out',
  'blacklisted',
  'opted_out',
  'blocked_text',
  'missing_value',
  'text_too_long',
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

/** What a quote says beside its sums; each part is empty until the quote is ready. */
export const quoteDetails = z.object({
  /** Numbers that were written without a country code, and are read with it. */
  national_count: z.int().default(0),
  /** By calling code, dearest first; `calling_code` is empty for numbers of no known country. */
  destinations: z
    .array(z.object({ calling_code: z.string(), count: z.int(), parts: z.int(), cost: money() }))
    .default([]),
  /** The rows that cost most, where they do not all cost the same. */
  dearest: z.array(z.object({ number: z.string(), text: z.string(), parts: z.int(), cost: money() })).default([]),
  /** What makes texts Unicode, and what is saved where all of it that can be replaced is. */
  unicode: z
    .object({
      characters: z.array(z.object({ character: z.string(), replacement: z.string().nullable(), rows: z.int() })),
      /** Rows that would be plain if their characters were replaced. */
      replaceable_count: z.int(),
      saved_sms: z.int(),
      saved_cost: money(),
    })
    .nullable()
    .default(null),
});

export const quoteRow = z.object({
  id,
  state: z.enum(['counting', 'ready', 'failed']),
  rows_read: z.int(),
  /** How many rows there may be, as far as it can be told before they are read. */
  rows_expected: z.int().nullable(),
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
  ...quoteDetails.shape,
  /** When the blackout time ends in which the campaign cannot start now; null for none. */
  blackout_until: instant.nullable(),
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
    'content_file_required',
    'notify_number_missing',
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
  query: formatQuery,
  reply: z.string(),
  errors: ['not_found'],
});
export const quoteRejectedPath = (quoteId: number) => `/api/v1/campaigns/quotes/${quoteId}/rejected`;

/** Sends the text as one recipient would get it to a number; charged like any message, class transactional. */
export const testSend = operation({
  method: 'POST',
  path: '/api/v1/campaigns/tests',
  permission: 'campaigns-test',
  body: campaignContent
    .pick({
      sender_id: true,
      content: true,
      defaults: true,
      skip_default_param: true,
      flash: true,
      sms_validity: true,
      short_links: true,
    })
    .extend({
      number: label(40),
      /** The values of the recipient whose text it is. */
      values: mergeValues.default({}),
      /** The text is a row's own: what stands in braces is no parameter. */
      literal: z.boolean().default(false),
    }),
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

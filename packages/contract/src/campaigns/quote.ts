import { z } from 'zod';
import { id, idText, instant, label, money, reference } from '../kernel/fields.ts';
import { formatQuery } from '../kernel/file-format.ts';
import { NUMBER_FAULTS } from '../kernel/number-rules.ts';
import { operation } from '../kernel/operation.ts';
import { personNumber, personText } from '../kernel/personal.ts';
import { oneReply } from '../kernel/resource.ts';
import { parameterLines } from '../links/vendor-parameters.ts';
import { quoteMargin } from '../margins/quote-margin.ts';
import { languageTexts } from '../templates/language-texts.ts';
import { languageCount } from './languages.ts';
import { mergeValues } from './merge-values.ts';
import { columnMapping } from './recipient-file.ts';
import { campaignSchedule } from './schedule.ts';

/** Content of a campaign: everything that decides its texts and its recipients. */
export const campaignContent = z.object({
  /** Kind of content. `multi`: each row of the file has its own text, or the values for one text written for all. */
  content_type: z.enum(['single', 'multi']).default('single'),
  sender_id: reference('sender-ids'),
  list_ids: z.array(reference('number-lists')).max(100).default([]),
  /** Segments of contacts. The quote finds their contacts, which stay the recipients, and keeps their rules. */
  segment_ids: z.array(reference('segments')).max(20).default([]),
  /** Pasted numbers, separated by commas, semicolons or new lines. */
  custom_numbers: z.string().max(200_000).default(''),
  /** Numbers that get nothing, even if a list or the file has them; written like `custom_numbers`. */
  blacklist_numbers: z.string().max(200_000).default(''),
  /** True reads numbers without a country code by the operator's rule; false refuses them. */
  read_national: z.boolean().default(true),
  /** Id of an upload of `campaigns/files`. */
  file_id: id.nullable().default(null),
  /** Content of the file's columns; null uses their names. */
  columns: columnMapping.nullable().default(null),
  /** Text; empty if the file has a text for each recipient. */
  content: z.string().max(1530).default(''),
  /** Texts for contacts of other languages, by the value of the contact field that the corporation marked as the language. */
  language_texts: languageTexts.default([]),
  defaults: mergeValues.default({}),
  /** True refuses a number without a value instead of using the default. */
  skip_default_param: z.boolean().default(false),
  /** True skips numbers that a lookup says nobody has. */
  skip_dead: z.boolean().default(false),
  flash: z.boolean().default(false),
  /** Maximum hours that a message may wait. */
  sms_validity: z.int().min(1).max(12).default(12),
  /** True replaces every http and https address of the text by a short one per recipient, and counts the clicks. */
  short_links: z.boolean().default(false),
  /** True sends a message to the number in the caller's profile when the campaign has ended. */
  notify_number: z.boolean().default(false),
  /** Values of vendor parameters for all its messages, as name=value. */
  parameters: parameterLines.default([]),
});

/** Returns whether each row of the file has its own complete text. */
export const bringsTexts = (content: {
  content_type?: 'single' | 'multi' | undefined;
  columns?: readonly (string | null)[] | null | undefined;
}): boolean => content.content_type === 'multi' && (content.columns?.includes('content') ?? false);

/** Reasons for which a row of the audience gets no message. */
export const REJECT_REASONS = [
  ...NUMBER_FAULTS,
  'hidden_row',
  'duplicate',
  'left_out',
  'blacklisted',
  'opted_out',
  'no_consent',
  'recipient_limit',
  'price_limit',
  'sender_not_registered',
  'dead_number',
  'blocked_text',
  'web_link',
  'no_template',
  'missing_value',
  'text_too_long',
] as const;
export type RejectReason = (typeof REJECT_REASONS)[number];

const sample = z.object({ number: personNumber(z.string()), text: personText(z.string()), parts: z.int() });
/** Details of a quote in addition to its sums; each is empty until the quote is ready. */
export const quoteDetails = z.object({
  /** Number of phone numbers written without a country code and read with it. */
  national_count: z.int().default(0),
  /** Messages by calling code, most expensive first; `calling_code` is empty for numbers of no known country. */
  destinations: z
    .array(z.object({ calling_code: z.string(), count: z.int(), parts: z.int(), cost: money() }))
    .default([]),
  /** Promotions that apply to the account, with their last day. Prices have them already. */
  promotions: z.array(z.object({ name: z.string(), ends_on: z.string() })).default([]),
  /** Most expensive rows, if not all rows cost the same. */
  dearest: z.array(sample.extend({ cost: money() })).default([]),
  /** Numbers that a lookup says nobody has, and what their messages cost; null for none. They are sent unless `skip_dead`. */
  dead: z.object({ count: z.int(), parts: z.int(), cost: money() }).nullable().default(null),
  /** Messages by the language of their text; null for the default text. Empty if the content has one text. */
  languages: z.array(languageCount).default([]),
  /** Characters that make texts Unicode, and the saving if all replaceable ones are replaced. */
  unicode: z
    .object({
      characters: z.array(z.object({ character: z.string(), replacement: z.string().nullable(), rows: z.int() })),
      /** Number of rows that would be plain if their characters were replaced. */
      replaceable_count: z.int(),
      saved_sms: z.int(),
      saved_cost: money(),
    })
    .nullable()
    .default(null),
});

/** Sending limit that has too little left for a campaign, in words for people. */
export const limitRefusal = z.object({ name: z.string(), limit: z.string(), needed: z.string(), left: z.string() });

export const quoteRow = z.object({
  id,
  state: z.enum(['counting', 'ready', 'failed']),
  rows_read: z.int(),
  /** Estimated number of rows before they are read; null if unknown. */
  rows_expected: z.int().nullable(),
  /** Number of messages that would be sent. */
  total_count: z.int(),
  /** Number of parts that would be sent and charged. */
  total_sms: z.int(),
  gsm_count: z.int(),
  unicode_count: z.int(),
  rejected_count: z.int(),
  rejected: z.partialRecord(z.enum(REJECT_REASONS), z.int()),
  cost: money(),
  currency: z.string(),
  credit_balance: money({ signed: true }),
  balance_after: money({ signed: true }),
  /** True if the cost is above the account's warning limit, so that it must be confirmed. */
  cost_warning: z.boolean(),
  /** True if the cost is more than ten times the warning limit, so that the person must type the number of messages. */
  far_above_warning: z.boolean(),
  /** Usual cost of a campaign of this account; null if it is not needed, or nothing was sent before. */
  usual_cost: money().nullable(),
  /** Reason for which the campaign would be refused now: an error code. */
  refusal: z.string().nullable(),
  /** Limit behind the refusal `sending_limit_reached`; null for every other. */
  limit_refusal: limitRefusal.nullable(),
  /** Expected margin for the platform's people; null for everybody else, or if nothing is judged. */
  margin: quoteMargin.nullable(),
  ...quoteDetails.shape,
  /** End of the blackout time that now keeps the campaign from starting; null for none. */
  blackout_until: instant.nullable(),
  samples: z.array(sample),
  /** True if the caller must ask for approval, false if they may run the campaign. */
  needs_approval: z.boolean(),
  /** Address of the CSV of rejected numbers, if there are any. */
  rejected_file: z.string().nullable(),
  error_code: z.string().nullable(),
  created_at: instant,
});

/** Counts and prices a campaign without sending. Answers immediately and counts in the background. */
export const createQuote = operation({
  method: 'POST',
  path: '/api/v1/campaigns/quotes',
  permission: 'campaigns-create',
  body: campaignContent,
  reply: oneReply(quoteRow),
  status: 202,
  errors: [
    'audience_empty',
    'segment_incomplete',
    'sender_not_allowed',
    'template_required',
    'flash_not_allowed',
    'text_too_long',
    'unknown_placeholder',
    'content_file_required',
    'notify_number_missing',
    'billing_account_missing',
    'no_route',
    'destination_unavailable',
    'sender_not_registered',
  ],
});

/** Counts and prices a campaign while it is written. Large audiences are counted by a part of their rows. */
export const estimateCampaign = operation({
  method: 'POST',
  path: '/api/v1/campaigns/estimate',
  permission: 'campaigns-create',
  body: campaignContent,
  reply: oneReply(
    z.object({
      /** Number of messages; null if a file does not show its number of rows. */
      total_count: z.int().nullable(),
      total_sms: z.int().nullable(),
      rejected_count: z.int().nullable(),
      cost: money().nullable(),
      currency: z.string(),
      credit_balance: money({ signed: true }),
      balance_after: money({ signed: true }).nullable(),
      /** True if every row was read, so that a quote has the same figures. */
      exact: z.boolean(),
    }),
  ),
  errors: [...createQuote.errors, 'segment_too_large'],
});

export const getQuote = operation({
  method: 'GET',
  path: '/api/v1/campaigns/quotes/:id',
  permission: 'campaigns-create',
  params: z.object({ id: idText }),
  reply: oneReply(quoteRow),
  errors: ['not_found'],
});

const startVerdict = z.object({
  /** Moment of the start. */
  at: instant,
  /** Messages that would wait for sending hours or the campaign's quiet time, and the end of the longest wait; null for none. */
  hours_wait: z.object({ messages: z.int(), until: instant }).nullable(),
  /** Error code for which this start would be refused: `outside_hours`, `blackout_time` or `sending_limit_reached`. */
  refusal: z.enum(['outside_hours', 'blackout_time', 'sending_limit_reached']).nullable(),
  /** First moment that hours or the blackout time would not refuse; null if there is none, or nothing is refused. */
  allowed_from: instant.nullable(),
  /** Limit behind the refusal `sending_limit_reached`; null for every other. */
  limit_refusal: limitRefusal.nullable(),
});
export type StartVerdict = z.output<typeof startVerdict>;

/** Tells what hours, blackout time and limits say about a start of a quoted campaign. It stores nothing. */
export const judgeStart = operation({
  method: 'POST',
  path: '/api/v1/campaigns/quotes/:id/start',
  permission: 'campaigns-create',
  params: z.object({ id: idText }),
  body: z.object({ schedule: campaignSchedule }),
  reply: oneReply(
    z.object({
      timezone: z.string().describe("Corporation's time zone, in which the schedule is written."),
      start: startVerdict,
      /** Second run of a repeated campaign; null if there is none. */
      next: startVerdict.nullable(),
    }),
  ),
  errors: ['not_found', 'changed_meanwhile'],
});

/** Returns the CSV of the numbers that a quote left out (source, line, number as given, reason), as an attachment. */
export const quoteRejected = operation({
  method: 'GET',
  path: '/api/v1/campaigns/quotes/:id/rejected',
  permission: 'campaigns-create',
  params: z.object({ id: idText }),
  query: formatQuery,
  reply: z.string(),
  errors: ['not_found', 'numbers_hidden'],
});
export const quoteRejectedPath = (quoteId: number) => `/api/v1/campaigns/quotes/${quoteId}/rejected`;

/** Sends the text of one recipient to a given number. It is charged like any message; its class is transactional. */
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
      parameters: true,
    })
    .extend({
      number: label(40),
      /** Values of the recipient for the text. */
      values: mergeValues.default({}),
      /** True if the text is a row's own: words in braces are not parameters. */
      literal: z.boolean().default(false),
    }),
  reply: oneReply(z.object({ message_id: z.int(), parts: z.int(), cost: money(), text: personText(z.string()) })),
  status: 202,
  errors: [
    'test_number_missing',
    'sender_not_allowed',
    'template_required',
    'flash_not_allowed',
    'text_too_long',
    'unknown_placeholder',
    'billing_account_missing',
    'billing_account_suspended',
    'billing_account_held',
    'insufficient_credit',
    'sending_limit_reached',
    'price_above_limit',
    'no_route',
    'destination_unavailable',
    'sender_not_registered',
  ],
});

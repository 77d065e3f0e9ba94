import { z } from 'zod';
import { id, idText, instant, label, money, reference } from '../kernel/fields.ts';
import { pageQuery, pageReply } from '../kernel/listing.ts';
import { operation } from '../kernel/operation.ts';
import { personText } from '../kernel/personal.ts';
import { oneReply } from '../kernel/resource.ts';
import { CAMPAIGN_STATES } from '../kernel/states.ts';
import { shownTimeZone } from '../kernel/time-zones.ts';
import { createCampaign } from './campaign.ts';
import { conversionName } from './conversion-name.ts';
import { campaignContent, createQuote } from './quote.ts';
import { campaignSchedule } from './schedule.ts';

/** Most variants of a test. */
export const MOST_VARIANTS = 5;

/** Returns the letter that shows a variant, by its place from 1. */
export const letterOf = (place: number): string => String.fromCharCode(64 + place);

/**
 * Results that may decide a test; each is a count of recipients, but `converted` of reports. A further one needs its count
 * in `test-figures.ts`.
 */
export const TEST_METRICS = ['clicked', 'replied', 'delivered', 'converted'] as const;
export type TestMetric = (typeof TEST_METRICS)[number];

/** States of a test: priced, samples under way, waiting for a person, rest being counted, and the two ends. */
export const TEST_STATES = ['draft', 'running', 'waiting', 'counting', 'finished', 'stopped'] as const;

/** Decision about the rest: by the program if it is certain enough, or always by a person. */
export const TEST_DECIDES = ['automatic', 'by_hand'] as const;

/** Rule for a test that is decided automatically and is not certain enough: the best so far, the first, or a person. */
export const TEST_FALLBACKS = ['best', 'first', 'by_hand'] as const;

/** Reasons for which a test waits for a person. Any other is the code of an error that the rest met. */
export const TEST_WAITS = ['decision', 'uncertain', 'sample_failed', 'rest_dearer', 'person_left'] as const;

const setUp = z.object({
  name: label(150),
  metric: z.enum(TEST_METRICS),
  /** Event of the conversions that `converted` counts; null for the other results. */
  event_name: conversionName.nullable(),
  /** Per cent of the recipients that all samples have together; at 100 there is no rest. */
  share_percent: z.int().min(1).max(100),
  /** Hours between the start of the last sample and the decision. */
  decide_after_hours: z.int().min(1).max(720),
  /** Chance of being the best that a variant needs, in per cent. */
  certainty_percent: z.int().min(50).max(99),
  decides: z.enum(TEST_DECIDES),
  fallback: z.enum(TEST_FALLBACKS),
});

/** Part of a campaign's content in which variants may differ. */
const variantInput = campaignContent
  .pick({ sender_id: true, content: true })
  .extend({ start: campaignSchedule.shape.start });

const figures = z.object({
  /** Recipients of the sample whose message was sent or tried. */
  recipients: z.int(),
  /** Recipients with the result that decides. */
  successes: z.int(),
  /** Share of successes, and the interval that contains the true share with a chance of 95 %. */
  rate: z.number(),
  low: z.number(),
  high: z.number(),
  /** Chance that this variant is the best. */
  best: z.number(),
  /** Share of successes that is lost on average if this variant is chosen and another is better. */
  loss: z.number(),
});

const priced = z.object({
  state: z.enum(['counting', 'ready', 'failed']),
  total_count: z.int(),
  rejected_count: z.int(),
  cost: money(),
  /** Reason for which the campaign would be refused: an error code. */
  refusal: z.string().nullable(),
});

const variantRow = z.object({
  /** Place from 1; shown as a letter. */
  place: z.int(),
  sender_id: reference('sender-ids'),
  sender: z.string(),
  /** Text; null if the caller may not read texts. */
  content: personText(z.string()).nullable(),
  start: z.string().nullable(),
  sample: priced,
  /** Rest with this variant, as it was counted before the start; null without a rest. */
  rest: priced.nullable(),
  campaign_id: z.int().nullable(),
  campaign_state: z.enum(CAMPAIGN_STATES).nullable(),
  figures: figures.nullable(),
});

const row = setUp.extend({
  id,
  corporation_id: z.int(),
  corporation_name: z.string(),
  user_name: z.string(),
  state: z.enum(TEST_STATES),
  waits_for: z.string().nullable(),
  variants: z.int(),
  /** Place of the variant that the rest gets; null before the decision. */
  winner: z.int().nullable(),
  decided_by: z.enum(['certainty', 'fallback', 'person']).nullable(),
  created_at: instant,
  started_at: instant.nullable(),
  decided_at: instant.nullable(),
  finished_at: instant.nullable(),
});

const detail = row.omit({ variants: true }).extend({
  timezone: shownTimeZone,
  currency: z.string(),
  credit_balance: money({ signed: true }),
  variants: z.array(variantRow),
  /** Price of all samples, and of the rest with its most expensive variant; null until all is counted. */
  cost: z.object({ samples: money(), rest: money(), total: money() }).nullable(),
  /** Time of the decision; null before every sample has started. */
  decides_at: instant.nullable(),
  /** Cost of the rest as it was counted after the decision; null before. */
  rest_cost: money().nullable(),
  /** Cost of the rest that a person confirmed; null before the start. */
  max_rest_cost: money().nullable(),
  rest_campaign_id: z.int().nullable(),
  rest_campaign_state: z.enum(CAMPAIGN_STATES).nullable(),
  /** Actions of the caller; without `run`, the campaigns that they start ask for an approval. */
  abilities: z.object({ start: z.boolean(), choose: z.boolean(), stop: z.boolean(), run: z.boolean() }),
});

const one = { params: z.object({ id: idText }), reply: oneReply(detail) };

/** Lists the tests that the caller may see, without those that were never started. */
export const listCampaignTests = operation({
  method: 'GET',
  path: '/api/v1/campaign-tests',
  permission: 'campaigns-index',
  query: pageQuery(['created_at', 'name', 'state']).extend({
    state: z.enum(TEST_STATES).exclude(['draft']).optional(),
  }),
  reply: pageReply(row),
});

export const getCampaignTest = operation({
  method: 'GET',
  path: '/api/v1/campaign-tests/:id',
  permission: 'campaigns-show',
  ...one,
  errors: ['not_found'],
});

/** Splits the recipients, and counts and prices every sample and the rest. Nothing is sent before the start. */
export const createCampaignTest = operation({
  method: 'POST',
  path: '/api/v1/campaign-tests',
  permission: 'campaigns-create',
  body: setUp.extend({
    event_name: setUp.shape.event_name.default(null),
    /** Recipients and settings that all variants share. */
    common: campaignContent.omit({ sender_id: true, content: true }),
    /** Quiet time and pace of every campaign of the test. */
    schedule: campaignSchedule.pick({ quiet: true, spread_minutes: true }).prefault({}),
    variants: z.array(variantInput).min(2).max(MOST_VARIANTS),
  }),
  reply: one.reply,
  status: 202,
  errors: createQuote.errors,
});

/** Starts the samples of a test. The cost is the one that the person saw; the rest never costs more without a person. */
export const startCampaignTest = operation({
  method: 'POST',
  path: '/api/v1/campaign-tests/:id/start',
  permission: 'campaigns-create',
  ...one,
  body: z.object({ confirmed_cost: money() }),
  errors: ['not_found', 'invalid_transition', ...createCampaign.errors],
});

/** Chooses the variant that the rest gets. If it costs more than the given amount, the test waits for a person again. */
export const chooseVariant = operation({
  method: 'POST',
  path: '/api/v1/campaign-tests/:id/choose',
  permission: 'campaigns-create',
  ...one,
  body: z.object({ variant: z.int().min(1).max(MOST_VARIANTS), max_cost: money() }),
  errors: ['not_found', 'invalid_transition'],
});

/** Ends a test. Its rest is not sent, and what has not left of the samples is cancelled. */
export const stopCampaignTest = operation({
  method: 'POST',
  path: '/api/v1/campaign-tests/:id/stop',
  permission: 'running-campaigns-stop',
  ...one,
  errors: ['not_found', 'invalid_transition'],
});

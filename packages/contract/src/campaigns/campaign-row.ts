import { z } from 'zod';
import { id, instant, money } from '../kernel/fields.ts';
import { abilities } from '../kernel/resource.ts';
import { CAMPAIGN_STATES } from '../kernel/states.ts';
import { shownTimeZone } from '../kernel/time-zones.ts';
import { campaignSchedule } from './schedule.ts';

/** Why a campaign is paused: by somebody, by the corporation's blackout time, or by the rule of its canary. */
const PAUSE_REASONS = ['person', 'blackout', 'canary', 'switched_off'] as const;

/** Messages by what became of them, kept by the transactions that record outcomes. */
const campaignCounters = z.object({
  /** Handed over or finally decided: everything that no longer waits. */
  processed: z.int(),
  /** Refused by the carrier for now; they are sent again, and are not among the processed. */
  waiting: z.int(),
  /** Accepted by the carrier. */
  submitted: z.int(),
  delivered: z.int(),
  failed: z.int(),
  expired: z.int(),
  /** Never handed to a carrier; not among the failed. */
  blocked: z.int(),
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
  schedule: campaignSchedule,
  /** The corporation's time zone, in which the schedule is meant. */
  timezone: shownTimeZone,
  /** Null where it runs at once. */
  starts_at: instant.nullable(),
  ends_at: instant.nullable(),
  /** By when its last message is to leave. */
  spread_until: instant.nullable(),
  pause_reason: z.enum(PAUSE_REASONS).nullable(),
  /** When it goes on by itself. */
  resumes_at: instant.nullable(),
  canary_state: z.enum(['sending', 'watching', 'passed', 'failed']).nullable(),
  /** Messages of the part that goes first, and until when it is watched. */
  canary_count: z.int().nullable(),
  canary_until: instant.nullable(),
  /** What an approval is bound to: text, audience, sender, schedule and cost as they stand. */
  fingerprint: z.string(),
  approved_by_name: z.string().nullable(),
  approved_at: instant.nullable(),
  /** Of a campaign that repeats. */
  series_id: z.int().nullable(),
  occurrence: z.int().nullable(),
  abilities: abilities.extend({
    stop: z.boolean(),
    pause: z.boolean(),
    resume: z.boolean(),
    approve: z.boolean(),
    discard: z.boolean(),
    /** Take back one's own request for an approval. */
    cancel: z.boolean(),
    /** Stop or move what is scheduled. */
    unschedule: z.boolean(),
    reschedule: z.boolean(),
    /** End the campaigns that would follow by repetition. */
    end_series: z.boolean(),
  }),
});

const TRANSITION_REASONS = [
  'blackout',
  'blackout_over',
  'switched_off',
  'switched_on',
  'canary',
  'window_over',
  'edited',
  'cancelled',
  'rescheduled',
  'approval_void',
  'restored',
] as const;

export type TransitionReason = (typeof TRANSITION_REASONS)[number];

/** The campaign's timeline: each transition with its time and person. */
export const campaignTransitionRow = z.object({
  created_at: instant,
  from_state: z.enum(CAMPAIGN_STATES).nullable(),
  to_state: z.enum(CAMPAIGN_STATES),
  user_name: z.string().nullable(),
  note: z.string().nullable(),
  /** Why it happened where nobody did it, or what an edit changed. */
  reason: z.enum(TRANSITION_REASONS).nullable(),
});

/** Messages that wait for the recipients' morning, by the zone of their numbers. */
export const releaseRow = z.object({
  /** IANA names joined by commas. */
  zone: z.string(),
  messages: z.int(),
  /** Null while they may leave. */
  release_at: instant.nullable(),
});

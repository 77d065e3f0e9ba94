import { z } from 'zod';
import { id, instant, money } from '../kernel/fields.ts';
import { personText } from '../kernel/personal.ts';
import { abilities } from '../kernel/resource.ts';
import { CAMPAIGN_STATES } from '../kernel/states.ts';
import { shownTimeZone } from '../kernel/time-zones.ts';
import { campaignSchedule } from './schedule.ts';

/**
 * Reasons of a pause: a person, the corporation's blackout time, the rule of the canary, a corporation or department
 * that is switched off, a sender ID that may not be used, a decision of the platform that is awaited, payments that are
 * overdue, or too many opt-outs.
 */
const PAUSE_REASONS = [
  'person',
  'blackout',
  'canary',
  'switched_off',
  'sender',
  'moderation',
  'unpaid',
  'opt_outs',
] as const;

/** Numbers of messages by outcome; the transactions that record outcomes update them. */
const campaignCounters = z.object({
  /** Messages that no longer wait: handed over, or with a final state. */
  processed: z.int(),
  /** Messages that the carrier refused for now; they are sent again and do not count as processed. */
  waiting: z.int(),
  /** Messages that the carrier accepted. */
  submitted: z.int(),
  delivered: z.int(),
  failed: z.int(),
  expired: z.int(),
  /** Messages never handed to a carrier; they do not count as failed. */
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
  /** Text; null if the caller may not read texts. */
  content: personText(z.string()).nullable(),
  flash: z.boolean(),
  sms_validity: z.int(),
  state: z.enum(CAMPAIGN_STATES),
  /** Reason why the campaign was rejected or failed: an error code. */
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
  /** Time zone of the corporation; the schedule uses it. */
  timezone: shownTimeZone,
  /** Start; null if the campaign runs immediately. */
  starts_at: instant.nullable(),
  ends_at: instant.nullable(),
  /** Time by which the last message is to leave. */
  spread_until: instant.nullable(),
  pause_reason: z.enum(PAUSE_REASONS).nullable(),
  /** Time at which the campaign resumes automatically. */
  resumes_at: instant.nullable(),
  canary_state: z.enum(['sending', 'watching', 'passed', 'failed']).nullable(),
  /** Number of messages in the part that goes first, and the time until which it is watched. */
  canary_count: z.int().nullable(),
  canary_until: instant.nullable(),
  /** Seconds left in which its creator can undo the campaign before it starts; null if it does not wait for that. */
  undo_seconds: z.number().nullable(),
  /** Fingerprint that an approval is bound to: it covers the present text, audience, sender, schedule and cost. */
  fingerprint: z.string(),
  approved_by_name: z.string().nullable(),
  approved_at: instant.nullable(),
  /** Series and occurrence of a campaign that repeats. */
  series_id: z.int().nullable(),
  occurrence: z.int().nullable(),
  abilities: abilities.extend({
    stop: z.boolean(),
    pause: z.boolean(),
    resume: z.boolean(),
    approve: z.boolean(),
    discard: z.boolean(),
    /** Whether the caller may withdraw their own request for an approval. */
    cancel: z.boolean(),
    /** Whether the caller may remind the supervisors of it. */
    remind: z.boolean(),
    /** Whether the caller may stop or move a scheduled campaign. */
    unschedule: z.boolean(),
    reschedule: z.boolean(),
    /** Whether the caller may end the repetition of the campaign. */
    end_series: z.boolean(),
    /** Whether the caller may undo the sending of the campaign. */
    undo: z.boolean(),
    rename: z.boolean(),
  }),
});

const TRANSITION_REASONS = [
  'blackout',
  'blackout_over',
  'switched_off',
  'switched_on',
  'unpaid',
  'paid',
  'sender',
  'canary',
  'window_over',
  'edited',
  'cancelled',
  'undone',
  'rescheduled',
  'approval_void',
  'restored',
  'reminded',
  'moderation',
  'moderation_passed',
  'moderation_refused',
  'opt_outs',
] as const;

export type TransitionReason = (typeof TRANSITION_REASONS)[number];

/** An entry of the campaign's timeline: a transition with its time and person. */
export const campaignTransitionRow = z.object({
  created_at: instant,
  from_state: z.enum(CAMPAIGN_STATES).nullable(),
  to_state: z.enum(CAMPAIGN_STATES),
  user_name: z.string().nullable(),
  note: z.string().nullable(),
  /** Reason of a transition that no person made, or kind of change that an edit made. */
  reason: z.enum(TRANSITION_REASONS).nullable(),
});

/** Messages that wait for their recipients' morning, by the time zone of their numbers. */
export const releaseRow = z.object({
  /** IANA names joined by commas. */
  zone: z.string(),
  messages: z.int(),
  /** Time at which the messages may leave; null if they may leave now. */
  release_at: instant.nullable(),
});

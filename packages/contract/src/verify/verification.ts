import { z } from 'zod';
import { id, instant, money, msisdn } from '../kernel/fields.ts';
import { listing } from '../kernel/listing.ts';
import { personText } from '../kernel/personal.ts';

/** States of a verification. `refused` was stopped by the guard, and no code was sent. */
export const VERIFICATION_STATES = ['pending', 'approved', 'failed', 'expired', 'cancelled', 'refused'] as const;
export type VerificationState = (typeof VERIFICATION_STATES)[number];

/** Decisions of the guard: `would_refuse` is one in shadow mode, whose code was sent. */
export const GUARD_DECISIONS = ['allowed', 'would_refuse', 'refused'] as const;
export type GuardDecision = (typeof GUARD_DECISIONS)[number];

/** Signals by which the guard decides. */
export const GUARD_SIGNALS = [
  'country',
  'number',
  'address',
  'device',
  'block',
  'prefix',
  'conversion',
  'reputation',
] as const;
export type GuardSignalName = (typeof GUARD_SIGNALS)[number];

/** Signal with the figure that was counted and its limit; a signal of a list has its reason. */
export const guardSignal = z.object({
  signal: z.enum(GUARD_SIGNALS),
  figure: z.number().nullable(),
  limit: z.number().nullable(),
  reason: personText(z.string().nullable()),
});
export type GuardSignal = z.output<typeof guardSignal>;

/** Verifications of phone numbers, the newest first. */
export const listVerifications = listing({
  path: '/api/v1/verifications',
  permission: 'verify-services-show',
  row: z.object({
    id,
    corporation_id: id,
    corporation_name: z.string(),
    service_id: id,
    service_name: z.string(),
    number: msisdn,
    state: z.enum(VERIFICATION_STATES),
    decision: z.enum(GUARD_DECISIONS),
    signals: z.array(guardSignal),
    messages: z.int(),
    /** Wrong and right codes that were entered. */
    checks: z.int(),
    /** Reserved amount of its messages. */
    price: money(),
    /** Amount that a refusal has saved, or would have saved. */
    saved: money(),
    currency: z.string(),
    created_at: instant,
    done_at: instant.nullable(),
    is_test: z.boolean(),
  }),
  filters: z.object({
    service_id: z.coerce.number().int().optional(),
    state: z.enum(VERIFICATION_STATES).optional(),
    decision: z.enum(GUARD_DECISIONS).optional(),
    number: z.string().trim().max(20).optional(),
  }),
  errors: ['cursor_invalid'],
});

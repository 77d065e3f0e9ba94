import { z } from 'zod';
import { money } from '../kernel/fields.ts';
import { operation } from '../kernel/operation.ts';
import { personText } from '../kernel/personal.ts';
import { doneReply, idParams } from '../kernel/resource.ts';
import { GUARD_SIGNALS } from './verification.ts';

/** Days of a report. */
export const GUARD_DAYS = [1, 7, 30] as const;

const decided = z.object({
  /** Starts that were refused, or would have been. */
  starts: z.int(),
  /** Starts among them whose code was entered: people that the guard takes for false traffic. */
  approved: z.int(),
  saved: money(),
});

/** Returns what the guard of a service has decided in the last days. */
export const guardReport = operation({
  method: 'GET',
  path: '/api/v1/verify-services/:id/guard',
  permission: 'verify-services-show',
  params: idParams,
  query: z.object({
    days: z.coerce
      .number()
      .refine((days) => (GUARD_DAYS as readonly number[]).includes(days), { error: 'invalid' })
      .default(7),
  }),
  reply: z.object({
    data: z.object({
      starts: z.int(),
      approved: z.int(),
      currency: z.string(),
      /** Shadow mode: codes that were sent and would have been refused. */
      would_refuse: decided,
      refused: decided,
      signals: z.array(decided.extend({ signal: z.enum(GUARD_SIGNALS) })),
    }),
  }),
  errors: ['not_found'],
});

/** Most lines of a reputation list. */
export const MOST_REPUTATION_LINES = 20_000;

/**
 * Replaces the reputation list of a service. A line has a beginning of numbers (3 digits or more), an address, or a network
 * (/16, /24, /48 or /64), then a comma and a reason.
 */
export const setReputation = operation({
  method: 'PUT',
  path: '/api/v1/verify-services/:id/reputation',
  permission: 'verify-services-edit',
  params: idParams,
  body: z.object({ lines: personText(z.string().max(2_000_000)) }),
  reply: doneReply,
  errors: ['not_found'],
});

/** Returns the reputation list of a service, as lines. */
export const getReputation = operation({
  method: 'GET',
  path: '/api/v1/verify-services/:id/reputation',
  permission: 'verify-services-show',
  params: idParams,
  reply: z.object({ data: z.object({ lines: personText(z.string()) }) }),
  errors: ['not_found'],
});

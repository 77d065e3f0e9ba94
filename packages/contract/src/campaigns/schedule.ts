import { z } from 'zod';
import { day, timeOfDay } from '../kernel/fields.ts';

/** A date and time in the corporation's time zone, such as 2026-12-24T09:30. */
const wallTime = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d$/, { error: 'wall_time' });

export const REPEATS = ['daily', 'weekly', 'monthly'] as const;

/** Schedule and brakes of a campaign. Times are in the corporation's time zone; every field is optional. */
export const campaignSchedule = z.object({
  /** Start; null for immediately. */
  start: wallTime.nullable().default(null),
  /** End; messages that have not left by then are cancelled. */
  end: wallTime.nullable().default(null),
  /** Quiet time: no message leaves while it is this time for the recipient, by the country of the number. */
  quiet: z.object({ from: timeOfDay, to: timeOfDay }).nullable().default(null),
  /** Minutes over which messages are spread evenly; null for as fast as possible. */
  spread_minutes: z.int().min(1).max(720).nullable().default(null),
  /** Canary: a small part goes first; the rest follows only if that part succeeds. */
  canary: z
    .object({
      percent: z.int().min(1).max(50).default(1),
      /** Minutes for which receipts and opt-outs are watched after the part has left. */
      watch_minutes: z.int().min(1).max(240).default(15),
      max_failed_percent: z.int().min(0).max(100).default(20),
      max_opt_out_percent: z.int().min(0).max(100).default(5),
    })
    .nullable()
    .default(null),
  /** Repetition at the same time of day, up to and including a date. */
  repeat: z
    .object({ every: z.enum(REPEATS), until: day })
    .nullable()
    .default(null),
});

export type CampaignSchedule = z.output<typeof campaignSchedule>;

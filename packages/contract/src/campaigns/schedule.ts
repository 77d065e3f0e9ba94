import { z } from 'zod';
import { day, timeOfDay } from '../kernel/fields.ts';

/** A date and time as the clock of the corporation's time zone shows it, such as 2026-12-24T09:30. */
const wallTime = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d$/, { error: 'wall_time' });

export const REPEATS = ['daily', 'weekly', 'monthly'] as const;

/** When a campaign runs and what holds it back. Times are the corporation's; everything may be left out. */
export const campaignSchedule = z.object({
  /** From when on; null for at once. */
  start: wallTime.nullable().default(null),
  /** What has not left by then is cancelled. */
  end: wallTime.nullable().default(null),
  /** No message leaves while the recipient's clock shows this time, by the country of the number. */
  quiet: z.object({ from: timeOfDay, to: timeOfDay }).nullable().default(null),
  /** Minutes over which the messages are spread evenly; null for as fast as possible. */
  spread_minutes: z.int().min(1).max(720).nullable().default(null),
  /** A small part goes first; the rest follows only where that goes well. */
  canary: z
    .object({
      percent: z.int().min(1).max(50).default(1),
      /** How long receipts and opt-outs are watched once the part has left. */
      watch_minutes: z.int().min(1).max(240).default(15),
      max_failed_percent: z.int().min(0).max(100).default(20),
      max_opt_out_percent: z.int().min(0).max(100).default(5),
    })
    .nullable()
    .default(null),
  /** Again at the same time of day, up to and with a date. */
  repeat: z
    .object({ every: z.enum(REPEATS), until: day })
    .nullable()
    .default(null),
});

export type CampaignSchedule = z.output<typeof campaignSchedule>;

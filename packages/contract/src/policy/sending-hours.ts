import { z } from 'zod';
import { label, timeOfDay } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

const input = z.object({
  name: label(100),
  /** Country of the recipients, by its calling code; null for every country. */
  calling_code: z
    .string()
    .regex(/^\d{1,4}$/, { error: 'calling_code' })
    .nullable(),
  /** First minute of the day in which messages may leave, in the recipient's time zone. */
  start_time: timeOfDay,
  /**
   * End of the hours; this minute is not included. If it is before the start, the hours pass midnight; if both are
   * equal, it is the whole day.
   */
  end_time: timeOfDay,
  /**
   * Messages that keep to the hours: commercial ones, or all except one-time codes. Commercial are campaigns, messages
   * of the class bulk, and everything from promotional sender IDs.
   */
  covers: z.enum(['commercial', 'all']),
  /** Outside the hours, messages wait or are refused. */
  outside: z.enum(['wait', 'refuse']),
  enabled: z.boolean(),
});

/** Hours in which people may get messages. They hold for the console, the API and SMPP; the strictest ones count. */
export const sendingHours = resource({
  name: 'sending-hours',
  row: input,
  create: input.extend({
    calling_code: input.shape.calling_code.default(null),
    covers: input.shape.covers.default('commercial'),
    outside: input.shape.outside.default('wait'),
    enabled: z.boolean().default(true),
  }),
  update: input.partial(),
  filters: z.object({ enabled: z.stringbool().optional() }),
  sort: ['name', 'calling_code', 'start_time', 'end_time', 'created_at'],
  title: 'name',
  conflicts: { sending_hours_name_key: 'sending_hours_already_exist' },
});

/** Hours for commercial messages to the Philippines, as the guide explains them. */
export const PHILIPPINE_HOURS = {
  calling_code: '63',
  start_time: '07:00',
  end_time: '21:00',
  covers: 'commercial',
  outside: 'wait',
} as const;

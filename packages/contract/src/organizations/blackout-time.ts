import { z } from 'zod';
import { reference } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';

/** A time of day in the corporation's time zone, such as 21:30. */
const timeOfDay = z
  .string()
  .trim()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'time_of_day' });

const input = z.object({
  corporation_id: reference('corporations'),
  /** From this minute on; a window whose end is not after its start passes midnight, and of equal ones is the whole day. */
  start_time: timeOfDay,
  /** Up to this minute, which is outside. */
  end_time: timeOfDay,
  enabled: z.boolean(),
});

export const blackoutTime = resource({
  name: 'blackout-time',
  row: input.extend({ corporation_name: z.string(), timezone: z.string() }),
  create: input.extend({ enabled: z.boolean().default(true) }),
  update: input.omit({ corporation_id: true }).partial(),
  filters: z.object({ corporation_id: z.coerce.number().int().optional(), enabled: z.stringbool().optional() }),
  sort: ['corporation_name', 'start_time', 'end_time', 'created_at'],
  title: 'corporation_name',
  conflicts: { blackout_time_corporation_id_key: 'blackout_time_already_configured' },
});

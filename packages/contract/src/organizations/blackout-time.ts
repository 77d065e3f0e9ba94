import { z } from 'zod';
import { reference, timeOfDay } from '../kernel/fields.ts';
import { resource } from '../kernel/resource.ts';
import { shownTimeZone } from '../kernel/time-zones.ts';

const input = z.object({
  corporation_id: reference('corporations'),
  /**
   * First minute, in the corporation's time zone. If the end is not after the start, the time passes midnight; if both
   * are equal, it is the whole day.
   */
  start_time: timeOfDay,
  /** End, in the same time zone; this minute is not included. */
  end_time: timeOfDay,
  /** True holds commercial messages of programs too; otherwise only campaigns keep to the blackout time. */
  programs: z.boolean(),
  enabled: z.boolean(),
});

export const blackoutTime = resource({
  name: 'blackout-time',
  row: input.extend({ corporation_name: z.string(), timezone: shownTimeZone }),
  create: input.extend({ programs: z.boolean().default(false), enabled: z.boolean().default(true) }),
  update: input.omit({ corporation_id: true }).partial(),
  filters: z.object({ corporation_id: z.coerce.number().int().optional(), enabled: z.stringbool().optional() }),
  sort: ['corporation_name', 'start_time', 'end_time', 'created_at'],
  title: 'corporation_name',
  conflicts: { blackout_time_corporation_id_key: 'blackout_time_already_configured' },
});

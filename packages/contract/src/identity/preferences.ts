import { z } from 'zod';
import { shownTimeZone, timeZone } from '../kernel/time-zones.ts';

/** Choices for the number of rows per page of a list. */
export const PAGE_SIZES = [10, 25, 50, 100, 200] as const;
/** Formats of a date: that of the language, 2026-02-28, 28/02/2026 or 02/28/2026. */
export const DATE_FORMATS = ['language', 'iso', 'day_first', 'month_first'] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];
/**
 * Kinds of emails that a person can get. `approval`: a campaign waits for their approval. `finished`: their own
 * campaign was decided or has finished. `balance`: a balance crossed a limit.
 */
export const MAIL_KINDS = ['approval', 'finished', 'balance'] as const;

/** Preferences of a person for the console. */
export const preferences = z.object({
  page_size: z.literal(PAGE_SIZES),
  /** IANA name of the time zone in which times are shown; null for the corporation's. */
  timezone: shownTimeZone.nullable(),
  date_format: z.enum(DATE_FORMATS),
  mail_kinds: z.array(z.enum(MAIL_KINDS)).max(MAIL_KINDS.length),
  /** Whether the person has taken or skipped the guided tour. */
  tour_seen: z.boolean(),
});
export type Preferences = z.output<typeof preferences>;

/** Preferences of a person who has chosen none. */
export const USUAL_PREFERENCES: Preferences = {
  page_size: 25,
  timezone: null,
  date_format: 'language',
  mail_kinds: ['approval', 'balance'],
  tour_seen: false,
};

/** Change of preferences; each field is optional. */
export const preferencesChange = preferences.extend({ timezone: timeZone.nullable() }).partial();

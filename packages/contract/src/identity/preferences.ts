import { z } from 'zod';
import { shownTimeZone, timeZone } from '../kernel/time-zones.ts';

/** Rows a page of a list may have. */
export const PAGE_SIZES = [10, 25, 50, 100, 200] as const;
/** How a date is written: as the language does, 2026-02-28, 28/02/2026 or 02/28/2026. */
export const DATE_FORMATS = ['language', 'iso', 'day_first', 'month_first'] as const;
export type DateFormat = (typeof DATE_FORMATS)[number];
/**
 * What a person may be told of by mail: campaigns that wait for their approval, their own campaigns once they are decided
 * or finished, and balances that crossed a limit.
 */
export const MAIL_KINDS = ['approval', 'finished', 'balance'] as const;

/** How a person likes the console. */
export const preferences = z.object({
  page_size: z.literal(PAGE_SIZES),
  /** IANA name of the zone times are shown in; null for the corporation's. */
  timezone: shownTimeZone.nullable(),
  date_format: z.enum(DATE_FORMATS),
  mail_kinds: z.array(z.enum(MAIL_KINDS)).max(MAIL_KINDS.length),
});
export type Preferences = z.output<typeof preferences>;

/** Those of somebody who has chosen none. */
export const USUAL_PREFERENCES: Preferences = {
  page_size: 25,
  timezone: null,
  date_format: 'language',
  mail_kinds: ['approval', 'balance'],
};

/** What may be changed of them, each by itself. */
export const preferencesChange = preferences.extend({ timezone: timeZone.nullable() }).partial();

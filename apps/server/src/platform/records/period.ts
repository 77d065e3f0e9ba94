import { fieldError } from '../errors.ts';

/** Inclusive dates, as `2026-01-31`, in a person's time zone. */
export interface Period {
  from: string;
  to: string;
}

const MAX_DAYS = 31;
const MAX_MONTHS = 12;

/**
 * Accepts a report's period: at most 31 days, each of them within the twelve months that end `today`. Throws
 * `validation_failed` on `to` otherwise.
 */
export function checkPeriod({ from, to }: Period, today: string): void {
  const first = Temporal.PlainDate.from(from);
  const last = Temporal.PlainDate.from(to);
  const now = Temporal.PlainDate.from(today);
  if (Temporal.PlainDate.compare(last, first) < 0) throw fieldError('to', 'date_order');
  const days = first.until(last, { largestUnit: 'days' }).days + 1;
  const tooOld = Temporal.PlainDate.compare(first, now.subtract({ months: MAX_MONTHS })) < 0;
  if (days > MAX_DAYS || tooOld || Temporal.PlainDate.compare(last, now) > 0) throw fieldError('to', 'report_period');
}

/**
 * Accepts a period if all its days are within the twelve months that end `today`; throws `validation_failed` on `to`.
 */
export function checkYear({ from, to }: Period, today: string): void {
  if (to < from) throw fieldError('to', 'date_order');
  const oldest = Temporal.PlainDate.from(today).subtract({ months: MAX_MONTHS }).toString();
  if (from < oldest || to > today) throw fieldError('to', 'report_year');
}

/** The date at a moment in a time zone (an IANA name). */
export function dateIn(zone: string, moment: Date): string {
  return moment.toTemporalInstant().toZonedDateTimeISO(zone).toPlainDate().toString();
}

/** Answers the first moment of a period, and the first moment after it (`end`), RFC 3339. */
export function momentsOf({ from, to }: Period, zone: string): { start: string; end: string } {
  const startOfDay = (date: Temporal.PlainDate) => date.toZonedDateTime(zone).toInstant().toString();
  return {
    start: startOfDay(Temporal.PlainDate.from(from)),
    end: startOfDay(Temporal.PlainDate.from(to).add({ days: 1 })),
  };
}

/** Formats a moment in a time zone, to the second; empty if there is none. */
export const localTime = (instant: string | null, zone: string): string =>
  instant === null
    ? ''
    : Temporal.Instant.from(instant)
        .toZonedDateTimeISO(zone)
        .toPlainDateTime()
        .toString({ smallestUnit: 'second' })
        .replace('T', ' ');

import type { FILE_PERIODS } from '@heliograph/contract/scheduled-files/scheduled-file';

type Every = (typeof FILE_PERIODS)[number];
const MINUTES = 60;

const zoned = (moment: string, zone: string) => Temporal.Instant.from(moment).toZonedDateTimeISO(zone);

/** Answers the start of the hour or day that a moment lies in, in a time zone, RFC 3339 in UTC. */
export function periodStart(every: Every, moment: string, zone: string): string {
  const at = zoned(moment, zone);
  if (every === 'day') return at.startOfDay().toInstant().toString();
  // Minutes count back on the line of time: an hour that occurs twice is two hours.
  const start = at.toInstant().subtract({ minutes: at.minute, seconds: at.second, milliseconds: at.millisecond });
  return start.round({ smallestUnit: 'second', roundingMode: 'floor' }).toString();
}

/**
 * Answers the end of the period that begins at a moment: the next start of an hour or day in the time zone. Periods
 * follow each other without a gap also when a clock is changed, and when the time zone of the owner is.
 */
export function periodEnd(every: Every, start: string, zone: string): string {
  const at = zoned(start, zone);
  if (every === 'day') return at.toPlainDate().add({ days: 1 }).toZonedDateTime(zone).toInstant().toString();
  return at
    .toInstant()
    .add({ minutes: MINUTES - at.minute })
    .toString();
}

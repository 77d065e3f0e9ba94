import type { CampaignSchedule } from '@heliograph/contract/campaigns/schedule';
import { fieldError } from '#platform/errors';

/**
 * Returns the moment of a wall time such as 2026-12-24T09:30 in a time zone. If the time comes twice, it is the first.
 * Throws on `field` if the day does not exist, or if clocks are put forward and skip the time.
 */
export function momentOfWallTime(wall: string, zone: string, field: string): Date {
  let time: Temporal.PlainDateTime;
  try {
    time = Temporal.PlainDateTime.from(wall, { overflow: 'reject' });
  } catch {
    throw fieldError(field, 'wall_time');
  }
  const zoned = time.toZonedDateTime(zone, { disambiguation: 'earlier' });
  if (!zoned.toPlainDateTime().equals(time)) throw fieldError(field, 'time_skipped');
  return new Date(zoned.epochMilliseconds);
}

/** Formats a moment as the clock of a time zone shows it, to the minute. */
export function wallTimeOf(moment: Date, zone: string): string {
  return moment.toTemporalInstant().toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' });
}

/**
 * Returns the `n`th occurrence of a repeating schedule, the first being 1. It has the same time of day, on the day of
 * the rule; a month without that day uses its last day. A time that clocks skip becomes the moment after. Returns null
 * if the repetition is over. `end` is as long after the start as in the first occurrence.
 */
export function occurrenceOf(
  { start, end, repeat }: Pick<CampaignSchedule, 'start' | 'end' | 'repeat'>,
  zone: string,
  n: number,
): { start: string; starts_at: Date; end: string | null; ends_at: Date | null } | null {
  if (start === null || repeat === null) return null;
  const first = Temporal.PlainDateTime.from(start);
  const step = n - 1;
  const by = { daily: { days: step }, weekly: { weeks: step }, monthly: { months: step } }[repeat.every];
  const wall = first.add(by);
  if (Temporal.PlainDate.compare(wall.toPlainDate(), Temporal.PlainDate.from(repeat.until)) > 0) return null;
  const zoned = wall.toZonedDateTime(zone);
  const shownAs = (time: Temporal.PlainDateTime) => time.toString({ smallestUnit: 'minute' });
  const last = end === null ? null : wall.add(first.until(Temporal.PlainDateTime.from(end), { largestUnit: 'days' }));
  return {
    start: shownAs(zoned.toPlainDateTime()),
    starts_at: new Date(zoned.epochMilliseconds),
    end: last && shownAs(last.toZonedDateTime(zone).toPlainDateTime()),
    ends_at: last && new Date(last.toZonedDateTime(zone).epochMilliseconds),
  };
}

/** Returns the first occurrence from the `n`th on that begins after a moment, or null if the repetition ends before. */
export function nextOccurrence(
  schedule: Pick<CampaignSchedule, 'start' | 'end' | 'repeat'>,
  zone: string,
  n: number,
  after: Date,
): { n: number; starts_at: Date } | null {
  for (let at = n; ; at++) {
    const found = occurrenceOf(schedule, zone, at);
    if (!found || found.starts_at > after) return found && { n: at, starts_at: found.starts_at };
  }
}

import type { CampaignSchedule } from '@heliograph/contract/campaigns/schedule';
import { fieldError } from '#platform/errors';

/**
 * The moment of a wall time such as 2026-12-24T09:30 in a time zone; of a time that comes twice, the first. Throws on
 * `field` where there is no such day, or where clocks are put forward and skip the time.
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

/** A moment as the clock of a time zone shows it, to the minute. */
export function wallTimeOf(moment: Date, zone: string): string {
  return moment.toTemporalInstant().toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: 'minute' });
}

/**
 * The `n`th occurrence of a schedule that repeats, the first being 1: the same time of day, on the day that the rule
 * says, and of a month that has no such day its last. A time that clocks skip is the moment after. Null where the
 * repetition is over. `end` is as long after the start as it is of the first.
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

/** The first occurrence from the `n`th on that begins after a moment; null where the repetition is over before. */
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

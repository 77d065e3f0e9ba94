/**
 * Daily period by a local clock, as HH:MM. It ends when the minute of `to` begins. If both are equal it is the whole
 * day.
 */
export interface DailyWindow {
  from: string;
  to: string;
}

/**
 * Returns the end of the window that contains a moment, in a time zone (an IANA name), or null if none does. A window
 * begins and ends once a night, whatever the clocks do in it. In an hour that comes twice, it begins with the first and
 * ends with the second. A time that a clock skips counts as the moment of the skip.
 */
export function endOfWindow({ from, to }: DailyWindow, zone: string, moment: Date): Date | null {
  const now = moment.toTemporalInstant();
  const today = now.toZonedDateTimeISO(zone).toPlainDate();
  const overnight = to <= from;
  // Windows that began yesterday and today. Whole days follow one another without a gap.
  for (const days of [-1, 0]) {
    const date = today.add({ days });
    const start = momentOf(date, from, zone, 'earlier');
    const end = momentOf(overnight ? date.add({ days: 1 }) : date, to, zone, from === to ? 'earlier' : 'later');
    if (Temporal.Instant.compare(start, now) <= 0 && Temporal.Instant.compare(now, end) < 0) {
      return new Date(end.epochMilliseconds);
    }
  }
  return null;
}

function momentOf(date: Temporal.PlainDate, time: string, zone: string, which: 'earlier' | 'later'): Temporal.Instant {
  const wall = date.toPlainDateTime(Temporal.PlainTime.from(time));
  const found = wall.toZonedDateTime(zone, { disambiguation: which });
  if (found.toPlainDateTime().equals(wall)) return found.toInstant();
  // Clocks skip this time, so the moment of the skip counts.
  const before = wall.toZonedDateTime(zone, { disambiguation: 'earlier' });
  return (before.getTimeZoneTransition('next') ?? found).toInstant();
}

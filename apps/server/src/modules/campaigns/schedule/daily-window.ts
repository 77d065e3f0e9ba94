/** A span of every day by somebody's clock, as HH:MM; from the end's minute on it is over. Of equal ones it is the whole day. */
export interface DailyWindow {
  from: string;
  to: string;
}

/**
 * When the window that a moment lies in ends, in a time zone (an IANA name); null where it lies in none. A window is
 * entered and left once a night, whatever clocks do in it: of an hour that comes twice it begins with the first and ends
 * with the second, and a time that a clock skips is the moment at which it does.
 */
export function endOfWindow({ from, to }: DailyWindow, zone: string, moment: Date): Date | null {
  const now = moment.toTemporalInstant();
  const today = now.toZonedDateTimeISO(zone).toPlainDate();
  const overnight = to <= from;
  // The windows that began the day before and today; the whole days follow one another without a gap.
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
  // Clocks skip this time: what counts is the moment at which they do.
  const before = wall.toZonedDateTime(zone, { disambiguation: 'earlier' });
  return (before.getTimeZoneTransition('next') ?? found).toInstant();
}

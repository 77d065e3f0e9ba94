import { type JourneyStep, WAIT_UNITS } from '@heliograph/contract/journeys/journey-definition';

const MINUTE_MS = 60_000;

/**
 * Returns the end of a wait that begins at a moment. Days are those of the calendar in the zone, so that a wait over a
 * change of the clocks ends at the same time of day.
 */
export function endOfWait(step: Extract<JourneyStep, { do: 'wait' | 'until' }>, from: Date, zone: string): Date {
  const local = from.toTemporalInstant().toZonedDateTimeISO(zone);
  if (step.do === 'wait') {
    if (step.unit === 'days') return new Date(local.add({ days: step.count }).epochMilliseconds);
    return new Date(from.getTime() + step.count * WAIT_UNITS[step.unit] * MINUTE_MS);
  }
  // A day after a whole week is the first that fits if today is the only weekday and its time has passed.
  for (let days = 0; days <= 7; days++) {
    const day = local.toPlainDate().add({ days });
    const at = momentOf(day.toString(), step.at, zone);
    const fits = step.weekdays.length === 0 || step.weekdays.includes(day.dayOfWeek);
    if (fits && at > from) return at;
  }
  throw new Error('a week has no such day');
}

/** Returns a time of day on a day in a zone. */
export function momentOf(day: string, at: string, zone: string): Date {
  const plainTime = Temporal.PlainTime.from(at);
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: zone, plainTime }).epochMilliseconds);
}

/** Returns the first day (2026-11-23) of the day, week or month of a moment, by the calendar of a time zone. */
export function firstDayOf(period: 'day' | 'week' | 'month', moment: Date, zone: string): string {
  const today = moment.toTemporalInstant().toZonedDateTimeISO(zone).toPlainDate();
  if (period === 'week') return today.subtract({ days: today.dayOfWeek - 1 }).toString();
  return (period === 'month' ? today.with({ day: 1 }) : today).toString();
}

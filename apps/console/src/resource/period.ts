import type { Format } from '../platform/format.ts';

/** Fault of a report's period. */
export type PeriodFault = 'report_period' | 'date_order';

const iso = (date: Date) => date.toISOString().slice(0, 10);

/** Returns today as an ISO date in a time zone. */
export function todayIn(zone: string, now: Date = new Date()): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    now,
  );
}

/** Returns a moment as the clock of a time zone shows it, such as `2026-02-28T13:05`. */
export function wallTime(zone: string, moment: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' })
    .format(moment)
    .replace(' ', 'T');
}

/**
 * Returns the moment at which the clock of a time zone shows a wall time. A time that a clock change skips counts as
 * later.
 */
export function momentAt(zone: string, wall: string): Date {
  const wanted = Date.parse(`${wall}Z`);
  const shownAt = (time: number) => Date.parse(`${wallTime(zone, new Date(time))}Z`);
  const guess = wanted - (shownAt(wanted) - wanted);
  const better = guess + (wanted - shownAt(guess));
  return new Date(shownAt(better) === wanted ? better : Math.max(guess, better));
}

/** Returns an ISO date moved by whole days. */
export function moved(date: string, days: number): string {
  const moment = new Date(`${date}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return iso(moment);
}

/** Returns an ISO date moved by whole months. The day is limited to the length of that month. */
export function movedMonths(date: string, months: number): string {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0)).getUTCDate();
  return iso(new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))));
}

/** Returns the fault of a period. A report covers at most one month, with any date within the last 12 months. */
export function periodFault(from: string, to: string, today: string): PeriodFault | undefined {
  if (to < from) return 'date_order';
  if (to > movedMonths(from, 1) || from < movedMonths(today, -12)) return 'report_period';
  return undefined;
}

/** Returns the label below a bar of the summary: its year, its month, or the day on which it starts. */
export function barLabel(starts_on: string, period: string, format: Pick<Format, 'date' | 'month'>): string {
  if (period === 'annually') return starts_on.slice(0, 4);
  return period === 'monthly' ? format.month(starts_on.slice(0, 7)) : format.date(starts_on);
}

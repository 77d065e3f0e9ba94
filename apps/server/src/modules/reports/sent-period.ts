import { type SEND_EVERY, SENT_REPORTS } from '@heliograph/contract/kernel/saved-view';
import type { Period } from '#platform/records/period';

type Every = (typeof SEND_EVERY)[number];

/** Tells if a list is a report that can be sent by mail. */
export const isSent = (list: string): list is (typeof SENT_REPORTS)[number] =>
  (SENT_REPORTS as readonly string[]).includes(list);

/** Returns the period to send today: yesterday, the seven days before today, or the last full month. */
export function sentPeriod(every: Every, today: string): Period {
  const date = Temporal.PlainDate.from(today);
  const yesterday = date.subtract({ days: 1 }).toString();
  if (every === 'day') return { from: yesterday, to: yesterday };
  if (every === 'week') return { from: date.subtract({ days: 7 }).toString(), to: yesterday };
  const first = date.with({ day: 1 });
  return { from: first.subtract({ months: 1 }).toString(), to: first.subtract({ days: 1 }).toString() };
}

/**
 * Returns the next moment after `now` at which a report is due, RFC 3339: each day, each Monday, or the first of each
 * month.
 */
export function nextTime(every: Every, hour: number, zone: string, now: Date): string {
  const moment = now.toTemporalInstant();
  const today = moment.toZonedDateTimeISO(zone).toPlainDate();
  let date = today;
  if (every === 'week') date = today.add({ days: (8 - today.dayOfWeek) % 7 });
  if (every === 'month') date = today.with({ day: 1 });
  const at = (day: Temporal.PlainDate) => day.toZonedDateTime({ timeZone: zone, plainTime: { hour } }).toInstant();
  const step = { day: { days: 1 }, week: { days: 7 }, month: { months: 1 } }[every];
  while (Temporal.Instant.compare(at(date), moment) <= 0) date = date.add(step);
  return at(date).toString();
}

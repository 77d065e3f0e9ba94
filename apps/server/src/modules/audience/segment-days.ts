import type { SegmentCondition } from '@heliograph/contract/audience/segment-rule';

const DAY_MS = 86_400_000;

/** Returns the day so many days after another one. */
export const daysAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;

/** Years of birth that a birthday is looked for in; values before 1900 are refused. */
const YEARS = Array.from({ length: 300 }, (_, place) => 1_900 + place);

/**
 * Returns all dates of birth whose birthday falls on a day. PostgreSQL finds a date among them several times faster than it
 * takes a date apart.
 */
export function birthdaysOn(day: string): string[] {
  const leap = isLeap(Number(day.slice(0, 4)));
  const rest = day.slice(4);
  return YEARS.flatMap((year) => [
    ...(rest !== '-02-29' || isLeap(year) ? [`${year}${rest}`] : []),
    ...(rest === '-02-28' && !leap && isLeap(year) ? [`${year}-02-29`] : []),
  ]);
}

/** Returns the first and the last day that a condition of a date accepts; null for no bound. */
export function daysOf(
  { op, day, to, days }: Pick<Extract<SegmentCondition, { on: 'date' }>, 'op' | 'day' | 'to' | 'days'>,
  today: string,
): [first: string | null, last: string | null] {
  const count = days ?? 0;
  switch (op) {
    case 'before':
      return [null, daysAfter(day!, -1)];
    case 'after':
      return [daysAfter(day!, 1), null];
    case 'between':
      return [day, to];
    case 'in_days':
      return [daysAfter(today, count), daysAfter(today, count)];
    case 'days_ago':
      return [daysAfter(today, -count), daysAfter(today, -count)];
    case 'next_days':
      return [today, daysAfter(today, count)];
    case 'last_days':
      return [daysAfter(today, -count), today];
    default:
      return [day, day];
  }
}

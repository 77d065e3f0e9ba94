import type { Session } from '../platform/session.ts';

type DateFormat = NonNullable<Session['profile']>['preferences']['date_format'];

/** Way in which a person writes dates: their language, and their own order if they chose one. */
export interface Writing {
  tag: string;
  style: DateFormat;
}

const two = (value: number) => String(value).padStart(2, '0');
const clockOf = (tag: string) => new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone: 'UTC' });
const plain = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** Returns whether a language writes the hours of a day from 1 to 12. */
export const hasHalfDays = (tag: string): boolean => clockOf(tag).resolvedOptions().hour12 === true;

/** Returns the words of a language for the halves of a day. */
export const halvesOf = (tag: string): { am: string; pm: string } => {
  const word = (hour: number) =>
    clockOf(tag)
      .formatToParts(Date.UTC(2026, 0, 1, hour))
      .find(({ type }) => type === 'dayPeriod')?.value;
  return { am: word(9) ?? 'AM', pm: word(15) ?? 'PM' };
};

/** Writes a wall time such as `2026-11-24T09:00` in the way of a person. */
export function writtenMoment(wall: string, { tag, style }: Writing): string {
  const moment = new Date(`${wall}Z`);
  if (style === 'language')
    return new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(moment);
  const [y, m, d] = wall.slice(0, 10).split('-');
  const date = { iso: `${y}-${m}-${d}`, day_first: `${d}/${m}/${y}`, month_first: `${m}/${d}/${y}` }[style];
  return `${date} ${clockOf(tag).format(moment)}`;
}

/** Words of a language for the halves or parts of a day; true for those after noon. */
function partsOfDay(tag: string): [word: string, afternoon: boolean][] {
  const words = new Map<string, boolean>();
  for (let hour = 0; hour < 24; hour++) {
    const parts = clockOf(tag).formatToParts(Date.UTC(2026, 0, 1, hour));
    const word = plain(parts.find(({ type }) => type === 'dayPeriod')?.value ?? '');
    if (word !== '' && !words.has(word)) words.set(word, hour >= 12);
  }
  for (const [word, afternoon] of [
    ['am', false],
    ['a.m.', false],
    ['pm', true],
    ['p.m.', true],
  ] as const)
    words.set(word, afternoon);
  return [...words].sort(([a], [b]) => b.length - a.length);
}

/** Finds the time of day in a text. Returns it with the rest of the text. */
function timeIn(text: string, tag: string): { time: string; rest: string } | null {
  let rest = text;
  let afternoon: boolean | undefined;
  for (const [word, later] of partsOfDay(tag)) {
    // Latin letters beside it would make it a part of another word.
    const place = new RegExp(`(?<!\\p{Script=Latin})${word.replaceAll('.', '\\.')}(?!\\p{Script=Latin})`, 'u');
    if (!place.test(rest)) continue;
    rest = rest.replace(place, ' ');
    afternoon = later;
    break;
  }
  const found =
    /(?<!\d)(\d{1,2}):(\d{2})(?!\d)/.exec(rest) ?? (afternoon === undefined ? null : /(?<!\d)(\d{1,2})\s*$/.exec(rest));
  if (!found) return null;
  let hour = Number(found[1]);
  const minute = Number(found[2] ?? 0);
  if (afternoon !== undefined && hour > 0 && hour <= 12) hour = (hour % 12) + (afternoon ? 12 : 0);
  if (hour > 23 || minute > 59) return null;
  return {
    time: `${two(hour)}:${two(minute)}`,
    rest: plain(rest.replace(found[0], ' ').replace(/(?<=\d)t(?=\s|$)/, '')),
  };
}

/** Finds the month that a text names, in the language or in English. Returns it with the rest of the text. */
function monthIn(text: string, tag: string): { month: number; rest: string } | null {
  for (const language of [tag, 'en'])
    for (const form of ['long', 'short'] as const) {
      const name = new Intl.DateTimeFormat(language, { month: form, timeZone: 'UTC' });
      for (let month = 0; month < 12; month++) {
        const word = plain(name.format(Date.UTC(2026, month))).replace(/\.$/, '');
        // Chinese months are numbers, which are read by their place.
        if (!/\d/.test(word) && text.includes(word)) return { month: month + 1, rest: text.replace(word, ' ') };
      }
    }
  return null;
}

/** Returns the order of year, month and day in the numbers of a text. */
function orderOf({ tag, style }: Writing, first: string): ('year' | 'month' | 'day')[] {
  if (first.length === 4 || style === 'iso') return ['year', 'month', 'day'];
  if (style === 'day_first') return ['day', 'month', 'year'];
  if (style === 'month_first') return ['month', 'day', 'year'];
  const parts = new Intl.DateTimeFormat(tag, { dateStyle: 'short' }).formatToParts(0).map(({ type }) => type);
  return parts.filter((type) => type === 'year' || type === 'month' || type === 'day');
}

/** Reads a date. A date without its year is the next one. */
function dateIn(text: string, writing: Writing, today: string): string | null {
  if (text === '') return null;
  const named = monthIn(text, writing.tag);
  const numbers = (named?.rest ?? text).match(/\d+/g) ?? [];
  let [year, month, day] = [0, named?.month ?? 0, 0];
  if (named) {
    day = Number(numbers.find((each) => each.length <= 2));
    year = Number(numbers.find((each) => each.length === 4) ?? 0);
  } else {
    if (numbers.length < 2 || numbers.length > 3) return null;
    const order = orderOf(writing, numbers[0]!).filter((part) => part !== 'year' || numbers.length === 3);
    const part = (name: 'year' | 'month' | 'day') => Number(numbers[order.indexOf(name)] ?? 0);
    [year, month, day] = [part('year'), part('month'), part('day')];
  }
  if (year > 0 && year < 100) year += 2000;
  const written = (y: number) => `${y}-${two(month)}-${two(day)}`;
  const here = Number(today.slice(0, 4));
  const date = written(year || (written(here) < today ? here + 1 : here));
  const moment = new Date(`${date}T00:00:00Z`);
  return Number.isNaN(moment.getTime()) || moment.toISOString().slice(0, 10) !== date ? null : date;
}

/**
 * Reads a wall time that a person typed, such as `Nov 24, 9:00 AM`, `24/11/2026 21:30` or `tomorrow 9:00`. `words` are
 * the days from today on that have a name. Returns null if the text has no date or no time.
 */
export function readMoment(text: string, writing: Writing, today: string, words: readonly string[]): string | null {
  const typed = plain(text);
  const iso = /^(\d{4}-\d{2}-\d{2})t(\d{2}:\d{2})$/.exec(typed);
  const found = iso ? { time: iso[2]!, rest: iso[1]! } : timeIn(typed, writing.tag);
  if (!found) return null;
  const ahead = words.findIndex((word) => plain(word) === found.rest);
  const date =
    ahead === -1
      ? dateIn(found.rest, writing, today)
      : new Date(Date.parse(`${today}T00:00:00Z`) + ahead * 86_400_000).toISOString().slice(0, 10);
  return date === null ? null : `${date}T${found.time}`;
}

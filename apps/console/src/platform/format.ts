import type { DateFormat } from '@heliograph/contract/identity/preferences';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { languageTag } from './language.ts';
import { useSession } from './session.ts';

/** Numbers and times as the user reads them. */
export interface Format {
  integer(value: number): string;
  /** A share from 0 to 1. */
  percent(share: number): string;
  /** A decimal string grouped in the user's language, with two or three decimals; the currency in front if given. */
  money(decimal: string, currency?: string): string;
  /** An RFC 3339 time in the zone the person chose, else the corporation's. */
  instant(value: string): string;
  /** The time of day of such a time, to the second. */
  time(value: string): string;
  /** The same in UTC, for the tooltip. */
  instantUtc(value: string): string;
  /** An ISO date such as 2026-02-28; `short` is the day and its weekday, `day` the number alone. */
  date(value: string, style?: 'day' | 'short' | 'medium'): string;
  /** A month such as 2026-02. */
  month(value: string): string;
  bytes(value: number): string;
  /** Something a second, with a decimal where it is below ten. */
  rate(value: number): string;
}

/** How a year, a month and a day of two digits stand together, where it is not as the language writes them. */
const WRITTEN: Readonly<Record<Exclude<DateFormat, 'language'>, (y: string, m: string, d: string) => string>> = {
  iso: (y, m, d) => `${y}-${m}-${d}`,
  day_first: (y, m, d) => `${d}/${m}/${y}`,
  month_first: (y, m, d) => `${m}/${d}/${y}`,
};

/** Writes the day of a moment in a zone as the person likes dates. */
export function writerOf(tag: string, zone: string, style: DateFormat): (moment: Date) => string {
  if (style === 'language') {
    const medium = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: zone });
    return (moment) => medium.format(moment);
  }
  // The calendar and the digits of every language are the same here; Swedish writes 2026-02-28.
  const plain = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: zone });
  return (moment) => WRITTEN[style](...(plain.format(moment).split('-') as [string, string, string]));
}

function formatOf(tag: string, zone: string, style: DateFormat): Format {
  const integer = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 });
  const decimals = new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: 3 });
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 });
  const compact = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 });
  const shape = { dateStyle: 'medium', timeStyle: 'short' } as const;
  const local = new Intl.DateTimeFormat(tag, { ...shape, timeZone: zone });
  const seconds = new Intl.DateTimeFormat(tag, { timeStyle: 'medium', timeZone: zone });
  const clock = new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone: zone });
  const dayHere = writerOf(tag, zone, style);
  const dayAnywhere = writerOf(tag, 'UTC', style);
  const utc = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
  const months = new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'long', timeZone: 'UTC' });
  const days = {
    day: new Intl.DateTimeFormat(tag, { day: 'numeric', timeZone: 'UTC' }),
    short: new Intl.DateTimeFormat(tag, { weekday: 'short', day: 'numeric', timeZone: 'UTC' }),
  };
  return {
    integer: (value) => integer.format(value),
    percent: (share) => percent.format(share),
    // A decimal string is formatted exactly; going through a binary number would round large amounts.
    money: (decimal, currency) =>
      `${currency ? `${currency}\u00a0` : ''}${decimals.format(decimal as Intl.StringNumericLiteral)}`,
    instant: (value) => {
      const moment = new Date(value);
      return style === 'language' ? local.format(moment) : `${dayHere(moment)} ${clock.format(moment)}`;
    },
    time: (value) => seconds.format(new Date(value)),
    instantUtc: (value) => utc.format(new Date(value)),
    date: (value, shown = 'medium') => {
      const moment = new Date(`${value}T00:00:00Z`);
      return shown === 'medium' ? dayAnywhere(moment) : days[shown].format(moment);
    },
    month: (value) => months.format(new Date(`${value}-01T00:00:00Z`)),
    rate: (value) => (value < 10 ? compact : integer).format(Math.max(value, 0.1)),
    bytes: (value) => {
      const units = ['B', 'KB', 'MB', 'GB'];
      const power = Math.min(3, Math.floor(Math.log2(Math.max(value, 1)) / 10));
      return `${compact.format(value / 1024 ** power)} ${units[power]}`;
    },
  };
}

/** The formats that were asked for last: each cell of a table asks, and making them takes a millisecond. */
let made: { key: string; format: Format } | undefined;

function sharedFormat(tag: string, zone: string, style: DateFormat): Format {
  const key = `${tag} ${zone} ${style}`;
  if (made?.key !== key) made = { key, format: formatOf(tag, zone, style) };
  return made.format;
}

/** IANA name of the zone in which the person sees times and days: their own, else their corporation's. */
export const useZone = (): string =>
  useSession((s) => s.profile?.preferences?.timezone ?? s.corporationTimeZone) || 'UTC';

/** The user's formats; follows the language and what the person prefers. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  const zone = useZone();
  const style = useSession((s) => s.profile?.preferences?.date_format ?? 'language');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tag follows the language
  return useMemo(() => sharedFormat(languageTag(), zone, style), [i18n.language, zone, style]);
}

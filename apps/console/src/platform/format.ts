import type { DateFormat } from '@heliograph/contract/identity/preferences';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { languageTag } from './language.ts';
import { useSession } from './session.ts';

/** Formats of numbers and times for the user. */
export interface Format {
  integer(value: number): string;
  /** Share from 0 to 1, as a percentage. */
  percent(share: number): string;
  /** Decimal string grouped in the user's language, with two or three decimals. The currency, if given, comes first. */
  money(decimal: string, currency?: string): string;
  /** RFC 3339 time in the time zone that the person chose, otherwise in the corporation's. */
  instant(value: string): string;
  /** Time of day of an RFC 3339 time, to the second. */
  time(value: string): string;
  /** RFC 3339 time in UTC, for the tooltip. */
  instantUtc(value: string): string;
  /** ISO date such as 2026-02-28. `short` is the day and its weekday, `day` is only the number. */
  date(value: string, style?: 'day' | 'short' | 'medium'): string;
  /** Month such as 2026-02. */
  month(value: string): string;
  bytes(value: number): string;
  /** Rate per second, with one decimal below ten. */
  rate(value: number): string;
}

/** Order of year, month and two-digit day, for formats that do not follow the language. */
const WRITTEN: Readonly<Record<Exclude<DateFormat, 'language'>, (y: string, m: string, d: string) => string>> = {
  iso: (y, m, d) => `${y}-${m}-${d}`,
  day_first: (y, m, d) => `${d}/${m}/${y}`,
  month_first: (y, m, d) => `${m}/${d}/${y}`,
};

/** Returns a function that writes the date of a moment in a time zone, in the format that the person prefers. */
export function writerOf(tag: string, zone: string, style: DateFormat): (moment: Date) => string {
  if (style === 'language') {
    const medium = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: zone });
    return (moment) => medium.format(moment);
  }
  // The calendar and the digits are the same for every language. Swedish writes 2026-02-28.
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
    // A decimal string is formatted exactly. A binary floating-point number would round large amounts.
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

/** Formats used last. Each table cell asks for them, and creating them takes a millisecond. */
let made: { key: string; format: Format } | undefined;

function sharedFormat(tag: string, zone: string, style: DateFormat): Format {
  const key = `${tag} ${zone} ${style}`;
  if (made?.key !== key) made = { key, format: formatOf(tag, zone, style) };
  return made.format;
}

/** Returns the IANA name of the user's time zone: their own, otherwise their corporation's. */
export const useZone = (): string =>
  useSession((s) => s.profile?.preferences?.timezone ?? s.corporationTimeZone) || 'UTC';

/** Returns the user's formats. They follow the language and the user's preferences. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  const zone = useZone();
  const style = useSession((s) => s.profile?.preferences?.date_format ?? 'language');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tag follows the language
  return useMemo(() => sharedFormat(languageTag(), zone, style), [i18n.language, zone, style]);
}

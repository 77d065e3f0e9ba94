import type { DateFormat } from '@heliograph/contract/identity/preferences';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { languageTag } from './language.ts';
import { useSession } from './session.ts';

/** Greatest share that is shown while something is missing. */
const MOST_BELOW_ALL = 0.999;

/** Formats of numbers and times for the user. */
export interface Format {
  integer(value: number): string;
  /** Decimal string grouped in the user's language, without zeros at its end, such as 1,204.5. */
  decimal(value: string): string;
  /** Share from 0 to 1, as a percentage. It is 100 % only if nothing is missing. */
  percent(share: number): string;
  /**
   * Decimal string grouped in the user's language, with two or three decimals, such as ₱1,200.00 or −₱0.50. The language
   * decides the currency's sign and place.
   */
  money(decimal: string, currency?: string): string;
  /** RFC 3339 time in the time zone that the person chose, otherwise in the corporation's. */
  instant(value: string): string;
  /** RFC 3339 time as seen from `now`, such as 3 min. ago. Times further away than a week are dates. */
  ago(value: string, now: number): string;
  /** Time of day of an RFC 3339 time, to the second. */
  time(value: string): string;
  /** Time of day of an RFC 3339 time, to the minute. */
  clock(value: string): string;
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

/** Units of a relative time: seconds of one, its name, and the distance in seconds up to which it is used. */
const STEPS = [
  [60, 'minute', 3600],
  [3600, 'hour', 86_400],
  [86_400, 'day', 7 * 86_400],
] as const;

/** Returns a function that writes amounts. It keeps one formatter a currency. */
function amountsOf(tag: string): (decimal: string, currency?: string) => string {
  const digits = { minimumFractionDigits: 2, maximumFractionDigits: 3 } as const;
  const plain = new Intl.NumberFormat(tag, digits);
  const byCurrency = new Map<string, Intl.NumberFormat>();
  return (decimal, currency) => {
    const known = currency !== undefined && /^[A-Z]{3}$/.test(currency);
    if (known && !byCurrency.has(currency))
      byCurrency.set(currency, new Intl.NumberFormat(tag, { ...digits, style: 'currency', currency }));
    const formatter = known ? byCurrency.get(currency)! : plain;
    // A decimal string is formatted exactly. A binary floating-point number would round large amounts.
    return formatter.format(decimal as Intl.StringNumericLiteral).replace('-', '−');
  };
}

function formatOf(tag: string, zone: string, style: DateFormat): Format {
  const integer = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 });
  const decimal = new Intl.NumberFormat(tag, { maximumFractionDigits: 3 });
  const amount = amountsOf(tag);
  const relative = new Intl.RelativeTimeFormat(tag, { numeric: 'auto', style: 'short' });
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
    percent: (share) => percent.format(share < 1 ? Math.min(share, MOST_BELOW_ALL) : share),
    decimal: (value) => decimal.format(value as Intl.StringNumericLiteral).replace('-', '−'),
    money: (decimal, currency) => amount(decimal, currency),
    instant: (value) => {
      const moment = new Date(value);
      return style === 'language' ? local.format(moment) : `${dayHere(moment)} ${clock.format(moment)}`;
    },
    ago: (value, now) => {
      const moment = new Date(value);
      const seconds = (moment.getTime() - now) / 1000;
      if (Math.abs(seconds) < 60) return relative.format(0, 'second');
      const [size, unit] = STEPS.find(([, , limit]) => Math.abs(seconds) < limit) ?? [];
      return size && unit ? relative.format(Math.trunc(seconds / size), unit) : dayHere(moment);
    },
    time: (value) => seconds.format(new Date(value)),
    clock: (value) => clock.format(new Date(value)),
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

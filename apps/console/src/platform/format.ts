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
  /** An RFC 3339 time in the corporation's zone. */
  instant(value: string): string;
  /** The same in UTC, for the tooltip. */
  instantUtc(value: string): string;
  /** An ISO date such as 2026-02-28; `short` is the day and its weekday, `day` the number alone. */
  date(value: string, style?: 'day' | 'short' | 'medium'): string;
  /** A month such as 2026-02. */
  month(value: string): string;
  bytes(value: number): string;
}

function formatOf(tag: string, zone: string): Format {
  const integer = new Intl.NumberFormat(tag, { maximumFractionDigits: 0 });
  const decimals = new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: 3 });
  const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 1 });
  const compact = new Intl.NumberFormat(tag, { maximumFractionDigits: 1 });
  const shape = { dateStyle: 'medium', timeStyle: 'short' } as const;
  const local = new Intl.DateTimeFormat(tag, { ...shape, timeZone: zone });
  const utc = new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' });
  const months = new Intl.DateTimeFormat(tag, { year: 'numeric', month: 'long', timeZone: 'UTC' });
  const days = {
    day: new Intl.DateTimeFormat(tag, { day: 'numeric', timeZone: 'UTC' }),
    short: new Intl.DateTimeFormat(tag, { weekday: 'short', day: 'numeric', timeZone: 'UTC' }),
    medium: new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeZone: 'UTC' }),
  };
  return {
    integer: (value) => integer.format(value),
    percent: (share) => percent.format(share),
    // A decimal string is formatted exactly; going through a binary number would round large amounts.
    money: (decimal, currency) =>
      `${currency ? `${currency}\u00a0` : ''}${decimals.format(decimal as Intl.StringNumericLiteral)}`,
    instant: (value) => local.format(new Date(value)),
    instantUtc: (value) => utc.format(new Date(value)),
    date: (value, style = 'medium') => days[style].format(new Date(`${value}T00:00:00Z`)),
    month: (value) => months.format(new Date(`${value}-01T00:00:00Z`)),
    bytes: (value) => {
      const units = ['B', 'KB', 'MB', 'GB'];
      const power = Math.min(3, Math.floor(Math.log2(Math.max(value, 1)) / 10));
      return `${compact.format(value / 1024 ** power)} ${units[power]}`;
    },
  };
}

/** The user's formats; follows the language and the corporation's zone. */
export function useFormat(): Format {
  const { i18n } = useTranslation();
  const zone = useSession((s) => s.corporationTimeZone) || 'UTC';
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tag follows the language
  return useMemo(() => formatOf(languageTag(), zone), [i18n.language, zone]);
}

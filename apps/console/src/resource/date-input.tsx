import '@mantine/dates/styles.css';
import type { StyleProp } from '@mantine/core';
import { DatePickerInput } from '@mantine/dates';
import dayjs from 'dayjs';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { languageTag } from '../platform/language.ts';
import { type Session, useSession } from '../platform/session.ts';
import classes from './date-input.module.css';

type DateFormat = NonNullable<Session['profile']>['preferences']['date_format'];

const named = new Set<string>();

/** Gives the calendar the names of days and months in a language, and returns its name for the language. */
export function calendarLocale(tag: string): string {
  const name = tag.toLowerCase();
  if (named.has(name)) return name;
  named.add(name);
  const written = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' });
    return (day: number, month: number) => format.format(Date.UTC(2023, month, day + 1));
  };
  const days = (weekday: 'long' | 'short') => Array.from({ length: 7 }, (_, day) => written({ weekday })(day, 0));
  const months = (month: 'long' | 'short') => Array.from({ length: 12 }, (_, at) => written({ month })(0, at));
  const short = days('short');
  dayjs.locale(
    {
      ...dayjs.Ls['en']!,
      name,
      weekdays: days('long'),
      weekdaysShort: short,
      weekdaysMin: short.map((day) => day.slice(0, 2)),
      months: months('long'),
      monthsShort: months('short'),
    },
    undefined,
    true,
  );
  return name;
}

interface DateInputProps<Value> {
  miw?: StyleProp<number | string>;
  label?: string;
  description?: string;
  placeholder?: string;
  error?: ReactNode;
  required?: boolean;
  clearable?: boolean;
  minDate?: string;
  maxDate?: string;
  popoverProps?: { withinPortal: boolean };
  inputWrapperOrder?: ('label' | 'input' | 'description' | 'error')[];
  value: Value;
  onChange: (value: Value) => void;
}

/** Days of a weekend get no color of their own: it is too faint to read. */
const COMMON = { clearable: true, weekendDays: [] as 0[] };
/** Format of a chosen date. The language's own format is too long for a field. */
const WRITTEN = {
  language: 'YYYY-MM-DD',
  iso: 'YYYY-MM-DD',
  day_first: 'DD/MM/YYYY',
  month_first: 'MM/DD/YYYY',
} as const satisfies Record<DateFormat, string>;

/** Returns a period as the language writes it, such as Nov 17 – 23, 2026. */
function writtenRange([from, to]: readonly (string | null)[]): string {
  const format = new Intl.DateTimeFormat(languageTag(), { dateStyle: 'medium', timeZone: 'UTC' });
  if (!from) return '';
  return to ? format.formatRange(new Date(from), new Date(to)) : `${format.format(new Date(from))} –`;
}

function useWords(popoverProps: DateInputProps<unknown>['popoverProps']) {
  const { t } = useTranslation();
  const id = useId();
  const style = useSession((s) => s.profile?.preferences?.date_format ?? 'language');
  return {
    valueFormat: WRITTEN[style],
    ...(style === 'language' && {
      valueFormatter: ({ date }: { date: unknown }) =>
        writtenRange(Array.isArray(date) ? date : [date as string | null, date as string | null]),
    }),
    locale: calendarLocale(languageTag()),
    clearButtonProps: { 'aria-label': t('form.clear') },
    previousLabel: t('documentation.previous'),
    nextLabel: t('documentation.next'),
    classNames: { day: classes.day! },
    // The calendar is named by the field.
    id,
    popoverProps: { id, ...popoverProps },
  };
}

/** Input for a date such as `2026-02-28`, with the months and days in the user's language. */
export function DateInput(props: DateInputProps<string | null>) {
  return <DatePickerInput {...COMMON} {...props} {...useWords(props.popoverProps)} />;
}

/** Input for a first and a last date, each such as `2026-02-28`. */
export function DateRangeInput(props: DateInputProps<[string | null, string | null]>) {
  return (
    <DatePickerInput type="range" allowSingleDateInRange {...COMMON} {...props} {...useWords(props.popoverProps)} />
  );
}

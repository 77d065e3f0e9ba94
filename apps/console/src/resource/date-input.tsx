import '@mantine/dates/styles.css';
import 'dayjs/locale/zh-cn.js';
import 'dayjs/locale/zh-tw.js';
import 'dayjs/locale/tl-ph.js';
import { DatePickerInput } from '@mantine/dates';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { type Session, useSession } from '../platform/session.ts';

type DateFormat = NonNullable<Session['profile']>['preferences']['date_format'];

const DAYJS = { en: 'en', cn: 'zh-cn', zh: 'zh-tw', fp: 'tl-ph' } as const;

interface DateInputProps<Value> {
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

const COMMON = { clearable: true } as const;
/** Format of a chosen date. The language's own format is too long for a field. */
const WRITTEN = {
  language: 'YYYY-MM-DD',
  iso: 'YYYY-MM-DD',
  day_first: 'DD/MM/YYYY',
  month_first: 'MM/DD/YYYY',
} as const satisfies Record<DateFormat, string>;

function useWords() {
  const { t, i18n } = useTranslation();
  const style = useSession((s) => s.profile?.preferences?.date_format ?? 'language');
  return {
    valueFormat: WRITTEN[style],
    locale: DAYJS[i18n.language as keyof typeof DAYJS] ?? 'en',
    clearButtonProps: { 'aria-label': t('form.clear') },
  };
}

/** Input for a date such as `2026-02-28`, with the months and days in the user's language. */
export function DateInput(props: DateInputProps<string | null>) {
  return <DatePickerInput {...COMMON} {...props} {...useWords()} />;
}

/** Input for a first and a last date, each such as `2026-02-28`. */
export function DateRangeInput(props: DateInputProps<[string | null, string | null]>) {
  return <DatePickerInput type="range" allowSingleDateInRange {...COMMON} {...props} {...useWords()} />;
}

import '@mantine/dates/styles.css';
import 'dayjs/locale/zh-cn.js';
import 'dayjs/locale/zh-tw.js';
import 'dayjs/locale/tl-ph.js';
import { DatePickerInput } from '@mantine/dates';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

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

const COMMON = { clearable: true, valueFormat: 'YYYY-MM-DD' } as const;

function useWords() {
  const { t, i18n } = useTranslation();
  return {
    locale: DAYJS[i18n.language as keyof typeof DAYJS] ?? 'en',
    clearButtonProps: { 'aria-label': t('form.clear') },
  };
}

/** A date as `2026-02-28`, with the months and days of the user's language. */
export function DateInput(props: DateInputProps<string | null>) {
  return <DatePickerInput {...COMMON} {...props} {...useWords()} />;
}

/** A first and a last date, each as `2026-02-28`. */
export function DateRangeInput(props: DateInputProps<[string | null, string | null]>) {
  return <DatePickerInput type="range" allowSingleDateInRange {...COMMON} {...props} {...useWords()} />;
}

import '@mantine/dates/styles.css';
import 'dayjs/locale/zh-cn.js';
import 'dayjs/locale/zh-tw.js';
import 'dayjs/locale/tl-ph.js';
import { DatePickerInput, type DatePickerInputProps } from '@mantine/dates';
import { useTranslation } from 'react-i18next';

const DAYJS = { en: 'en', cn: 'zh-cn', zh: 'zh-tw', fp: 'tl-ph' } as const;

/** A date as `2026-02-28`, or two of them as a range, with the months and days of the user's language. */
export function DateInput<Type extends 'default' | 'range' = 'default'>(props: DatePickerInputProps<Type>) {
  const { i18n } = useTranslation();
  return (
    <DatePickerInput<Type>
      clearable
      valueFormat="YYYY-MM-DD"
      {...props}
      locale={DAYJS[i18n.language as keyof typeof DAYJS] ?? 'en'}
    />
  );
}

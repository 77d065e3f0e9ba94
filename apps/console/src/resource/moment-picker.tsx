import '@mantine/dates/styles.css';
import { Button, Group, Stack, Text } from '@mantine/core';
import { DatePicker, TimePicker } from '@mantine/dates';
import { useTranslation } from 'react-i18next';
import { languageTag } from '../platform/language.ts';
import classes from './date-input.module.css';
import { calendarLocale } from './date-input.tsx';
import type { UsualMoment } from './moment-input.tsx';
import { halvesOf, hasHalfDays } from './moment-text.ts';

interface MomentPickerProps {
  zone: string;
  /** Wall time of now in the zone. */
  now: string;
  earliest: string | undefined;
  usual: readonly UsualMoment[] | undefined;
  value: string | null;
  onChange: (value: string) => void;
  onDone: () => void;
}

/** Calendar, time of day and usual times of a `MomentInput`. */
export function MomentPicker({ zone, now, earliest, usual, value, onChange, onDone }: MomentPickerProps) {
  const { t } = useTranslation();
  const tag = languageTag();
  const date = value?.slice(0, 10) ?? null;
  const time = value?.slice(11, 16) ?? '09:00';
  return (
    <Stack gap="sm" maw={268}>
      {usual && usual.length > 0 && (
        <Group gap={6}>
          {usual.map(({ label, at }) => (
            <Button
              key={at}
              size="compact-sm"
              radius="xl"
              variant={value === at ? 'light' : 'default'}
              onClick={() => {
                onChange(at);
                onDone();
              }}
            >
              {label}
            </Button>
          ))}
        </Group>
      )}
      <DatePicker
        locale={calendarLocale(tag)}
        classNames={{ day: classes.day! }}
        // Their red is too faint to read.
        weekendDays={[]}
        ariaLabels={{ previousMonth: t('moment.previous_month'), nextMonth: t('moment.next_month') }}
        defaultDate={date ?? now.slice(0, 10)}
        {...(earliest !== undefined && { minDate: earliest.slice(0, 10) })}
        value={date}
        onChange={(chosen) => chosen && onChange(`${chosen}T${time}`)}
      />
      <Group gap="sm" justify="space-between" align="flex-end" wrap="nowrap">
        <TimePicker
          label={t('moment.time')}
          format={hasHalfDays(tag) ? '12h' : '24h'}
          amPmLabels={halvesOf(tag)}
          hoursInputLabel={t('moment.hours')}
          minutesInputLabel={t('moment.minutes')}
          amPmInputLabel={t('moment.half')}
          value={time}
          onChange={(chosen) => {
            if (/^\d{2}:\d{2}/.test(chosen)) onChange(`${date ?? now.slice(0, 10)}T${chosen.slice(0, 5)}`);
          }}
        />
        <Button onClick={onDone}>{t('moment.done')}</Button>
      </Group>
      <Text size="xs" c="dimmed">
        {t('moment.zone', { zone: zone.replaceAll('_', ' ') })}
      </Text>
    </Stack>
  );
}

import { ActionIcon, Group, Popover, Skeleton, Text, TextInput } from '@mantine/core';
import { IconCalendarTime } from '@tabler/icons-react';
import { type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../platform/connection.ts';
import { languageTag } from '../platform/language.ts';
import { useSession } from '../platform/session.ts';
import { readMoment, type Writing, writtenMoment } from './moment-text.ts';
import { momentAt, wallTime } from './period.ts';

const MomentPicker = lazyPart(async () => (await import('./moment-picker.tsx')).MomentPicker);

/** A usual time that one click chooses. */
export interface UsualMoment {
  label: string;
  at: string;
}

interface MomentInputProps {
  label?: string;
  'aria-label'?: string;
  description?: string;
  error?: ReactNode;
  /** Wall time in the zone, such as `2026-11-24T09:00`. */
  value: string | null;
  onChange: (value: string | null) => void;
  zone: string;
  /** True for a time that has to be in the future. */
  ahead?: boolean;
  /** True if the field cannot be emptied: it then takes its last time back. */
  required?: boolean;
  usual?: readonly UsualMoment[];
  maw?: number;
  /** False within another popover, which a click outside of it would close. */
  withinPortal?: boolean;
}

/** On a small screen with the field low, the calendar covers the field rather than the edge of the window. */
const IN_VIEW = {
  flip: true,
  shift: { padding: 8, crossAxis: true, limiter: { fn: ({ x, y }: { x: number; y: number }) => ({ x, y }) } },
} as const;

/** Returns how the person writes dates and times. */
function useWriting(): Writing {
  return { tag: languageTag(), style: useSession((s) => s.profile?.preferences?.date_format ?? 'language') };
}

/** Returns the distance of a zone from UTC at a wall time, such as GMT+8. */
function offsetOf(zone: string, wall: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' });
  return parts.formatToParts(momentAt(zone, wall)).find(({ type }) => type === 'timeZoneName')?.value ?? '';
}

/**
 * Input for a date and a time of day in a named time zone. It can be typed in the person's own format, or in words such
 * as “tomorrow 9:00”, and chosen from a calendar, which the arrow key opens.
 */
export function MomentInput(props: MomentInputProps) {
  const { t } = useTranslation();
  const { value, onChange, zone, ahead, required, usual, error, withinPortal = true, ...input } = props;
  const writing = useWriting();
  const [now] = useState(() => wallTime(zone, new Date()));
  const words = [t('moment.today'), t('moment.tomorrow')];
  const read = (typed: string) => readMoment(typed, writing, now.slice(0, 10), words);
  const written = value === null ? '' : writtenMoment(value, writing);
  const [text, setText] = useState(written);
  const [unread, setUnread] = useState(false);
  const [opened, setOpened] = useState(false);
  // A time that was chosen elsewhere replaces the text, but not another spelling of the same time.
  const [seen, setSeen] = useState(value);
  if (seen !== value) {
    setSeen(value);
    setUnread(false);
    if (read(text) !== value) setText(written);
  }
  const type = (typed: string) => {
    setText(typed);
    setUnread(false);
    const moment = read(typed);
    if (moment !== null) onChange(moment);
    else if (typed.trim() === '' && !required) onChange(null);
  };
  const leave = () => {
    if (text.trim() === '' || read(text) !== null) setText(written);
    else setUnread(true);
  };
  const passed = ahead && value !== null && value < now;
  return (
    <Popover
      {...{ opened, withinPortal }}
      withRoles={false}
      onChange={setOpened}
      position="bottom-start"
      middlewares={IN_VIEW}
      trapFocus
      returnFocus
      shadow="md"
    >
      <Popover.Target>
        <TextInput
          {...input}
          miw={240}
          autoComplete="off"
          placeholder={t('moment.placeholder', { example: writtenMoment(`${now.slice(0, 10)}T09:00`, writing) })}
          error={
            unread
              ? t('moment.unread', { example: writtenMoment(now, writing) })
              : (error ?? (passed ? t('validation.schedule_past') : undefined))
          }
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          onBlur={leave}
          onKeyDown={(event) => {
            if (event.key !== 'ArrowDown') return;
            event.preventDefault();
            setOpened(true);
          }}
          rightSectionWidth={96}
          rightSection={
            <Group gap={2} wrap="nowrap" justify="flex-end" w="100%" pr={4}>
              <Text size="xs" c="dimmed" title={zone.replaceAll('_', ' ')}>
                {offsetOf(zone, value ?? now)}
              </Text>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={t('moment.open')}
                aria-expanded={opened}
                aria-haspopup="dialog"
                onClick={() => setOpened(!opened)}
                onKeyDown={(event) => {
                  if (event.key === 'Escape') setOpened(false);
                }}
              >
                <IconCalendarTime size={18} stroke={1.6} aria-hidden />
              </ActionIcon>
            </Group>
          }
        />
      </Popover.Target>
      <Popover.Dropdown p="sm" role="dialog" aria-label={t('moment.open')}>
        {opened && (
          <Suspense fallback={<Skeleton w={260} h={380} />}>
            <MomentPicker
              {...{ zone, now, usual }}
              earliest={ahead ? now : undefined}
              value={value}
              onChange={onChange}
              onDone={() => setOpened(false)}
            />
          </Suspense>
        )}
      </Popover.Dropdown>
    </Popover>
  );
}

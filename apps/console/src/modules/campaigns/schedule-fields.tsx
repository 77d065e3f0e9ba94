import type { CampaignSchedule } from '@heliograph/contract/campaigns/schedule';
import { REPEATS } from '@heliograph/contract/campaigns/schedule';
import { Group, NumberInput, Select, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { DateInput } from '../../resource/date-input.tsx';
import { MomentInput } from '../../resource/moment-input.tsx';
import { useUsualStarts } from './usual-starts.ts';

interface Fields {
  value: CampaignSchedule;
  onChange: (value: CampaignSchedule) => void;
  /** Error sentences by field, such as `start` or `repeat.until`. */
  errors: Readonly<Record<string, string>>;
}

/** Fields for start and end, with their time zone beside them. */
export function RangeFields({ value, onChange, errors, zone }: Fields & { zone: string }) {
  const { t } = useTranslation();
  const usual = useUsualStarts(zone);
  const wall = (field: 'start' | 'end') => (
    <MomentInput
      ahead
      zone={zone}
      label={t(`schedule.${field}`)}
      description={t(`schedule.${field}_hint`)}
      error={errors[field]}
      {...(field === 'start' && { usual })}
      value={value[field]}
      onChange={(moment) => onChange({ ...value, [field]: moment })}
    />
  );
  return (
    <Stack gap="xs">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {wall('start')}
        {wall('end')}
      </SimpleGrid>
      <Text size="xs" c="dimmed">
        {t('schedule.zone', { zone: zone.replaceAll('_', ' ') })}
      </Text>
    </Stack>
  );
}

/** Field for the end of a campaign. */
export function EndField({ value, onChange, errors, zone }: Fields & { zone: string }) {
  const { t } = useTranslation();
  return (
    <MomentInput
      ahead
      maw={320}
      zone={zone}
      label={t('schedule.end')}
      description={t('schedule.end_hint')}
      error={errors['end']}
      value={value.end}
      onChange={(end) => onChange({ ...value, end })}
    />
  );
}

const QUIET = { from: '21:00', to: '08:00' };
const CANARY = { percent: 1, watch_minutes: 15, max_failed_percent: 20, max_opt_out_percent: 5 };

/** Fields for the rules that delay messages while the campaign runs, each with its own switch. */
export function PaceFields(props: Fields) {
  const { t } = useTranslation();
  const { value, onChange, errors } = props;
  const { quiet, spread_minutes } = value;
  return (
    <Stack gap="lg">
      <Option
        name="spread"
        checked={spread_minutes !== null}
        onChange={(on) => onChange({ ...value, spread_minutes: on ? 60 : null })}
      >
        <NumberInput
          label={t('schedule.spread_minutes')}
          maw={260}
          min={1}
          max={720}
          allowDecimal={false}
          suffix={t('schedule.minutes_suffix')}
          error={errors['spread_minutes']}
          value={spread_minutes ?? ''}
          onChange={(minutes) => typeof minutes === 'number' && onChange({ ...value, spread_minutes: minutes })}
        />
      </Option>
      <Option name="quiet" checked={quiet !== null} onChange={(on) => onChange({ ...value, quiet: on ? QUIET : null })}>
        <Group gap="sm" align="flex-start">
          {(['from', 'to'] as const).map((end) => (
            <TextInput
              key={end}
              type="time"
              label={t(`schedule.quiet_${end}`)}
              w={130}
              error={errors[`quiet.${end}`]}
              value={quiet?.[end] ?? ''}
              onChange={(event) =>
                onChange({ ...value, quiet: { ...(quiet ?? QUIET), [end]: event.currentTarget.value } })
              }
            />
          ))}
        </Group>
      </Option>
      <CanaryFields {...props} />
      <RepeatFields {...props} />
    </Stack>
  );
}

function CanaryFields({ value, onChange, errors }: Fields) {
  const { t } = useTranslation();
  const { canary } = value;
  const figure = (field: keyof typeof CANARY, max: number, suffix: string) => (
    <NumberInput
      label={t(`schedule.${field}`)}
      min={field === 'percent' || field === 'watch_minutes' ? 1 : 0}
      max={max}
      allowDecimal={false}
      suffix={suffix}
      error={errors[`canary.${field}`]}
      value={canary?.[field] ?? ''}
      onChange={(n) => typeof n === 'number' && onChange({ ...value, canary: { ...(canary ?? CANARY), [field]: n } })}
    />
  );
  return (
    <Option
      name="canary"
      checked={canary !== null}
      onChange={(on) => onChange({ ...value, canary: on ? CANARY : null })}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        {figure('percent', 50, ' %')}
        {figure('watch_minutes', 240, t('schedule.minutes_suffix'))}
        {figure('max_failed_percent', 100, ' %')}
        {figure('max_opt_out_percent', 100, ' %')}
      </SimpleGrid>
    </Option>
  );
}

function RepeatFields({ value, onChange, errors }: Fields) {
  const { t } = useTranslation();
  const { repeat, start } = value;
  const first = start?.slice(0, 10) ?? new Date().toISOString().slice(0, 10);
  return (
    <Option
      name="repeat"
      checked={repeat !== null}
      onChange={(on) => onChange({ ...value, repeat: on ? { every: 'daily', until: first } : null })}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <Select
          label={t('schedule.every')}
          allowDeselect={false}
          data={REPEATS.map((every) => ({ value: every, label: t(`schedule.${every}`) }))}
          value={repeat?.every ?? null}
          onChange={(every) => every && repeat && onChange({ ...value, repeat: { ...repeat, every: every as never } })}
        />
        <DateInput
          label={t('schedule.until')}
          clearable={false}
          minDate={first}
          error={errors['repeat.until']}
          value={repeat?.until ?? null}
          onChange={(until) => until && repeat && onChange({ ...value, repeat: { ...repeat, until } })}
        />
      </SimpleGrid>
    </Option>
  );
}

interface OptionProps {
  name: 'spread' | 'quiet' | 'canary' | 'repeat';
  checked: boolean;
  onChange: (on: boolean) => void;
  children: React.ReactNode;
}

function Option(props: OptionProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <Switch
        label={t(`schedule.${props.name}`)}
        description={t(`schedule.${props.name}_hint`)}
        checked={props.checked}
        onChange={(event) => props.onChange(event.currentTarget.checked)}
      />
      {props.checked && props.children}
    </Stack>
  );
}

import { type CampaignSchedule, campaignSchedule } from '@heliograph/contract/campaigns/schedule';
import { Alert, Button, Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { languageTag } from '../../../platform/language.ts';
import { useSession } from '../../../platform/session.ts';
import { suggestedStarts } from './blackout.ts';
import { BlackoutNote } from './blackout-note.tsx';
import { type Draft, edit, useDraft } from './draft.ts';
import type { SendingOptions } from './use-sending-options.ts';

/** Returns the schedule stored in a draft. A schedule that can no longer be read counts as empty. */
export const scheduleOf = (draft: Pick<Draft, 'schedule'>): CampaignSchedule =>
  campaignSchedule.safeParse(draft.schedule).data ?? campaignSchedule.parse({});

/** Writes the time of YYYY-MM-DDTHH:MM in the user's language. */
const timeOfDay = (at: string) =>
  new Intl.DateTimeFormat(languageTag(), { timeStyle: 'short', timeZone: 'UTC' }).format(new Date(`${at}Z`));

/** Choice between sending now and later, with usual times to choose from. */
export function When(props: { limits: SendingOptions; errors: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const ownZone = useSession((s) => s.corporationTimeZone) || 'UTC';
  const zone = props.limits.timezone ?? ownZone;
  const value = scheduleOf(useDraft());
  const [chosen, setChosen] = useState<'now' | 'later' | null>(null);
  const fault = props.errors['schedule.start'];
  const later = value.start !== null || chosen === 'later' || fault !== undefined;
  const onChange = (schedule: CampaignSchedule) => edit({ schedule });
  const start = (moment: string | null) => onChange({ ...value, start: moment });
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-start">
        <SegmentedControl
          aria-label={t('compose.when')}
          data={(['now', 'later'] as const).map((each) => ({ value: each, label: t(`when.${each}`) }))}
          value={later ? 'later' : 'now'}
          onChange={(next) => {
            setChosen(next as 'now' | 'later');
            if (next === 'now') start(null);
          }}
        />
        {later && (
          <TextInput
            type="datetime-local"
            aria-label={t('schedule.start')}
            error={fault}
            value={value.start ?? ''}
            onChange={(event) => start(event.currentTarget.value || null)}
          />
        )}
        {later &&
          suggestedStarts(new Date(), zone).map(({ name, at }) => (
            <Button
              key={name}
              size="compact-sm"
              radius="xl"
              mt={5}
              variant={value.start === at ? 'light' : 'default'}
              onClick={() => start(at)}
            >
              {t(`when.${name}`, { time: timeOfDay(at) })}
            </Button>
          ))}
      </Group>
      <Text size="xs" c="dimmed">
        {t('schedule.zone', { zone: zone.replaceAll('_', ' ') })}
      </Text>
      <BlackoutNote {...{ value, onChange, zone }} blackout={props.limits.blackout} />
      {value.repeat && value.start === null && (
        <Alert color="orange" variant="light" icon={<IconClock size={18} />}>
          {t('schedule.repeat_needs_start')}
        </Alert>
      )}
    </Stack>
  );
}

import { type CampaignSchedule, campaignSchedule } from '@heliograph/contract/campaigns/schedule';
import { Alert, Button, Collapse, Stack, Text } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Section } from '../../../ui/section.tsx';
import { PaceFields, RangeFields } from '../schedule-fields.tsx';
import type { Blackout } from './blackout.ts';
import { BlackoutNote } from './blackout-note.tsx';
import { type Draft, edit, useDraft } from './draft.ts';

/** Returns the schedule stored in a draft. A schedule that can no longer be read counts as empty. */
export const scheduleOf = (draft: Pick<Draft, 'schedule'>): CampaignSchedule =>
  campaignSchedule.safeParse(draft.schedule).data ?? campaignSchedule.parse({});

/** Section for the start time and the sending rate. All fields may keep their defaults. */
export function ScheduleSection(props: {
  zone: string;
  blackout: Blackout | null;
  errors: Readonly<Record<string, string>>;
}) {
  const { zone, blackout, errors } = props;
  const { t } = useTranslation();
  const value = scheduleOf(useDraft());
  const { start, end, ...pace } = value;
  const paced = Object.values(pace).some((each) => each !== null);
  const [opened, setOpened] = useState(paced);
  const fields = {
    value,
    errors: Object.fromEntries(Object.entries(errors).map(([field, text]) => [field.replace(/^schedule\./, ''), text])),
    onChange: (schedule: CampaignSchedule) => edit({ schedule }),
  };
  return (
    <Section title={t('schedule.title')}>
      <Stack gap="md">
        <RangeFields {...fields} zone={zone} />
        <BlackoutNote {...fields} blackout={blackout} zone={zone} />
        {value.repeat && start === null && (
          <Alert color="orange" variant="light" icon={<IconClock size={18} />}>
            {t('schedule.repeat_needs_start')}
          </Alert>
        )}
        <div>
          <Button
            variant="subtle"
            size="compact-sm"
            // In some languages, the label takes several lines on a phone.
            h="auto"
            mih={26}
            maw="100%"
            styles={{ label: { whiteSpace: 'normal', textAlign: 'start' } }}
            aria-expanded={opened || paced}
            onClick={() => setOpened(!opened)}
          >
            {t('schedule.more')}
          </Button>
          {paced && !opened && (
            <Text size="xs" c="dimmed">
              {t('schedule.more_set')}
            </Text>
          )}
        </div>
        <Collapse expanded={opened}>
          <PaceFields {...fields} />
        </Collapse>
      </Stack>
    </Section>
  );
}

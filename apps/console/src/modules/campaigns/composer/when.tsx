import { type CampaignSchedule, campaignSchedule } from '@heliograph/contract/campaigns/schedule';
import { Alert, Button, Group, Loader, Popover, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconChartBar, IconClock } from '@tabler/icons-react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { lazyPart } from '../../../platform/connection.ts';
import { useSession } from '../../../platform/session.ts';
import { MomentInput } from '../../../resource/moment-input.tsx';
import { useUsualStarts } from '../usual-starts.ts';
import { BlackoutNote } from './blackout-note.tsx';
import { type Draft, edit, useDraft } from './draft.ts';
import type { SendingOptions } from './use-sending-options.ts';

const BestTime = lazyPart(async () => (await import('./best-time.tsx')).BestTime);

/** Returns the schedule stored in a draft. A schedule that can no longer be read counts as empty. */
export const scheduleOf = (draft: Pick<Draft, 'schedule'>): CampaignSchedule =>
  campaignSchedule.safeParse(draft.schedule).data ?? campaignSchedule.parse({});

/** Choice between sending now and later, with usual times to choose from. */
export function When(props: { limits: SendingOptions; errors: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const ownZone = useSession((s) => s.corporationTimeZone) || 'UTC';
  const zone = props.limits.timezone ?? ownZone;
  const draft = useDraft();
  const senderId = draft.sender_id;
  const value = scheduleOf(draft);
  const usual = useUsualStarts(zone);
  const fault = props.errors['schedule.start'];
  const later = value.start !== null || fault !== undefined;
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
            // “Later” without a time would be sent now.
            start(next === 'now' ? null : usual.at(0)!.at);
          }}
        />
        {later && (
          <MomentInput
            ahead
            required
            maw={276}
            aria-label={t('schedule.start')}
            error={fault}
            zone={zone}
            usual={usual}
            value={value.start}
            onChange={start}
          />
        )}
        {later &&
          usual.slice(0, 2).map(({ label, at }) => (
            <Button
              key={at}
              size="compact-sm"
              radius="xl"
              mt={5}
              variant={value.start === at ? 'light' : 'default'}
              onClick={() => start(at)}
            >
              {label}
            </Button>
          ))}
        {senderId !== null && (
          <Popover width={340} position="bottom-start" shadow="md" trapFocus withArrow>
            <Popover.Target>
              <Button size="compact-sm" variant="subtle" mt={5} leftSection={<IconChartBar size={16} aria-hidden />}>
                {t('best_time.action')}
              </Button>
            </Popover.Target>
            <Popover.Dropdown>
              <Suspense fallback={<Loader size="sm" />}>
                <BestTime senderId={senderId} />
              </Suspense>
            </Popover.Dropdown>
          </Popover>
        )}
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

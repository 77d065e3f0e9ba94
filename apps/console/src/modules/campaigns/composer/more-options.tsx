import type { CampaignSchedule } from '@heliograph/contract/campaigns/schedule';
import { Button, Collapse, Stack, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../platform/format.ts';
import { useSession } from '../../../platform/session.ts';
import { EndField, PaceFields } from '../schedule-fields.tsx';
import { scheduleMarks } from '../schedule-words.tsx';
import { type Draft, edit } from './draft.ts';
import { Options } from './options.tsx';
import type { SendingOptions } from './use-sending-options.ts';
import { scheduleOf } from './when.tsx';

/** Options that most campaigns leave as they are, folded. A line tells which of them are on. */
export function MoreOptions(props: { draft: Draft; limits: SendingOptions; errors: Readonly<Record<string, string>> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { draft, limits, errors } = props;
  const [opened, setOpened] = useState(false);
  const ownZone = useSession((s) => s.corporationTimeZone) || 'UTC';
  const zone = limits.timezone ?? ownZone;
  const schedule = scheduleOf(draft);
  const fields = {
    value: schedule,
    errors: Object.fromEntries(Object.entries(errors).map(([field, text]) => [field.replace(/^schedule\./, ''), text])),
    onChange: (next: CampaignSchedule) => edit({ schedule: next }),
  };
  const on = [
    draft.sms_validity < limits.validity && t('campaign.validity', { count: draft.sms_validity }),
    draft.flash && limits.flash && t('compose.flash'),
    draft.short_links && t('compose.short_links'),
    draft.notify_number && t('compose.notify_number'),
    draft.skip_dead && limits.lookups && t('compose.skip_dead'),
    draft.parameters.length > 0 && limits.parameters && t('compose.parameters'),
    schedule.end && `${t('schedule.end')} ${schedule.end.replace('T', ' ')}`,
    ...scheduleMarks(schedule, t, format),
  ].filter((each) => typeof each === 'string');
  // A fault must not stay hidden.
  const faulty = Object.keys(errors).some((field) => OF_OPTIONS.test(field));
  const open = opened || faulty;
  const Icon = open ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        px={4}
        ml={-4}
        leftSection={<Icon size={16} aria-hidden />}
        aria-expanded={open}
        onClick={() => setOpened(!open)}
      >
        {t('compose.more')}
      </Button>
      {!open && (
        <Text size="xs" c="dimmed" mt={2}>
          {on.length > 0 ? t('compose.more_on', { options: on.join(', ') }) : t('compose.more_hint')}
        </Text>
      )}
      <Collapse expanded={open}>
        {open && (
          <Stack gap="lg" mt="md">
            <Options draft={draft} limits={limits} errors={errors} />
            <EndField {...fields} zone={zone} />
            <PaceFields {...fields} />
          </Stack>
        )}
      </Collapse>
    </div>
  );
}

const OF_OPTIONS =
  /^(sms_validity|flash|short_links|notify_number|parameters|schedule\.(end|spread|quiet|canary|repeat).*)$/;

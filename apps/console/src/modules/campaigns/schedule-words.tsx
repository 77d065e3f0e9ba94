import type { CampaignSchedule } from '@heliograph/contract/campaigns/schedule';
import { Badge, Group, Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { type Format, useFormat, useZone } from '../../platform/format.ts';
import type { Campaign } from './campaign-feed.ts';

/** Start and end of a campaign, always in full. Its time zone is shown if it differs from the reader's. */
export function ScheduleRange({ campaign }: { campaign: Pick<Campaign, 'starts_at' | 'ends_at' | 'timezone'> }) {
  const { t } = useTranslation();
  const format = useFormat();
  const own = useZone();
  return (
    <>
      {campaign.starts_at ? format.instant(campaign.starts_at) : t('schedule.at_once')}
      {campaign.ends_at && (
        <>
          {' – '}
          {format.instant(campaign.ends_at)}
        </>
      )}
      {campaign.timezone !== own && (
        <Text size="xs" c="dimmed" component="div">
          {t('schedule.zone', { zone: campaign.timezone.replaceAll('_', ' ') })}
        </Text>
      )}
    </>
  );
}

/** Returns the words for the schedule rules of a campaign, such as quiet hours and repetition. */
export function scheduleMarks(
  { quiet, spread_minutes, canary, repeat }: CampaignSchedule,
  t: TFunction,
  format: Format,
): string[] {
  return [
    spread_minutes !== null && t('schedule.mark_spread', { minutes: format.integer(spread_minutes) }),
    quiet && t('schedule.mark_quiet', quiet),
    canary && t('schedule.mark_canary', { percent: canary.percent }),
    repeat && t(`schedule.mark_${repeat.every}`, { until: format.date(repeat.until) }),
  ].filter((mark) => typeof mark === 'string');
}

/** Badges for the schedule rules of a campaign. */
export function ScheduleMarks({ schedule }: { schedule: CampaignSchedule }) {
  const { t } = useTranslation();
  const marks = scheduleMarks(schedule, t, useFormat());
  if (marks.length === 0) return null;
  return (
    <Group gap={6}>
      {marks.map((mark) => (
        <Badge key={mark} variant="light" color="gray" tt="none" fw={500} style={{ height: 'auto' }}>
          {mark}
        </Badge>
      ))}
    </Group>
  );
}

/**
 * Text that explains why a campaign stands still and when it continues by itself. Draws nothing for other campaigns.
 */
export function PauseReason({ campaign }: { campaign: Campaign }) {
  const { t } = useTranslation();
  const format = useFormat();
  if (campaign.state === 'paused' && campaign.pause_reason && campaign.pause_reason !== 'person') {
    const at = campaign.resumes_at ? format.instant(campaign.resumes_at) : '';
    return (
      <Text size="sm" role="status">
        {t(`schedule.paused_${campaign.pause_reason}`, { at })}
      </Text>
    );
  }
  if (campaign.state !== 'running') return null;
  const { canary_state, canary_until, canary_count } = campaign;
  if (canary_state === 'sending' || canary_state === 'watching') {
    return (
      <Text size="sm" role="status">
        {t(`schedule.canary_${canary_state}`, {
          n: format.integer(canary_count ?? 0),
          at: canary_until ? format.instant(canary_until) : '',
        })}
      </Text>
    );
  }
  if (!campaign.spread_until) return null;
  return (
    <Text size="sm" c="dimmed">
      {t('schedule.spread_until', { at: format.instant(campaign.spread_until) })}
    </Text>
  );
}

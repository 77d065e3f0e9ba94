import type { getCampaign } from '@heliograph/contract/campaigns/campaign';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Text, Timeline } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Cell } from '../../resource/columns.tsx';
import { CAMPAIGN_COLORS } from '../../ui/state-colors.ts';

export type CampaignDetail = ReplyOf<typeof getCampaign>['data'];

/** Timeline of a campaign: each action, its author, and its time. */
export function CampaignTimeline({ steps }: { steps: CampaignDetail['timeline'] }) {
  const { t } = useTranslation();
  return (
    <Timeline bulletSize={14} lineWidth={2} active={steps.length - 1} aria-label={t('campaign.timeline')}>
      {steps.map((step) => (
        <Timeline.Item
          key={`${step.created_at} ${step.to_state} ${step.reason}`}
          color={CAMPAIGN_COLORS[step.to_state] ?? 'gray'}
          title={
            <Text size="sm" fw={500} component="span">
              {t(step.from_state === null ? 'campaign.step.created' : keyIn('campaign.step', stepOf(step)))}
            </Text>
          }
        >
          <Text size="xs" c="dimmed" component="div">
            <Cell show="instant" value={step.created_at} />
            {step.user_name && ` · ${step.user_name}`}
          </Text>
          {step.note && (
            <Text size="sm" mt={2} style={{ overflowWrap: 'anywhere' }}>
              “{step.note}”
            </Text>
          )}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

/** Returns the word for a transition. The same new state has different meanings, depending on the state before it. */
function stepOf(step: CampaignDetail['timeline'][number]): string {
  // The reason of a transition is more informative than the transition itself.
  if (step.reason) return step.reason;
  if (step.to_state === 'running' && step.from_state === 'paused') return 'resumed';
  // An approved campaign is prepared again, against the credit and the lists of that moment.
  if (step.from_state === 'pending' && ['preparing', 'running', 'scheduled'].includes(step.to_state)) return 'approved';
  return step.to_state;
}

import type { dashboard } from '@heliograph/contract/dashboard/dashboard';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Anchor, Badge, Stack, Text } from '@mantine/core';
import { IconSpeakerphone } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { CAMPAIGN_COLORS } from '../../ui/state-colors.ts';
import classes from './dashboard.module.css';

type Data = ReplyOf<typeof dashboard>;

/** List of the latest campaigns with their progress. */
export function Recent({ campaigns }: { campaigns: Data['recent_campaigns'] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const mayShow = useMay('campaigns-show');
  if (campaigns.length === 0)
    return (
      <EmptyState
        icon={<IconSpeakerphone size={28} stroke={1.5} />}
        title={t('dashboard.recent_empty')}
        text={t('dashboard.recent_empty_hint')}
      />
    );
  return (
    <Stack gap={0}>
      {campaigns.map((campaign) => (
        <div key={campaign.id} className={classes.campaign}>
          <div style={{ minWidth: 0 }}>
            {mayShow ? (
              <Anchor
                component={Link}
                to={`/campaign-history/${campaign.id}`}
                size="sm"
                fw={500}
                truncate
                display="block"
              >
                {campaign.name}
              </Anchor>
            ) : (
              <Text size="sm" fw={500} truncate>
                {campaign.name}
              </Text>
            )}
            <Text size="xs" c="dimmed">
              {t('dashboard.recent_count', {
                delivered: format.integer(campaign.delivered),
                total: format.integer(campaign.total_count),
              })}
            </Text>
          </div>
          <Badge variant="light" size="sm" color={CAMPAIGN_COLORS[campaign.state] ?? 'gray'} style={{ flexShrink: 0 }}>
            {t(keyIn('campaign_state', campaign.state))}
          </Badge>
        </div>
      ))}
    </Stack>
  );
}

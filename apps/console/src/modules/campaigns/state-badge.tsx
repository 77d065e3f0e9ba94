import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { CAMPAIGN_COLORS } from '../../ui/state-colors.ts';

/** Badge with a campaign's state. */
export function StateBadge(props: { state: string; size?: 'sm' | 'md' | 'lg' }) {
  const { t } = useTranslation();
  return (
    <Badge
      variant="light"
      size={props.size ?? 'sm'}
      color={CAMPAIGN_COLORS[props.state] ?? 'gray'}
      style={{ flexShrink: 0, minWidth: 'max-content' }}
    >
      {t(keyIn('campaign_state', props.state))}
    </Badge>
  );
}

import type { messageRow } from '@heliograph/contract/campaigns/message';
import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { MESSAGE_COLORS } from '../../ui/state-colors.ts';

export type MessageRow = z.output<typeof messageRow>;

/** Badge with a message's state. */
export function MessageStateBadge({ state }: { state: string }) {
  const { t } = useTranslation();
  return (
    <Badge
      variant="light"
      size="sm"
      color={MESSAGE_COLORS[state] ?? 'gray'}
      style={{ flexShrink: 0, minWidth: 'max-content' }}
    >
      {t(keyIn('message_state', state))}
    </Badge>
  );
}

import { keyIn } from '@heliograph/contract/kernel/message-keys';
import type { senderId } from '@heliograph/contract/senders/sender-id';
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { SENDER_COLORS } from '../../ui/state-colors.ts';

export type Sender = z.output<typeof senderId.row>;

/** Badge with the state of a sender ID. */
export function SenderState({ sender }: { sender: Pick<Sender, 'state' | 'withheld'> }) {
  const { t } = useTranslation();
  if (sender.withheld)
    return (
      <Badge variant="light" size="sm" color="orange" title={t('resources.sender-ids.withheld_hint')}>
        {t('resources.sender-ids.fields.withheld')}
      </Badge>
    );
  return (
    <Badge
      variant="light"
      size="sm"
      color={SENDER_COLORS[sender.state] ?? 'gray'}
      style={{ flexShrink: 0, minWidth: 'max-content' }}
    >
      {t(keyIn('sender_state', sender.state))}
    </Badge>
  );
}

/** Returns the reason why nothing can be sent from a sender ID, as a key of `sender.why`; undefined if it can. */
export function whyNot({ state, enabled, withheld }: Pick<Sender, 'state' | 'enabled' | 'withheld'>) {
  if (withheld) return 'resources.sender-ids.withheld_hint' as const;
  if (state !== 'approved') return keyIn('sender.why', state);
  return enabled ? undefined : ('sender.why.disabled' as const);
}

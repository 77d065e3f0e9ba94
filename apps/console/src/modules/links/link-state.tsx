import { keyIn } from '@heliograph/contract/kernel/message-keys';
import { Badge } from '@mantine/core';
import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { hasText } from '../../platform/language.ts';
import type { LinkRow } from './link-feed.ts';

const COLORS = {
  up: 'teal',
  binding: 'blue',
  down: 'red',
  throttled: 'orange',
  draining: 'violet',
  disabled: 'gray',
} as const satisfies Record<LinkRow['state'], string>;

/** Badge with the state of a link. */
export function LinkState({ state, size = 'sm' }: { state: LinkRow['state']; size?: 'sm' | 'md' }) {
  const { t } = useTranslation();
  return (
    <Badge
      variant={state === 'down' ? 'filled' : 'light'}
      size={size}
      color={state === 'down' ? 'red.9' : COLORS[state]}
      style={{ flexShrink: 0, minWidth: 'max-content' }}
    >
      {t(`link_state.${state}`)}
    </Badge>
  );
}

/** Returns a fault in plain words. An unknown fault is shown by its code. */
export function faultWords(code: string): string {
  for (const key of [keyIn('link_fault', code), keyIn('carrier_error', code)]) if (hasText(key)) return i18next.t(key);
  return i18next.t('link_fault.other', { code });
}

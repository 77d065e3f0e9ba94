import type { TopUpState as State } from '@heliograph/contract/top-ups/top-up';
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';

const COLORS: Readonly<Record<State, string>> = {
  created: 'gray',
  awaiting_payment: 'blue',
  in_review: 'yellow',
  paid: 'teal',
  partly_refunded: 'orange',
  refunded: 'orange',
  charged_back: 'red',
  failed: 'red',
  expired: 'gray',
  rejected: 'red',
};

/** Badge with the state of a top-up. */
export function TopUpState({ state }: { state: State }) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" size="sm" color={COLORS[state]}>
      {t(`top_up_state.${state}`)}
    </Badge>
  );
}

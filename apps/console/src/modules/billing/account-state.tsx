import type { billingAccount } from '@heliograph/contract/billing/billing-account';
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';

export type Account = z.output<(typeof billingAccount)['row']>;

type Sending = Pick<Account, 'suspended' | 'enabled'> & { hold?: Account['hold'] };

export const accountState = ({ suspended, enabled, hold }: Sending) => {
  if (suspended) return 'suspended';
  if (!enabled) return 'disabled';
  return hold === 'bulk' ? 'held_bulk' : hold === 'all' ? 'held_all' : 'active';
};

const COLORS = { suspended: 'red', held_all: 'red', held_bulk: 'orange', active: 'teal', disabled: 'gray' } as const;

/** Badge that shows whether an account can pay for messages. */
export function AccountState({ account }: { account: Sending }) {
  const { t } = useTranslation();
  const state = accountState(account);
  return (
    <Badge variant="light" size="sm" color={COLORS[state]}>
      {t(`account.state.${state}`)}
    </Badge>
  );
}

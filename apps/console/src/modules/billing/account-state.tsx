import type { billingAccount } from '@heliograph/contract/billing/billing-account';
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';

export type Account = z.output<(typeof billingAccount)['row']>;

/** Whether an account can be sent from. */
export function AccountState({ account }: { account: Pick<Account, 'suspended' | 'enabled'> }) {
  const { t } = useTranslation();
  const state = account.suspended ? 'suspended' : account.enabled ? 'active' : 'disabled';
  return (
    <Badge variant="light" size="sm" color={{ suspended: 'red', active: 'teal', disabled: 'gray' }[state]}>
      {t(`account.state.${state}`)}
    </Badge>
  );
}

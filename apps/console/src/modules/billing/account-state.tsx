import type { billingAccount } from '@heliograph/contract/billing/billing-account';
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';

export type Account = z.output<(typeof billingAccount)['row']>;

type Sending = Pick<Account, 'suspended' | 'enabled'>;

export const accountState = ({ suspended, enabled }: Sending): 'suspended' | 'active' | 'disabled' =>
  suspended ? 'suspended' : enabled ? 'active' : 'disabled';

/** Badge that shows whether an account can pay for messages. */
export function AccountState({ account }: { account: Sending }) {
  const { t } = useTranslation();
  const state = accountState(account);
  return (
    <Badge variant="light" size="sm" color={{ suspended: 'red', active: 'teal', disabled: 'gray' }[state]}>
      {t(`account.state.${state}`)}
    </Badge>
  );
}

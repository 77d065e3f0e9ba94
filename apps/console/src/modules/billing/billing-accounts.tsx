import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Text } from '@mantine/core';
import { IconAdjustmentsDollar, IconCoins, IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { ResourceList } from '../../resource/resource-list.tsx';
import type { RowAction } from '../../ui/table-parts.tsx';
import { AccountEntry } from './account-entry.tsx';
import { type Account, AccountState, accountState } from './account-state.tsx';
import { limitPassed } from './limits.ts';
import { Suspension } from './suspension.tsx';

const ICON = { size: 16, stroke: 1.6 } as const;
type Task = 'payment' | 'correction' | 'suspension';

/** Screen of the billing accounts: who pays, the balance, and the debt allowed. */
export function BillingAccounts() {
  const { t } = useTranslation();
  const [task, setTask] = useState<{ what: Task; account: Account } | null>(null);
  const mayPay = useMay('billing-accounts-payment');
  const maySuspend = useMay('billing-accounts-suspend');
  const mayShow = useMay(billingAccount.permissions.show);
  const close = () => setTask(null);

  const actions = (account: Account): RowAction[] => {
    const action = (what: Task, label: string, icon: RowAction['icon']): RowAction => ({
      label,
      icon,
      onClick: () => setTask({ what, account }),
    });
    // A user cannot manage the account that pays for their own messages.
    const runs = account.abilities.edit;
    return [
      ...(mayPay && runs
        ? [
            action('payment', t('payment.action'), <IconCoins {...ICON} />),
            action('correction', t('correction.action'), <IconAdjustmentsDollar {...ICON} />),
          ]
        : []),
      ...(maySuspend && runs
        ? [
            account.suspended
              ? action('suspension', t('suspension.resume.action'), <IconPlayerPlay {...ICON} />)
              : action('suspension', t('suspension.suspend.action'), <IconPlayerPause {...ICON} />),
          ]
        : []),
    ];
  };

  return (
    <>
      <ResourceList
        resource={billingAccount}
        columns={[
          'name',
          'corporation_name',
          'price_plan_name',
          { field: 'credit_balance', cell: (row) => <Balance account={row} />, csv: (row) => row.credit_balance },
          'reserved',
          'credit_limit',
          {
            field: 'suspended',
            title: 'common.state',
            cell: (row) => <AccountState account={row} />,
            csv: (row) => t(`account.state.${accountState(row)}`),
          },
          { field: 'key', hidden: true },
          { field: 'sms_validity', hidden: true },
          { field: 'charge_on_delivery', hidden: true },
          { field: 'flash_allowed', hidden: true },
          { field: 'content_visible', hidden: true },
          { field: 'cost_warning_limit', hidden: true },
          { field: 'low_balance_limit', hidden: true },
          { field: 'monthly_plan', hidden: true },
          { field: 'monthly_commitment', hidden: true },
          { field: 'enabled', hidden: true },
          { field: 'created_at', hidden: true },
        ]}
        filters={[{ field: 'corporation_id', to: corporation }, 'enabled', 'suspended']}
        rowActions={actions}
        {...(mayShow && { rowTo: (account: Account) => `/billing-accounts/${account.id}` })}
      />
      {task?.what === 'suspension' && <Suspension account={task.account} onClose={close} />}
      {(task?.what === 'payment' || task?.what === 'correction') && (
        <AccountEntry kind={task.what} account={task.account} onClose={close} />
      )}
    </>
  );
}

function Balance({ account }: { account: Account }) {
  const { t } = useTranslation();
  const format = useFormat();
  const passed = limitPassed(account);
  return (
    <Text size="sm" ta="right" {...(passed ? { c: 'var(--mantine-color-error)', title: t(`account.${passed}`) } : {})}>
      {format.money(account.credit_balance, account.currency)}
    </Text>
  );
}

import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { Alert, Anchor, Drawer, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { Cell, labelOf, rowShapeOf, showOf } from '../../resource/columns.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Link } from '../../ui/link.tsx';
import { type Account, AccountState } from './account-state.tsx';
import { limitPassed } from './limits.ts';
import { Statements } from './statements.tsx';

const TERMS = [
  'corporation_name',
  'key',
  'price_plan_name',
  'cost_warning_limit',
  'low_balance_limit',
  'monthly_plan',
  'monthly_commitment',
  'charge_on_delivery',
  'sms_validity',
  'flash_allowed',
  'content_visible',
] as const satisfies readonly (keyof Account)[];
const SHAPE = rowShapeOf(billingAccount.list);

/** Drawer of one account: its balance, its debt and the credit left, its terms, and its monthly statements. */
export function AccountDrawer(props: { account: Account; onClose: () => void }) {
  const { t } = useTranslation();
  const mayRead = useMay(billingAccount.permissions.show);
  const mayChanges = useMay('credit-changes-index');
  const mayRates = useMay('rate-details-index');
  const { id } = props.account;
  const query = useQuery({
    queryKey: ['billing-accounts', 'one', id],
    queryFn: ({ signal }) => call(billingAccount.get, { params: { id }, signal }),
    enabled: mayRead,
    placeholderData: { data: props.account },
  });
  const account = query.data?.data ?? props.account;
  const search = { billing_account_id: String(id) };
  return (
    <Drawer
      opened
      onClose={props.onClose}
      title={
        <Text fw={650} size="lg">
          {account.name}
        </Text>
      }
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="lg">
        <Group gap="md">
          <AccountState account={account} />
          {mayChanges && (
            <Anchor component={Link} to="/credit-changes" search={search} size="sm">
              {t('menu.credit-changes')}
            </Anchor>
          )}
          {mayRates && (
            <Anchor component={Link} to="/rate-details" search={search} size="sm">
              {t('menu.rate-details')}
            </Anchor>
          )}
        </Group>
        <Warning account={account} />
        <Standing account={account} />
        <SimpleGrid component="dl" cols={{ base: 2, xs: 3 }} spacing="sm" m={0}>
          {TERMS.map((field) => (
            <Fact key={field} label={labelOf('billing-accounts', field)}>
              <Cell show={showOf(SHAPE[field])} value={account[field]} currency={account.currency} />
            </Fact>
          ))}
        </SimpleGrid>
        {mayChanges && <Statements accountId={id} />}
      </Stack>
    </Drawer>
  );
}

/** Notice shown when the balance has passed one of the account's limits. */
function Warning({ account }: { account: Account }) {
  const { t } = useTranslation();
  const passed = limitPassed(account);
  if (!passed) return null;
  return (
    <Alert color="orange" variant="light" icon={<IconAlertTriangle size={18} />}>
      {t(`account.${passed}`)}
    </Alert>
  );
}

/** Figures of an account: balance, reserved amount, debt, and the credit left. */
function Standing({ account }: { account: Account }) {
  const { t } = useTranslation();
  const format = useFormat();
  const balance = toThousandths(account.credit_balance);
  const money = (thousandths: number) => format.money(fromThousandths(thousandths), account.currency);
  const figures: [string, string][] = [
    [labelOf('billing-accounts', 'credit_balance'), money(balance)],
    [labelOf('billing-accounts', 'reserved'), money(toThousandths(account.reserved))],
    [t('account.outstanding'), money(Math.max(0, -balance))],
    [labelOf('billing-accounts', 'credit_limit'), money(toThousandths(account.credit_limit))],
    [t('account.available'), money(Math.max(0, balance + toThousandths(account.credit_limit)))],
  ];
  return (
    <SimpleGrid component="dl" className="app-card" cols={{ base: 2, xs: 3 }} spacing="sm" m={0} p="md">
      {figures.map(([label, value]) => (
        <Fact key={label} label={label}>
          {value}
        </Fact>
      ))}
    </SimpleGrid>
  );
}

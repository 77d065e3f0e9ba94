import { makeAccountTransfer } from '@heliograph/contract/billing/account-transfer';
import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { makeTopUp, topUps } from '@heliograph/contract/top-ups/top-up';
import { redeemVoucher } from '@heliograph/contract/top-ups/voucher';
import { Alert, Anchor, Button, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import {
  IconAdjustmentsDollar,
  IconAlertTriangle,
  IconArrowsExchange,
  IconCoins,
  IconCreditCardPay,
  IconEdit,
  IconPlayerPause,
  IconPlayerPlay,
  IconTicket,
} from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { Cell, labelOf, rowShapeOf, showOf } from '../../resource/columns.tsx';
import { OneRecord } from '../../resource/one-record.tsx';
import { Fact } from '../../ui/fact.tsx';
import { Link } from '../../ui/link.tsx';
import { PageActions } from '../../ui/page-actions.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import type { RowAction } from '../../ui/table-parts.tsx';
import { AutomaticTopUp, RedeemVoucher, TopUpDialog } from '../top-ups/index.ts';
import { AccountCredit } from './account-credit.tsx';
import { AccountEntry } from './account-entry.tsx';
import { AccountLines } from './account-lines.tsx';
import { AccountPace } from './account-pace.tsx';
import { type Account, AccountState } from './account-state.tsx';
import { limitPassed } from './limits.ts';
import { Statements } from './statements.tsx';
import { Suspension } from './suspension.tsx';
import { TransferCredit } from './transfer-credit.tsx';

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
const SHAPE = rowShapeOf(billingAccount.list);
/** Terms of an account, by what they are about. */
const TERMS = {
  credit: ['credit_limit', 'cost_warning_limit', 'monthly_plan', 'monthly_commitment', 'charge_on_delivery'],
  sending: ['sms_validity', 'flash_allowed', 'content_visible'],
  general: ['corporation_name', 'key', 'price_plan_name'],
} as const satisfies Record<string, readonly (keyof Account)[]>;

/** Page of one account: its balance and how long it lasts, its statement, its terms and its monthly statements. */
export function AccountPage() {
  const { t } = useTranslation();
  return (
    <OneRecord name="billing-accounts" operation={billingAccount.get} notFound={t('account.not_found')}>
      {(row) => <Loaded account={row} />}
    </OneRecord>
  );
}

type Task = 'top-up' | 'voucher' | 'payment' | 'correction' | 'suspension' | 'transfer';

function Loaded({ account }: { account: Account }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [task, setTask] = useState<Task | null>(null);
  const edit = () => void navigate({ to: `/billing-accounts/${account.id}/edit` });
  const mayEdit = useMay(billingAccount.permissions.edit) && account.abilities.edit;
  const mayPay = useMay('billing-accounts-payment') && account.abilities.edit;
  const maySuspend = useMay('billing-accounts-suspend') && account.abilities.edit;
  const mayTopUp = useMay(makeTopUp.permission) && account.enabled;
  const mayRedeem = useMay(redeemVoucher.permission) && account.enabled;
  const mayTransfer = useMay(makeAccountTransfer.permission);
  const mayTopUps = useMay(topUps.permission);
  const mayChanges = useMay('credit-changes-index');
  const close = () => setTask(null);
  const actions: RowAction[] = [
    ...(mayEdit ? [{ label: t('actions.edit'), icon: <IconEdit {...ICON} />, onClick: edit }] : []),
    ...(maySuspend
      ? [
          {
            label: t(account.suspended ? 'suspension.resume.action' : 'suspension.suspend.action'),
            icon: account.suspended ? <IconPlayerPlay {...ICON} /> : <IconPlayerPause {...ICON} />,
            onClick: () => setTask('suspension'),
          },
        ]
      : []),
    ...(mayRedeem
      ? [{ label: t('voucher.redeem'), icon: <IconTicket {...ICON} />, onClick: () => setTask('voucher') }]
      : []),
    ...(mayTransfer
      ? [
          {
            label: t('account_transfer.action'),
            icon: <IconArrowsExchange {...ICON} />,
            onClick: () => setTask('transfer'),
          },
        ]
      : []),
    ...(mayPay
      ? [
          {
            label: t('correction.action'),
            icon: <IconAdjustmentsDollar {...ICON} />,
            onClick: () => setTask('correction'),
          },
        ]
      : []),
  ];
  return (
    <>
      <PageHeader
        title={
          <Group component="span" gap={12}>
            <span style={{ overflowWrap: 'anywhere' }}>{account.name}</span>
            <AccountState account={account} />
          </Group>
        }
        subtitle={account.corporation_name}
        crumbs={[{ label: t('menu.billing-accounts'), to: '/billing-accounts' }]}
        actions={
          <PageActions name={account.name} actions={actions}>
            {mayTopUp && (
              <Button leftSection={<IconCreditCardPay {...ICON} />} onClick={() => setTask('top-up')}>
                {t('top_up.action')}
              </Button>
            )}
            {mayPay && (
              <Button variant="default" leftSection={<IconCoins {...ICON} />} onClick={() => setTask('payment')}>
                {t('payment.action')}
              </Button>
            )}
          </PageActions>
        }
      />
      <Stack gap="md">
        <Warning account={account} />
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <Standing account={account} onChange={mayEdit ? edit : undefined} />
          {mayChanges && <AccountPace account={account} />}
        </SimpleGrid>
        <AccountCredit account={account} mayChange={maySuspend} />
        {mayTopUps && <AutomaticTopUp account={account} />}
        {mayChanges && <Lines account={account} />}
        <SimpleGrid cols={{ base: 1, md: 2 }} spacing="md">
          <Terms account={account} />
          {mayChanges && (
            <Section title={t('statements.title')}>
              <Statements accountId={account.id} />
            </Section>
          )}
        </SimpleGrid>
      </Stack>
      {task === 'top-up' && <TopUpDialog account={account} onClose={close} />}
      {task === 'voucher' && <RedeemVoucher account={account} onClose={close} />}
      {task === 'transfer' && <TransferCredit from={account} onClose={close} />}
      {task === 'suspension' && <Suspension account={account} onClose={close} />}
      {(task === 'payment' || task === 'correction') && <AccountEntry kind={task} account={account} onClose={close} />}
    </>
  );
}

function Lines({ account }: { account: Account }) {
  const { t } = useTranslation();
  return (
    <Section
      title={t('account_lines.title')}
      actions={
        <Anchor
          component={Link}
          to="/credit-changes"
          search={{ billing_account_id: String(account.id), view: 'entries' }}
          size="sm"
        >
          {t('account_lines.entries')}
        </Anchor>
      }
    >
      <AccountLines accountId={account.id} />
    </Section>
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

/** Balance of an account in large type, what it consists of, and the limit below which its people are told. */
function Standing({ account, onChange }: { account: Account; onChange: (() => void) | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const balance = toThousandths(account.credit_balance);
  const money = (thousandths: number) => format.money(fromThousandths(thousandths), account.currency);
  return (
    <Section title={labelOf('billing-accounts', 'credit_balance')}>
      <Text fz={36} lh={1.1} fw={600} style={{ overflowWrap: 'anywhere' }} data-balance>
        {money(balance)}
      </Text>
      <SimpleGrid component="dl" cols={{ base: 2, xs: 3 }} spacing="sm" m={0}>
        <Fact label={t('account.available')}>{money(Math.max(0, balance + toThousandths(account.credit_limit)))}</Fact>
        <Fact label={labelOf('billing-accounts', 'reserved')}>{money(toThousandths(account.reserved))}</Fact>
        {balance < 0 && <Fact label={t('account.outstanding')}>{money(-balance)}</Fact>}
        <Fact label={labelOf('billing-accounts', 'low_balance_limit')}>
          {account.low_balance_limit === null ? t('account.no_limit') : money(toThousandths(account.low_balance_limit))}
          {onChange && (
            <>
              {' '}
              <Anchor component="button" size="xs" onClick={onChange}>
                {t('account.change')}
              </Anchor>
            </>
          )}
        </Fact>
      </SimpleGrid>
    </Section>
  );
}

function Terms({ account }: { account: Account }) {
  const { t } = useTranslation();
  const mayRates = useMay('rate-details-index');
  return (
    <Section
      title={t('account.terms')}
      actions={
        mayRates && (
          <Anchor component={Link} to="/rate-details" search={{ billing_account_id: String(account.id) }} size="sm">
            {t('menu.rate-details')}
          </Anchor>
        )
      }
    >
      {(['general', 'credit', 'sending'] as const).map((group) => (
        <div key={group}>
          <Text size="sm" fw={600} mb={6}>
            {t(`resources.billing-accounts.sections.${group}`)}
          </Text>
          <SimpleGrid component="dl" cols={{ base: 2, xs: 3 }} spacing="sm" m={0}>
            {TERMS[group].map((field) => (
              <Fact key={field} label={labelOf('billing-accounts', field)}>
                <Cell show={showOf(SHAPE[field])} value={account[field]} currency={account.currency} />
              </Fact>
            ))}
          </SimpleGrid>
        </div>
      ))}
    </Section>
  );
}

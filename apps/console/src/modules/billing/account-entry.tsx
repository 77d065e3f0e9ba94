import {
  correctBillingAccount,
  payBillingAccount,
  refundBillingAccount,
} from '@heliograph/contract/billing/billing-account';
import { closedMonths } from '@heliograph/contract/billing/closed-month';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { Group, Modal, Select, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, request } from '../../platform/call.ts';
import { loadCounters } from '../../platform/counters.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { RecordForm, useFormState } from '../../resource/form.tsx';
import type { Account } from './account-state.tsx';

const OPERATIONS = {
  payment: payBillingAccount,
  correction: correctBillingAccount,
  refund: refundBillingAccount,
} as const;

interface AccountEntryProps {
  kind: keyof typeof OPERATIONS;
  account: Account;
  /** Campaign whose charge is refunded. */
  campaign?: { id: number; name: string };
  onClose: () => void;
}

/** Dialog that adds an entry to an account's ledger and shows the balance before and after. */
export function AccountEntry({ kind, account, campaign, onClose }: AccountEntryProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const operation = OPERATIONS[kind];
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={650}>{t(`${kind}.title`, { name: account.name })}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <RecordForm
        name={`${kind}s`}
        schema={operation.body}
        initial={{
          amount: '',
          reference: undefined,
          note: kind === 'payment' ? undefined : '',
          ...(campaign ? { campaign_id: campaign.id } : {}),
        }}
        submitLabel={t(`${kind}.action`)}
        onCancel={onClose}
        submit={async (values) => {
          const reply = (await request(operation, { params: { id: account.id }, body: values })) as {
            message?: string;
          };
          for (const name of ['billing-accounts', 'credit-changes'])
            await client.invalidateQueries({ queryKey: [name] });
          void loadCounters();
          const amount = format.money(String(values.amount), account.currency);
          void toast('success', reply.message ?? t(`${kind}.done`, { amount, name: account.name }));
          onClose();
        }}
      >
        <EntryFields kind={kind} account={account} campaign={campaign?.name} />
      </RecordForm>
    </Modal>
  );
}

function EntryFields(props: { kind: AccountEntryProps['kind']; account: Account; campaign: string | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { values, errors, set } = useFormState();
  const { kind, account } = props;
  const noteNeeded = kind !== 'payment';
  const mayMonths = useMay(closedMonths.permission);
  const { data } = useQuery({
    queryKey: ['closed-months'],
    queryFn: ({ signal }) => call(closedMonths, { signal }),
    enabled: kind === 'correction' && mayMonths,
  });
  const months = data?.data.filter(({ reopened }) => reopened).map(({ month }) => month) ?? [];
  const field = (name: 'amount' | 'reference' | 'note', needed: boolean) => ({
    error: errors[name],
    required: needed,
    value: String(values[name] ?? ''),
    onChange: (event: { currentTarget: { value: string } }) => {
      const text = event.currentTarget.value;
      set(name, text === '' && !needed ? undefined : text);
    },
  });
  return (
    <>
      <Text size="sm" c="dimmed">
        {t(`${kind}.about`, { campaign: props.campaign })}
      </Text>
      <TextInput
        label={t('payment.amount', { currency: account.currency })}
        {...(kind === 'correction' ? { description: t('correction.amount_hint') } : {})}
        inputMode={kind === 'correction' ? 'text' : 'decimal'}
        data-autofocus
        {...field('amount', true)}
      />
      <TextInput
        label={t('payment.reference')}
        description={t('payment.reference_hint')}
        {...field('reference', false)}
      />
      <TextInput label={t('payment.note')} {...field('note', noteNeeded)} />
      {months.length > 0 && (
        <Select
          label={t('correction.month')}
          description={t('correction.month_hint')}
          placeholder={t('correction.present')}
          clearable
          data={months}
          error={errors['month']}
          value={(values['month'] as string | undefined) ?? null}
          onChange={(month) => set('month', month ?? undefined)}
        />
      )}
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('payment.balance')}
        </Text>
        <Text size="sm">{format.money(account.credit_balance, account.currency)}</Text>
      </Group>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">
          {t('payment.after')}
        </Text>
        <Text size="sm" fw={600}>
          {format.money(balanceAfter(account.credit_balance, String(values.amount ?? '')), account.currency)}
        </Text>
      </Group>
    </>
  );
}

function balanceAfter(balance: string, amount: string): string {
  try {
    return fromThousandths(toThousandths(balance) + toThousandths(amount));
  } catch {
    return balance;
  }
}

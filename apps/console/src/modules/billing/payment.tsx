import { type billingAccount, payBillingAccount } from '@heliograph/contract/billing/billing-account';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { Group, Modal, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { z } from 'zod';
import { call } from '../../platform/call.ts';
import { loadCounters } from '../../platform/counters.ts';
import { useFormat } from '../../platform/format.ts';
import { toast } from '../../platform/toast.ts';
import { RecordForm, useFormState } from '../../resource/form.tsx';

export type PaidAccount = z.output<(typeof billingAccount)['row']>;

/** Adds credit to an account, showing the balance before and after. */
export function Payment(props: { account: PaidAccount; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const { account } = props;
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={<Text fw={650}>{t('payment.title', { name: account.name })}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <RecordForm
        name="payments"
        schema={payBillingAccount.body}
        initial={{ amount: '', reference: undefined, note: undefined }}
        submitLabel={t('payment.action')}
        onCancel={props.onClose}
        submit={async (values) => {
          const body = values as { amount: string; reference?: string; note?: string };
          await call(payBillingAccount, { params: { id: account.id }, body });
          await client.invalidateQueries({ queryKey: ['billing-accounts'] });
          void loadCounters();
          const amount = format.money(body.amount, account.currency);
          void toast('success', t('payment.done', { amount, name: account.name }));
          props.onClose();
        }}
      >
        <PaymentFields account={account} />
      </RecordForm>
    </Modal>
  );
}

function PaymentFields({ account }: { account: PaidAccount }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { values, errors, set } = useFormState();
  const amount = String(values.amount ?? '');
  const field = (name: 'amount' | 'reference' | 'note') => ({
    error: errors[name],
    value: String(values[name] ?? ''),
    onChange: (event: { currentTarget: { value: string } }) =>
      set(name, event.currentTarget.value === '' && name !== 'amount' ? undefined : event.currentTarget.value.trim()),
  });
  return (
    <>
      <TextInput
        label={t('payment.amount', { currency: account.currency })}
        inputMode="decimal"
        required
        data-autofocus
        {...field('amount')}
      />
      <TextInput label={t('payment.reference')} description={t('payment.reference_hint')} {...field('reference')} />
      <TextInput label={t('payment.note')} {...field('note')} />
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
          {format.money(balanceAfter(account.credit_balance, amount), account.currency)}
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

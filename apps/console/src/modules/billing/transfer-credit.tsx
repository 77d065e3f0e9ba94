import { makeAccountTransfer } from '@heliograph/contract/billing/account-transfer';
import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { Group, Modal, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call, request } from '../../platform/call.ts';
import { loadCounters } from '../../platform/counters.ts';
import { useFormat } from '../../platform/format.ts';
import { toast } from '../../platform/toast.ts';
import { RecordForm, useFormState } from '../../resource/form.tsx';
import { ReferenceSelect } from '../../resource/reference.tsx';
import type { Account } from './account-state.tsx';

/** Lists that a transfer changes. */
export const MAKES_OLD = ['account-transfers', 'billing-accounts', 'credit-changes'] as const;

/** Dialog that moves credit from one account to another, with what the paying account can give. */
export function TransferCredit({ from, onClose }: { from?: Account; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={650}>{t('account_transfer.title')}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <RecordForm
        name="account-transfers"
        schema={makeAccountTransfer.body}
        initial={{
          from_account_id: from?.id ?? null,
          to_account_id: null,
          amount: '',
          reference: undefined,
          note: undefined,
        }}
        submitLabel={t('account_transfer.action')}
        onCancel={onClose}
        submit={async (values) => {
          const { message } = (await request(makeAccountTransfer, { body: values })) as { message?: string };
          for (const old of MAKES_OLD) await client.invalidateQueries({ queryKey: [old] });
          void loadCounters();
          void toast('success', message ?? t('account_transfer.action'));
          onClose();
        }}
      >
        <Fields from={from} />
      </RecordForm>
    </Modal>
  );
}

function Fields({ from }: { from: Account | undefined }) {
  const { t } = useTranslation();
  const { values, errors, set } = useFormState();
  const account = (field: 'from_account_id' | 'to_account_id', hint: 'from_hint' | 'to_hint') => ({
    to: billingAccount,
    label: t(`resources.account-transfers.fields.${field}`),
    description: t(`account_transfer.${hint}`),
    required: true,
    error: errors[field],
    value: (values[field] as number | null) ?? null,
    onChange: (id: number | null) => set(field, id),
  });
  const text = (field: 'amount' | 'reference' | 'note') => ({
    label: t(`resources.account-transfers.fields.${field}`),
    required: field === 'amount',
    error: errors[field],
    value: String(values[field] ?? ''),
    onChange: (event: { currentTarget: { value: string } }) => {
      const { value } = event.currentTarget;
      set(field, value === '' && field !== 'amount' ? undefined : value);
    },
  });
  return (
    <>
      <Text size="sm" c="dimmed">
        {t('account_transfer.about')}
      </Text>
      <ReferenceSelect {...account('from_account_id', 'from_hint')} known={from?.name} />
      <Available id={(values['from_account_id'] as number | null) ?? null} />
      <ReferenceSelect {...account('to_account_id', 'to_hint')} />
      <TextInput inputMode="decimal" {...text('amount')} />
      <TextInput description={t('account_transfer.reference_hint')} {...text('reference')} />
      <TextInput {...text('note')} />
    </>
  );
}

/** Credit that the paying account can give: its balance and its credit limit. */
function Available({ id }: { id: number | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery({
    queryKey: ['billing-accounts', 'one', id],
    queryFn: ({ signal }) => call(billingAccount.get, { params: { id: id! }, signal }),
    enabled: id !== null,
  });
  if (!data || id === null) return null;
  const { credit_balance, credit_limit, currency } = data.data;
  const available = Math.max(0, toThousandths(credit_balance) + toThousandths(credit_limit));
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        {t('account_transfer.available')}
      </Text>
      <Text size="sm" fw={600}>
        {format.money(fromThousandths(available), currency)}
      </Text>
    </Group>
  );
}

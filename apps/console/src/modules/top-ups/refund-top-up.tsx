import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { refundTopUp } from '@heliograph/contract/top-ups/top-up';
import { Modal, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { request } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { toast } from '../../platform/toast.ts';
import { RecordForm, useFormState } from '../../resource/form.tsx';
import type { TopUp } from './top-up.tsx';

/** Dialog that gives money of a top-up back to the customer. */
export function RefundTopUp({ topUp, onClose }: { topUp: TopUp; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const left = fromThousandths(toThousandths(topUp.total) - toThousandths(topUp.returned));
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={650}>{t('top_up.refund_title')}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <RecordForm
        name="top-ups"
        schema={refundTopUp.body}
        initial={{ amount: left.replace(/0$/, ''), reason: '' }}
        submitLabel={t('top_up.refund')}
        onCancel={onClose}
        submit={async (values) => {
          await request(refundTopUp, { params: { id: topUp.id }, body: values });
          for (const old of ['top-ups', 'billing-accounts', 'credit-changes'])
            await client.invalidateQueries({ queryKey: [old] });
          void toast('success', t('top_up.refund_asked'));
          onClose();
        }}
      >
        <Fields topUp={topUp} left={left} />
      </RecordForm>
    </Modal>
  );
}

function Fields({ topUp, left }: { topUp: TopUp; left: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { values, errors, set } = useFormState();
  const field = (name: 'amount' | 'reason') => ({
    required: true,
    error: errors[name],
    value: String(values[name] ?? ''),
    onChange: (event: { currentTarget: { value: string } }) => set(name, event.currentTarget.value),
  });
  return (
    <>
      <Text size="sm">
        {t('top_up.refund_text', { left: format.money(left, topUp.currency), name: topUp.billing_account_name })}
      </Text>
      <TextInput
        label={t('top_up.refund_amount', { currency: topUp.currency })}
        inputMode="decimal"
        data-autofocus
        {...field('amount')}
      />
      <TextInput label={t('top_up.reason')} {...field('reason')} />
    </>
  );
}

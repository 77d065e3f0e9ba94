import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { refundTopUp } from '@heliograph/contract/top-ups/top-up';
import { requestReturn } from '@heliograph/contract/top-ups/top-up-return';
import { Modal, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { request } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { toast } from '../../platform/toast.ts';
import { RecordForm, useFormState } from '../../resource/form.tsx';
import type { TopUp } from './top-up.tsx';

interface ReturnProps {
  kind: 'refund' | 'chargeback';
  topUp: TopUp;
  onClose: () => void;
}

/** Dialog that gives money of a top-up back to the customer, or records a chargeback that no provider reports. */
export function RefundTopUp({ kind, topUp, onClose }: ReturnProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const byHand = kind === 'chargeback' || topUp.driver === 'bank_transfer';
  const left = fromThousandths(toThousandths(topUp.total) - toThousandths(topUp.returned));
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={650}>{t(kind === 'refund' ? 'top_up.refund_title' : 'top_up.charge_back')}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <RecordForm
        name="top-ups"
        schema={refundTopUp.body}
        initial={{ amount: left.replace(/0$/, ''), reason: '' }}
        submitLabel={t(kind === 'refund' ? 'top_up.refund' : 'top_up.charge_back')}
        onCancel={onClose}
        submit={async (values) => {
          const params = { id: topUp.id };
          if (kind === 'refund') await request(refundTopUp, { params, body: values });
          else await request(requestReturn, { params, body: { kind, ...values } });
          for (const old of ['top-ups', 'billing-accounts', 'credit-changes'])
            await client.invalidateQueries({ queryKey: [old] });
          void toast('success', t(byHand ? 'top_up.return_asked' : 'top_up.refund_asked'));
          onClose();
        }}
      >
        <Fields
          topUp={topUp}
          left={left}
          text={kind === 'chargeback' ? 'charge_back_text' : byHand ? 'refund_by_hand' : 'refund_text'}
        />
      </RecordForm>
    </Modal>
  );
}

type Explained = 'charge_back_text' | 'refund_by_hand' | 'refund_text';

function Fields({ topUp, left, text }: { topUp: TopUp; left: string; text: Explained }) {
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
        {t(`top_up.${text}`, { left: format.money(left, topUp.currency), name: topUp.billing_account_name })}
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

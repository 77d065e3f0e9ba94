import { redeemVoucher } from '@heliograph/contract/top-ups/voucher';
import { Modal, Text, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { request } from '../../platform/call.ts';
import { loadCounters } from '../../platform/counters.ts';
import { readAgain } from '../../platform/queries.ts';
import { toast } from '../../platform/toast.ts';
import { RecordForm, useFormState } from '../../resource/form.tsx';

/** Dialog that redeems a voucher for an account. */
export function RedeemVoucher({ account, onClose }: { account: { id: number; name: string }; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={650}>{t('voucher.redeem_title', { name: account.name })}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <RecordForm
        name="vouchers"
        schema={redeemVoucher.body}
        initial={{ billing_account_id: account.id, code: '' }}
        submitLabel={t('voucher.redeem')}
        onCancel={onClose}
        submit={async (values) => {
          const { message } = (await request(redeemVoucher, { body: values })) as { message: string };
          await readAgain(['billing-accounts', 'credit-changes', 'top-ups']);
          void loadCounters();
          void toast('success', message);
          onClose();
        }}
      >
        <Code />
      </RecordForm>
    </Modal>
  );
}

function Code() {
  const { t } = useTranslation();
  const { values, errors, set } = useFormState();
  return (
    <TextInput
      label={t('voucher.code')}
      description={t('voucher.code_hint')}
      required
      data-autofocus
      autoComplete="off"
      error={errors['code']}
      value={String(values['code'] ?? '')}
      onChange={(event) => set('code', event.currentTarget.value)}
    />
  );
}

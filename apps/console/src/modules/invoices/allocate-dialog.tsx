import { allocateInvoicePayment, freeInvoicePayments } from '@heliograph/contract/invoices/invoice-payment';
import { Alert, Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { toast } from '../../platform/toast.ts';
import { labelOf } from '../../resource/columns.tsx';
import type { Invoice } from './invoice-state.tsx';

/** Dialog that lets a chosen payment of the account pay an invoice. */
export function AllocateDialog({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const { busy, run, errors, failure } = useAction('form');
  const [payment, setPayment] = useState<string | null>(null);
  const [amount, setAmount] = useState('');
  const params = { id: invoice.id };
  const { data } = useQuery({
    queryKey: ['invoices', 'free-payments', invoice.id],
    queryFn: ({ signal }) => call(freeInvoicePayments, { params, signal }),
  });
  const money = (value: string) => format.money(value, invoice.currency);
  const allocate = () =>
    run(async () => {
      const body = { payment_id: Number(payment), ...(amount.trim() !== '' && { amount }) };
      const { message } = await call(allocateInvoicePayment, { params, body });
      await client.invalidateQueries({ queryKey: ['invoices'] });
      void toast('success', message ?? '');
      onClose();
    });
  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={650}>{t('invoicing.allocate_title', { number: invoice.number })}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        <Text size="sm">{data?.data.length === 0 ? t('invoicing.allocate_none') : t('invoicing.allocate_text')}</Text>
        {data && data.data.length > 0 && (
          <>
            <Select
              label={t('invoicing.allocate_payment')}
              required
              error={errors['payment_id']?.[0]}
              value={payment}
              onChange={setPayment}
              data={data.data.map(({ id, free, note, paid_at }) => ({
                value: String(id),
                label: [format.instant(paid_at), note, t('invoicing.free', { amount: money(free) })]
                  .filter(Boolean)
                  .join(' · '),
              }))}
            />
            <TextInput
              label={labelOf('invoices', 'amount')}
              inputMode="decimal"
              error={errors['amount']?.[0]}
              value={amount}
              onChange={(event) => setAmount(event.currentTarget.value)}
            />
          </>
        )}
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button loading={busy} disabled={payment === null} onClick={allocate}>
            {t('invoicing.allocate')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

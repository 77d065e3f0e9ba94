import { resumeBillingAccount, suspendBillingAccount } from '@heliograph/contract/billing/billing-account';
import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../platform/call.ts';
import { sentenceOf } from '../../platform/problem.ts';
import { toast } from '../../platform/toast.ts';
import type { Account } from './account-state.tsx';

/** Suspends an account, or lets it go on, with the reason for it. */
export function Suspension({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [note, setNote] = useState('');
  const [busy, setBusy] = useState(false);
  const what = account.suspended ? 'resume' : 'suspend';
  const { name } = account;

  async function decide() {
    setBusy(true);
    try {
      const operation = what === 'suspend' ? suspendBillingAccount : resumeBillingAccount;
      await call(operation, { params: { id: account.id }, body: note.trim() ? { note: note.trim() } : {} });
      await client.invalidateQueries({ queryKey: ['billing-accounts'] });
      void toast('success', t(`suspension.${what}.done`, { name }));
      onClose();
    } catch (error) {
      void toast('error', sentenceOf(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Modal
      opened
      onClose={onClose}
      title={<Text fw={650}>{t(`suspension.${what}.title`, { name })}</Text>}
      closeButtonProps={{ 'aria-label': t('actions.close') }}
    >
      <Stack gap="md">
        <Text size="sm">{t(`suspension.${what}.text`)}</Text>
        <Textarea
          label={t('suspension.reason')}
          description={t('suspension.reason_hint')}
          maxLength={200}
          autosize
          minRows={2}
          data-autofocus
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('actions.cancel')}
          </Button>
          <Button color={what === 'suspend' ? 'red.8' : 'brand'} loading={busy} onClick={() => void decide()}>
            {t(`suspension.${what}.action`)}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

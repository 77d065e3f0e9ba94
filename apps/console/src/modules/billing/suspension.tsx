import { resumeBillingAccount, suspendBillingAccount } from '@heliograph/contract/billing/billing-account';
import { Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { toast } from '../../platform/toast.ts';
import { NoteDialog } from '../../ui/note-dialog.tsx';
import type { Account } from './account-state.tsx';

/** Dialog that suspends an account or lifts the suspension, with the reason. */
export function Suspension({ account, onClose }: { account: Account; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const { busy, run } = useAction();
  const what = account.suspended ? 'resume' : 'suspend';
  const { name } = account;

  const decide = (note: string | undefined) =>
    run(async () => {
      const operation = what === 'suspend' ? suspendBillingAccount : resumeBillingAccount;
      await call(operation, { params: { id: account.id }, body: note ? { note } : {} });
      await client.invalidateQueries({ queryKey: ['billing-accounts'] });
      void toast('success', t(`suspension.${what}.done`, { name }));
      onClose();
    });

  return (
    <NoteDialog
      title={t(`suspension.${what}.title`, { name })}
      label={t('suspension.reason')}
      hint={t('suspension.reason_hint')}
      longest={200}
      action={t(`suspension.${what}.action`)}
      danger={what === 'suspend'}
      busy={busy}
      onAct={(note) => void decide(note)}
      onClose={onClose}
    >
      <Text size="sm">{t(`suspension.${what}.text`)}</Text>
    </NoteDialog>
  );
}

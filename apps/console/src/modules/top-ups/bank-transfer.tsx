import {
  approveTopUp,
  getTransferProof,
  PROOF_BYTES,
  PROOF_TYPES,
  rejectTopUp,
  sendTransferProof,
} from '@heliograph/contract/top-ups/bank-transfer';
import { Button, Group, Text } from '@mantine/core';
import { IconCheck, IconDownload, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call, upload } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { openFile } from '../../platform/open-file.ts';
import { readAgain } from '../../platform/queries.ts';
import { FileTarget, ShareBar } from '../../resource/file-target.tsx';
import { NoteDialog } from '../../ui/note-dialog.tsx';
import { Section } from '../../ui/section.tsx';
import type { TopUp } from './top-up.tsx';

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
const reread = () => readAgain(['top-ups', 'billing-accounts', 'credit-changes']);

/** Instructions of a bank transfer, its proof, and the seller's decision. */
export function BankTransfer({ topUp }: { topUp: TopUp }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { id, may, proof_name } = topUp;
  return (
    <Section title={t('payment_driver.bank_transfer')}>
      {may.prove && (
        <>
          <Text size="sm">
            {t('bank_transfer.about', { total: format.money(topUp.total, topUp.currency), reference: topUp.reference })}
          </Text>
          <Text size="sm" fw={500} style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }}>
            {topUp.instructions}
          </Text>
          <SendProof id={id} />
        </>
      )}
      {proof_name !== null && (
        <Group gap="xs">
          <Button
            variant="default"
            leftSection={<IconDownload {...ICON} />}
            onClick={() => void openFile(getTransferProof.path.replace(':id', String(id)), proof_name)}
          >
            {t('bank_transfer.open_proof')}
          </Button>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {proof_name}
          </Text>
        </Group>
      )}
      {topUp.approved_by_name && topUp.state === 'in_review' && (
        <Text size="sm">{t('bank_transfer.first', { name: topUp.approved_by_name })}</Text>
      )}
      {topUp.decision_note && <Text size="sm">{t('bank_transfer.reason_is', { reason: topUp.decision_note })}</Text>}
      {may.approve && <Decision topUp={topUp} />}
    </Section>
  );
}

function SendProof({ id }: { id: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { run } = useAction();
  const [sent, setSent] = useState<{ name: string; share: number } | null>(null);
  const send = (file: File) =>
    run(async () => {
      setSent({ name: file.name, share: 0 });
      try {
        await upload(sendTransferProof, {
          params: { id },
          file,
          onProgress: (share) => setSent({ name: file.name, share }),
        });
        await reread();
      } finally {
        setSent(null);
      }
    });
  if (sent) return <ShareBar label={t('bank_transfer.sending', { name: sent.name })} share={sent.share} />;
  return (
    <FileTarget
      hint={t('bank_transfer.hint', { size: format.bytes(PROOF_BYTES) })}
      kinds={{ accept: PROOF_TYPES, label: t('bank_transfer.drop'), wrong: t('validation.document_kind') }}
      onFile={(file) => void send(file)}
    />
  );
}

function Decision({ topUp }: { topUp: TopUp }) {
  const { t } = useTranslation();
  const { busy, run } = useAction();
  const [rejecting, setRejecting] = useState(false);
  const params = { id: topUp.id };
  const approve = () =>
    run(async () => {
      await call(approveTopUp, { params });
      await reread();
    });
  const reject = (reason: string | undefined) =>
    run(async () => {
      await call(rejectTopUp, { params, body: { reason: reason ?? '' } });
      setRejecting(false);
      await reread();
    });
  return (
    <Group gap="xs">
      <Button leftSection={<IconCheck {...ICON} />} loading={busy} onClick={() => void approve()}>
        {t('bank_transfer.approve')}
      </Button>
      <Button variant="default" leftSection={<IconX {...ICON} />} onClick={() => setRejecting(true)}>
        {t('bank_transfer.reject')}
      </Button>
      {rejecting && (
        <NoteDialog
          title={t('bank_transfer.reject_title')}
          label={t('top_up.reason')}
          hint={t('bank_transfer.reject_hint')}
          longest={200}
          required
          action={t('bank_transfer.reject')}
          danger
          busy={busy}
          onAct={(note) => void reject(note)}
          onClose={() => setRejecting(false)}
        >
          <Text size="sm">{t('bank_transfer.reject_text')}</Text>
        </NoteDialog>
      )}
    </Group>
  );
}

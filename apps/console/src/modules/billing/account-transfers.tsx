import {
  accountTransfers,
  makeAccountTransfer,
  reverseAccountTransfer,
} from '@heliograph/contract/billing/account-transfer';
import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { Badge, Button, Text } from '@mantine/core';
import { IconArrowBackUp, IconArrowsExchange } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import type { RowOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { NoteDialog } from '../../ui/note-dialog.tsx';
import { MAKES_OLD, TransferCredit } from './transfer-credit.tsx';

type Transfer = RowOf<typeof accountTransfers>;

const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;

/** Screen of the transfers between accounts, newest first. */
export function AccountTransfers() {
  const { t } = useTranslation();
  const [making, setMaking] = useState(false);
  const [reversing, setReversing] = useState<Transfer | null>(null);
  const mayMake = useMay(makeAccountTransfer.permission);
  const mayReverse = useMay(reverseAccountTransfer.permission);
  const make = mayMake && (
    <Button leftSection={<IconArrowsExchange {...ICON} />} onClick={() => setMaking(true)}>
      {t('account_transfer.action')}
    </Button>
  );
  return (
    <CursorList<typeof accountTransfers, Transfer>
      name="account-transfers"
      operation={accountTransfers}
      title="to_account_name"
      header={{ subtitle: t('resources.account-transfers.empty'), actions: make }}
      columns={[
        'created_at',
        { field: 'from_account_name', cell: (row) => row.from_account_name ?? t('account_transfer.provider') },
        { field: 'from_corporation_name', hidden: true },
        'to_account_name',
        { field: 'to_corporation_name', hidden: true },
        'amount',
        { field: 'reversed_at', cell: (row) => <State row={row} /> },
        'reference',
        'note',
        'user_name',
        { field: 'reversed_by_name', hidden: true },
        { field: 'reverse_note', hidden: true },
      ]}
      filters={[{ field: 'billing_account_id', to: billingAccount }, 'reversed']}
      rowActions={(row) =>
        mayReverse && row.reversible
          ? [
              {
                label: t('account_transfer.reverse'),
                icon: <IconArrowBackUp {...ICON} />,
                danger: true,
                onClick: () => setReversing(row),
              },
            ]
          : []
      }
      empty={<EmptyState of="account-transfers" learn title={t('account_transfer.none')} action={make} />}
    >
      {making && <TransferCredit onClose={() => setMaking(false)} />}
      {reversing && <Reverse transfer={reversing} onClose={() => setReversing(null)} />}
    </CursorList>
  );
}

function State({ row }: { row: Transfer }) {
  const { t } = useTranslation();
  const reversed = row.reversed_at !== null;
  return (
    <Badge variant="light" size="sm" color={reversed ? 'gray' : 'teal'}>
      {t(reversed ? 'account_transfer.is_reversed' : 'account_transfer.is_done')}
    </Badge>
  );
}

/** Dialog that takes a transfer back, with the reason. */
function Reverse({ transfer, onClose }: { transfer: Transfer; onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const client = useQueryClient();
  const { busy, run } = useAction();
  const name = transfer.from_account_name ?? '';
  const reverse = (note: string | undefined) =>
    run(async () => {
      const { message } = await call(reverseAccountTransfer, {
        params: { id: transfer.id },
        body: { note: note ?? '' },
      });
      for (const old of MAKES_OLD) await client.invalidateQueries({ queryKey: [old] });
      void toast('success', message ?? t('account_transfer.reversed', { name }));
      onClose();
    });
  return (
    <NoteDialog
      title={t('account_transfer.reverse_title')}
      label={t('account_transfer.reason')}
      hint={t('account_transfer.reason_hint')}
      longest={200}
      required
      action={t('account_transfer.reverse')}
      danger
      busy={busy}
      onAct={(note) => void reverse(note)}
      onClose={onClose}
    >
      <Text size="sm">
        {t('account_transfer.reverse_text', { amount: format.money(transfer.amount, transfer.currency), name })}
      </Text>
    </NoteDialog>
  );
}

import { campaignMessages } from '@heliograph/contract/campaigns/campaign';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import type { Column } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MessageDrawer, type MessageRow, MessageStateBadge, Reason } from '../delivery/index.ts';

const COLUMNS: readonly Column<MessageRow>[] = [
  'number',
  { field: 'state', cell: (row) => <MessageStateBadge state={row.state} /> },
  { field: 'error_code', cell: (row) => <Reason code={row.error_code} /> },
  'parts',
  'charge',
  'done_at',
  { field: 'name', hidden: true },
  { field: 'text', hidden: true },
  { field: 'encoding', hidden: true },
];

/** The messages of one campaign; a row opens everything that happened to it. */
export function CampaignMessages({ campaignId }: { campaignId: number }) {
  const { t } = useTranslation();
  const mayOpen = useMay('transactions-index');
  const [open, setOpen] = useState<number | null>(null);
  const params = useMemo(() => ({ id: campaignId }), [campaignId]);
  return (
    <>
      <CursorList<typeof campaignMessages, MessageRow>
        name="messages"
        operation={campaignMessages}
        params={params}
        title="number"
        header={null}
        columns={COLUMNS}
        filters={[{ field: 'state', words: 'message_state' }]}
        empty={<EmptyState title={t('campaign.no_messages')} text={t('campaign.no_messages_hint')} />}
        {...(mayOpen ? { onRowClick: (row: MessageRow) => setOpen(row.id) } : {})}
      />
      {open !== null && <MessageDrawer id={open} onClose={() => setOpen(null)} />}
    </>
  );
}

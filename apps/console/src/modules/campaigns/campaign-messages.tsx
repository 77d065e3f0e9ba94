import { campaignMessages } from '@heliograph/contract/campaigns/message';
import { exportTransactions } from '@heliograph/contract/reports/transaction';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useZone } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import type { Column } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { periodFault, todayIn } from '../../resource/period.ts';
import { CutNumber } from '../../resource/removal.tsx';
import { ReportDownload } from '../../resource/report-download.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { MessageDrawer, type MessageRow, MessageStateBadge, Reason } from '../reports/index.ts';
import classes from './campaign.module.css';
import type { CampaignDetail } from './timeline.tsx';

const COLUMNS: readonly Column<MessageRow>[] = [
  { field: 'number', cell: (row) => <CutNumber number={row.number} cut={row.number_cut} /> },
  { field: 'state', cell: (row) => <LiveState key={row.id} state={row.state} /> },
  { field: 'error_code', cell: (row) => <Reason code={row.error_code} /> },
  'parts',
  'charge',
  'done_at',
  { field: 'name', hidden: true },
  { field: 'text', hidden: true },
  { field: 'encoding', hidden: true },
];

/** State of a message. Its row fades briefly when the state changes. */
function LiveState({ state }: { state: MessageRow['state'] }) {
  const before = useRef(state);
  const changed = before.current !== state;
  useEffect(() => {
    before.current = state;
  }, [state]);
  return (
    <span key={state} className={changed ? classes.changed : undefined}>
      <MessageStateBadge state={state} />
    </span>
  );
}

/** Returns the days on which a campaign's messages were written: from the start to the end of its last preparation. */
function daysWritten({ timeline }: CampaignDetail, zone: string) {
  const at = timeline.findLastIndex(({ to_state }) => to_state === 'preparing');
  const dayOf = (step: { created_at: string } | undefined) =>
    todayIn(zone, step ? new Date(step.created_at) : new Date());
  return { from: dayOf(timeline[Math.max(at, 0)]), to: dayOf(timeline[at + 1]) };
}

/** Table of one campaign's messages. A row opens everything that happened to its message. */
export function CampaignMessages({ campaign }: { campaign: CampaignDetail }) {
  const { t } = useTranslation();
  const zone = useZone();
  const mayOpen = useMay('transactions-index');
  const mayExport = useMay('transactions-download');
  const [open, setOpen] = useState<number | null>(null);
  const [exported, setExported] = useState<Record<string, unknown> | null>(null);
  const params = useMemo(() => ({ id: campaign.id }), [campaign.id]);

  async function askForFile({ state, search }: { state?: unknown; search?: unknown }) {
    const { from, to } = daysWritten(campaign, zone);
    const fault = periodFault(from, to, todayIn(zone));
    if (fault) return toast('warning', t(`validation.${fault}`));
    setExported({ campaign_id: campaign.id, from, to, state, number: search });
  }

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
        empty={<EmptyState of="transactions" title={t('campaign.no_messages')} text={t('campaign.no_messages_hint')} />}
        {...(mayOpen ? { onRowClick: (row: MessageRow) => setOpen(row.id) } : {})}
        exportLabel={t('report_format.export')}
        {...(mayExport ? { onExport: askForFile } : {})}
      />
      {exported && (
        <ReportDownload withCosts operation={exportTransactions} query={exported} onClose={() => setExported(null)} />
      )}
      {open !== null && <MessageDrawer id={open} onClose={() => setOpen(null)} />}
    </>
  );
}

import { link } from '@heliograph/contract/links/link';
import { network } from '@heliograph/contract/networks/network';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { exportTransactions, transactions } from '@heliograph/contract/reports/transaction';
import { useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useZone } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import type { Column } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { FiguresAsOf } from '../../resource/figures-as-of.tsx';
import { InZone } from '../../resource/in-zone.tsx';
import { NoPeriod } from '../../resource/no-period.tsx';
import { moved, periodFault, todayIn } from '../../resource/period.ts';
import { CutNumber } from '../../resource/removal.tsx';
import { ReportDownload } from '../../resource/report-download.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { MessageDrawer } from './message-drawer.tsx';
import { type MessageRow, MessageStateBadge } from './message-state.tsx';
import { Reason } from './reason.tsx';
import { ReportBar } from './report-bar.tsx';

const COLUMNS: readonly Column<MessageRow>[] = [
  { field: 'created_at', exact: true, keep: true },
  { field: 'number', cell: (row) => <CutNumber number={row.number} cut={row.number_cut} /> },
  'sender_id',
  { field: 'state', cell: (row) => <MessageStateBadge state={row.state} /> },
  { field: 'error_code', cell: (row) => <Reason code={row.error_code} /> },
  'campaign_name',
  'parts',
  'charge',
  { field: 'corporation_name', hidden: true },
  { field: 'user_name', hidden: true },
  { field: 'name', hidden: true },
  { field: 'text', hidden: true },
  { field: 'encoding', hidden: true },
  { field: 'done_at', hidden: true },
];

/** Screen of all messages of a period. */
export function Transactions() {
  const { t } = useTranslation();
  const zone = useZone();
  const mayExport = useMay('transactions-download');
  const seesLinks = useMay(link.permissions.index);
  const seesNetworks = useMay(network.permissions.index);
  const search = useSearch({ strict: false }) as Record<string, string | undefined>;
  const [open, setOpen] = useState<number | null>(null);
  const [exported, setExported] = useState<Record<string, unknown> | null>(null);
  const today = todayIn(zone);
  const from = search['from'] ?? moved(today, -6);
  const to = search['to'] ?? today;
  const fault = periodFault(from, to, today);
  const { number, sender_id, campaign_id } = search;
  const fixed = useMemo(
    () => ({
      from,
      to,
      ...(number ? { number } : {}),
      ...(sender_id ? { sender_id } : {}),
      ...(campaign_id ? { campaign_id } : {}),
    }),
    [from, to, number, sender_id, campaign_id],
  );

  async function askForFile(query: Record<string, unknown>) {
    if (fault) return toast('warning', t(`validation.${fault}`));
    const { search: _, ...rest } = query;
    setExported(rest);
  }

  return (
    <>
      <PageHeader
        title={t('menu.transactions')}
        subtitle={
          <>
            {t('report.transactions_subtitle')}
            <InZone />
            <FiguresAsOf of={transactions} />
          </>
        }
      />
      {fault ? (
        <NoPeriod fault={fault}>
          <ReportBar {...{ from, to, today, fault }} />
        </NoPeriod>
      ) : (
        <CursorList<typeof transactions, MessageRow>
          name="messages"
          operation={transactions}
          title="number"
          header={null}
          lead={<ReportBar {...{ from, to, today, fault }} />}
          columns={COLUMNS}
          fixed={fixed}
          filters={[
            { field: 'state', words: 'message_state' },
            { field: 'corporation_id', to: corporation },
            ...(seesLinks ? [{ field: 'link_id', to: link } as const] : []),
            ...(seesNetworks ? [{ field: 'network_id', to: network } as const] : []),
          ]}
          empty={<EmptyState of="transactions" learn title={t('common.no_data')} text={t('report.nothing')} />}
          onRowClick={(row) => setOpen(row.id)}
          exportLabel={t('report_format.export')}
          {...(mayExport ? { onExport: askForFile } : {})}
        />
      )}
      {exported && (
        <ReportDownload withCosts operation={exportTransactions} query={exported} onClose={() => setExported(null)} />
      )}
      {open !== null && <MessageDrawer id={open} onClose={() => setOpen(null)} />}
    </>
  );
}

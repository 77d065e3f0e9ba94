import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { exportTopUps, topUps } from '@heliograph/contract/top-ups/top-up';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../platform/format.ts';
import { useMay } from '../../platform/session.ts';
import type { RowOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { ReportDownload } from '../../resource/report-download.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TopUpState } from './top-up-state.tsx';

type TopUp = RowOf<typeof topUps>;

/** Screen of all top-ups that the user sees, newest first. */
export function TopUps() {
  const { t } = useTranslation();
  const format = useFormat();
  const mayExport = useMay('top-ups-download');
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null);
  return (
    <CursorList<typeof topUps, TopUp>
      name="top-ups"
      operation={topUps}
      title="reference"
      header={{ subtitle: t('resources.top-ups.empty') }}
      rowTo={(row) => `/top-ups/${row.id}`}
      {...(mayExport && { onExport: async ({ search: _, ...query }: Record<string, unknown>) => setAsked(query) })}
      columns={[
        'created_at',
        'reference',
        { field: 'corporation_name', hidden: true },
        'billing_account_name',
        'method_name',
        { field: 'driver', hidden: true, cell: (row) => t(`payment_driver.${row.driver}`) },
        { field: 'state', cell: (row) => <TopUpState state={row.state} /> },
        { field: 'amount', figure: true, cell: (row) => format.money(row.amount, row.currency) },
        { field: 'fee', hidden: true },
        { field: 'total', hidden: true },
        { field: 'taken_back', hidden: true },
        { field: 'method_label', hidden: true },
        { field: 'client_reference', hidden: true },
        'user_name',
        { field: 'paid_at', hidden: true },
      ]}
      filters={[
        { field: 'billing_account_id', to: billingAccount },
        { field: 'state', words: 'top_up_state' },
        { field: 'driver', words: 'payment_driver' },
        'from',
        'to',
      ]}
      empty={<EmptyState of="top-ups" learn title={t('top_up.none')} />}
    >
      {asked && <ReportDownload operation={exportTopUps} query={asked} onClose={() => setAsked(null)} />}
    </CursorList>
  );
}

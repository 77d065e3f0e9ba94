import { billingAccount } from '@heliograph/contract/billing/billing-account';
import { draftInvoice, exportInvoices, invoices } from '@heliograph/contract/invoices/invoice';
import { corporation } from '@heliograph/contract/organizations/corporation';
import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useMay } from '../../platform/session.ts';
import type { RowOf } from '../../resource/columns.tsx';
import { CursorList } from '../../resource/cursor-list.tsx';
import { noneYet } from '../../resource/none-yet.ts';
import { ReportDownload } from '../../resource/report-download.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Link } from '../../ui/link.tsx';
import { InvoiceState } from './invoice-state.tsx';

type Row = RowOf<typeof invoices>;

const NAME = 'invoices';

/** Screen of the invoices, credit notes and receipts that a person issued or received. */
export function Invoices() {
  const { t } = useTranslation();
  const mayWrite = useMay(draftInvoice.permission);
  const mayExport = useMay(exportInvoices.permission);
  const [asked, setAsked] = useState<Record<string, unknown> | null>(null);
  const add = mayWrite && (
    <Button component={Link} to="/new-invoice" leftSection={<IconPlus size={16} stroke={1.6} aria-hidden />}>
      {t('invoicing.new')}
    </Button>
  );
  return (
    <CursorList<typeof invoices, Row>
      name={NAME}
      operation={invoices}
      title="number"
      header={{ subtitle: t('resources.invoices.empty'), actions: add }}
      columns={[
        {
          field: 'number',
          cell: (row) => row.number ?? t('invoice_status.draft'),
          csv: (row) => row.number ?? t('invoice_status.draft'),
        },
        { field: 'kind', cell: (row) => t(`invoice_kind.${row.kind}`) },
        { field: 'status', cell: (row) => <InvoiceState status={row.status} /> },
        'buyer_name',
        'issue_date',
        'due_date',
        'payable',
        'open',
        { field: 'corporation_name', hidden: true },
        { field: 'seller_name', hidden: true },
        { field: 'billing_account_name', hidden: true },
        { field: 'net', hidden: true },
        { field: 'tax', hidden: true },
        { field: 'paid', hidden: true },
        { field: 'credited', hidden: true },
        { field: 'created_at', hidden: true },
      ]}
      filters={[
        { field: 'status', words: 'invoice_status' },
        { field: 'kind', words: 'invoice_kind' },
        { field: 'corporation_id', to: corporation },
        { field: 'billing_account_id', to: billingAccount },
        'number',
        'from',
        'to',
      ]}
      rowTo={(row) => `/invoices/${row.id}`}
      exportLabel={t('report_format.export')}
      {...(mayExport ? { onExport: async (wanted: Record<string, unknown>) => setAsked(wanted) } : {})}
      empty={<EmptyState of={NAME} learn title={noneYet(NAME)} text={t('resources.invoices.empty')} action={add} />}
    >
      {asked && <ReportDownload operation={exportInvoices} query={asked} onClose={() => setAsked(null)} />}
    </CursorList>
  );
}

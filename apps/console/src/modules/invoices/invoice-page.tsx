import {
  creditInvoice,
  discardInvoice,
  draftInvoice,
  getInvoice,
  invoicePdf,
  invoiceXml,
  issueInvoice,
} from '@heliograph/contract/invoices/invoice';
import { allocateInvoicePayment } from '@heliograph/contract/invoices/invoice-payment';
import { Button, Group, SimpleGrid, Stack } from '@mantine/core';
import {
  IconCash,
  IconEdit,
  IconFileTypePdf,
  IconFileTypeXml,
  IconReceiptRefund,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useAction } from '../../platform/action.ts';
import { addressOf, call } from '../../platform/call.ts';
import { useFormat } from '../../platform/format.ts';
import { openFile } from '../../platform/open-file.ts';
import { useMay } from '../../platform/session.ts';
import { toast } from '../../platform/toast.ts';
import { labelOf } from '../../resource/columns.tsx';
import { OneRecord } from '../../resource/one-record.tsx';
import { openDialog } from '../../ui/dialogs.ts';
import { Fact } from '../../ui/fact.tsx';
import { Link } from '../../ui/link.tsx';
import { PageActions } from '../../ui/page-actions.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Section } from '../../ui/section.tsx';
import type { RowAction } from '../../ui/table-parts.tsx';
import { AllocateDialog } from './allocate-dialog.tsx';
import { CreditDialog } from './credit-dialog.tsx';
import { InvoicePaper } from './invoice-paper.tsx';
import { InvoiceStanding } from './invoice-standing.tsx';
import { type Invoice, InvoiceState } from './invoice-state.tsx';

const NAME = 'invoices';
const ICON = { size: 16, stroke: 1.6, 'aria-hidden': true } as const;
/** Milliseconds between two looks for the files of a document that was issued just now. */
const FILES_MS = 2_000;

/** Page of one document: as it is printed, what is open, and what happened. */
export function InvoicePage() {
  const { t } = useTranslation();
  return (
    <OneRecord
      name={NAME}
      operation={getInvoice}
      notFound={t('invoicing.not_found')}
      refreshEvery={(row) => (row && row.status !== 'draft' && !row.ready ? FILES_MS : false)}
    >
      {(row) => <Loaded invoice={row} />}
    </OneRecord>
  );
}

function Loaded({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation();
  const actions = useInvoiceActions(invoice);
  const [crediting, setCrediting] = useState(false);
  const [allocating, setAllocating] = useState(false);
  const mayCredit = useMay(creditInvoice.permission);
  const mayAllocate = useMay(allocateInvoicePayment.permission);
  const payable = ['open', 'part_paid', 'overdue'].includes(invoice.status) && invoice.billing_account_id !== null;
  const creditable = invoice.kind === 'invoice' && !['draft', 'credited'].includes(invoice.status);
  const all: RowAction[] = [
    ...actions.listed,
    ...(mayAllocate && invoice.sells && payable
      ? [{ label: t('invoicing.allocate'), icon: <IconCash {...ICON} />, onClick: () => setAllocating(true) }]
      : []),
    ...(mayCredit && invoice.sells && creditable
      ? [{ label: t('invoicing.credit'), icon: <IconReceiptRefund {...ICON} />, onClick: () => setCrediting(true) }]
      : []),
  ];
  return (
    <>
      <PageHeader
        title={
          <Group component="span" gap={12}>
            <span style={{ overflowWrap: 'anywhere' }}>{invoice.number ?? t('invoicing.draft')}</span>
            <InvoiceState status={invoice.status} />
          </Group>
        }
        subtitle={invoice.buyer_name}
        crumbs={[{ label: t('menu.invoices'), to: '/invoices' }]}
        actions={
          <PageActions name={invoice.number ?? t('invoicing.draft')} actions={all}>
            {actions.main}
          </PageActions>
        }
      />
      <Stack gap="md">
        {invoice.kind === 'invoice' && invoice.status !== 'draft' && <InvoiceStanding invoice={invoice} />}
        <InvoicePaper invoice={invoice} />
        <History invoice={invoice} />
      </Stack>
      {allocating && <AllocateDialog invoice={invoice} onClose={() => setAllocating(false)} />}
      {crediting && <CreditDialog invoice={invoice} onClose={() => setCrediting(false)} />}
    </>
  );
}

/** Actions of a document that the person may do. The main one issues a draft. */
function useInvoiceActions(invoice: Invoice) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { busy, run } = useAction();
  const mayWrite = useMay(draftInvoice.permission) && invoice.sells;
  const mayIssue = useMay(issueInvoice.permission) && invoice.sells;
  const mayDownload = useMay(invoicePdf.permission);
  const draft = invoice.status === 'draft';
  const params = { id: invoice.id };
  const issue = () =>
    run(async () => {
      const { message } = await call(issueInvoice, { params });
      await client.invalidateQueries({ queryKey: [NAME] });
      void toast('success', message ?? '');
    });
  const discard = () =>
    run(async () => {
      await call(discardInvoice, { params });
      await client.invalidateQueries({ queryKey: [NAME] });
      void navigate({ to: '/invoices' });
    });
  const file = (operation: typeof invoicePdf, kind: 'pdf' | 'xml') => () =>
    void openFile(addressOf(operation, { params }), `${invoice.number}.${kind}`);
  const listed: RowAction[] = [
    ...(draft && mayWrite
      ? [
          {
            label: t('invoicing.edit'),
            icon: <IconEdit {...ICON} />,
            onClick: () => void navigate({ to: '/new-invoice', search: { draft: String(invoice.id) } }),
          },
          {
            label: t('invoicing.discard'),
            icon: <IconTrash {...ICON} />,
            danger: true,
            onClick: () =>
              openDialog({
                title: t('invoicing.discard_title'),
                text: t('invoicing.discard_text'),
                confirm: t('invoicing.discard'),
                danger: true,
                onConfirm: discard,
              }),
          },
        ]
      : []),
    ...(!draft && mayDownload && invoice.ready
      ? [
          { label: t('invoicing.pdf'), icon: <IconFileTypePdf {...ICON} />, onClick: file(invoicePdf, 'pdf') },
          { label: t('invoicing.xml'), icon: <IconFileTypeXml {...ICON} />, onClick: file(invoiceXml, 'xml') },
        ]
      : []),
  ];
  const main = draft && mayIssue && (
    <Button
      leftSection={<IconSend {...ICON} />}
      loading={busy}
      onClick={() =>
        openDialog({
          title: t('invoicing.issue_title'),
          text: t('invoicing.issue_text'),
          confirm: t('invoicing.issue'),
          onConfirm: issue,
        })
      }
    >
      {t('invoicing.issue')}
    </Button>
  );
  return { listed, main };
}

/** History of a document, and the documents about it. */
function History({ invoice }: { invoice: Invoice }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <Section title={t('invoicing.history')}>
      <SimpleGrid component="dl" cols={{ base: 2, xs: 4 }} spacing="sm" m={0}>
        <Fact label={labelOf(NAME, 'created_at')}>{format.instant(invoice.created_at)}</Fact>
        {invoice.user_name && <Fact label={labelOf(NAME, 'user_name')}>{invoice.user_name}</Fact>}
        {invoice.issued_at && <Fact label={labelOf(NAME, 'issued_at')}>{format.instant(invoice.issued_at)}</Fact>}
        {invoice.credited_invoice_id && (
          <Fact label={t('invoice_kind.invoice')}>
            <Link to={`/invoices/${invoice.credited_invoice_id}`}>{invoice.credited_number}</Link>
          </Fact>
        )}
        {invoice.credit_notes.map(({ id, number, payable }) => (
          <Fact key={id} label={t('invoice_kind.credit_note')}>
            <Link to={`/invoices/${id}`}>{number}</Link> · {format.money(payable, invoice.currency)}
          </Fact>
        ))}
      </SimpleGrid>
    </Section>
  );
}

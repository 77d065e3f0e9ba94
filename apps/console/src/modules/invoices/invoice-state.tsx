import type { getInvoice } from '@heliograph/contract/invoices/invoice';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { Badge } from '@mantine/core';
import { useTranslation } from 'react-i18next';

export type Invoice = ReplyOf<typeof getInvoice>['data'];

const COLORS: Readonly<Record<Invoice['status'], string>> = {
  draft: 'gray',
  open: 'blue',
  part_paid: 'yellow',
  overdue: 'red',
  paid: 'teal',
  credited: 'gray',
  issued: 'teal',
};

/** State of a document as a badge. */
export function InvoiceState({ status }: Pick<Invoice, 'status'>) {
  const { t } = useTranslation();
  return (
    <Badge variant="light" color={COLORS[status]} style={{ minWidth: 'max-content' }}>
      {t(`invoice_status.${status}`)}
    </Badge>
  );
}

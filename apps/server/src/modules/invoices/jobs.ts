import { z } from 'zod';
import { defineJob } from '#platform/jobs/jobs';
import { downloadJob } from '#platform/tasks/downloads';

/** Job that writes the files of an issued document, once. */
export const writeFilesJob = defineJob('write-invoice-files', z.object({ invoice_id: z.int() }), {
  heartbeatSeconds: 60,
});

/** Job that lets new payments pay open invoices. */
export const settlePaymentsJob = defineJob('settle-payments', z.object({}));

/** Job that makes the invoices of months that are over. */
export const monthInvoicesJob = defineJob('make-month-invoices', z.object({}), {
  heartbeatSeconds: 60,
  statementSeconds: 900,
});

/** Job that mails a document to its buyer. */
export const mailInvoiceJob = defineJob(
  'mail-invoice',
  z.object({ invoice_id: z.int(), kind: z.enum(['issued', 'due_soon', 'overdue']) }),
);

/** Job that looks for due dates to remind of. */
export const remindOfInvoicesJob = defineJob('remind-of-invoices', z.object({}));

/** Job that writes the list of documents to a file. */
export const exportInvoiceListJob = downloadJob('export-invoices');

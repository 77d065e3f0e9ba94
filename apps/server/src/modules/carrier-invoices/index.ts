import { uploadCarrierInvoice } from '@heliograph/contract/carrier-invoices/carrier-invoice';
import { requireVisible } from '#platform/access/visible';
import { BusinessError } from '#platform/errors';
import type { App } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { mountBulkUpload } from '#platform/tasks/bulk-upload';
import { downloadTask } from '#platform/tasks/downloads';
import { exportList, type LoadCaller } from '#platform/tasks/exported-list';
import { workTasks } from '#platform/tasks/run-task';
import { exportInvoicesJob, invoiceFile, invoiceRoutes } from './carrier-invoices.ts';
import { carrierInvoiceKind, checkReading } from './invoice-file.ts';

export { exportInvoicesJob } from './carrier-invoices.ts';
export { addCarrierRows, compare, openComparison } from './compare.ts';
export { carrierInvoiceKind } from './invoice-file.ts';
export type { InvoiceRow } from './invoice-row.ts';
export { type OwnPart, ownTraffic } from './own-traffic.ts';

/** Mounts the upload of carriers' invoices and lists of messages, and the comparisons. */
export function mountCarrierInvoices(app: App): void {
  mountBulkUpload(app, uploadCarrierInvoice, carrierInvoiceKind, async (ctx, query, digest) => {
    await requireVisible(ctx, 'link', query.link_id, 'link_id');
    checkReading(query);
    const same = await ctx.db
      .selectFrom('carrier_invoice')
      .select('id')
      .where('link_id', '=', query.link_id)
      .where('file_sha256', '=', digest)
      .executeTakeFirst();
    if (same) throw new BusinessError('file_already_uploaded');
    return { corporation_id: null, parameters: query };
  });
  invoiceRoutes(app);
}

/** Registers the job that writes comparisons to files. */
export const invoiceJobs = (worker: WorkerContext, loadCaller: LoadCaller): Promise<void> =>
  workTasks(worker, downloadTask, exportInvoicesJob, (id, signal) =>
    exportList(worker, loadCaller, [invoiceFile], id, signal),
  );

import * as contract from '@heliograph/contract/invoices/invoice';
import { invoiceBuyer } from '@heliograph/contract/invoices/invoice-buyer';
import { invoiceIssuer } from '@heliograph/contract/invoices/invoice-issuer';
import * as paid from '@heliograph/contract/invoices/invoice-payment';
import { type App, mount, mountResource } from '#platform/http/http';
import { mountFile } from '#platform/http/mount-file';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { downloadTask } from '#platform/tasks/downloads';
import { exportList, type LoadCaller } from '#platform/tasks/exported-list';
import { workTasks } from '#platform/tasks/run-task';
import { allocateOne, listFreePayments, releaseOne } from './allocate.ts';
import { creditOne } from './credit.ts';
import { changeDraft, createDraft, discardDraft, showTerms } from './draft.ts';
import { askForInvoices, invoiceListFile } from './export-invoices.ts';
import { documentFile, writeFiles } from './files.ts';
import { listInvoiceLines, listInvoices, showInvoice } from './invoice-rows.ts';
import { issueOne } from './issue.ts';
import { invoiceBuyers, invoiceIssuers } from './issuers.ts';
import {
  exportInvoiceListJob,
  mailInvoiceJob,
  monthInvoicesJob,
  remindOfInvoicesJob,
  settlePaymentsJob,
  writeFilesJob,
} from './jobs.ts';
import { mailInvoice, remindOfInvoices } from './mail-invoices.ts';
import { makeMonthInvoices } from './month-invoices.ts';
import { settlePayments } from './settle.ts';

export { readDocument } from './files.ts';
export { invoicePage, wholeInvoice } from './invoice-rows.ts';
export {
  exportInvoiceListJob,
  mailInvoiceJob,
  monthInvoicesJob,
  remindOfInvoicesJob,
  settlePaymentsJob,
  writeFilesJob,
} from './jobs.ts';
export { verifyInvoices } from './verify.ts';

const EVERY_MINUTE = '* * * * *';
const HOURLY = '35 * * * *';
/** Statements are made every ten minutes, ten minutes after the end of a month. */
const AFTER_STATEMENTS = '5-59/10 * * * *';

/** Mounts the profiles of sellers and buyers, and the documents between them. */
export function mountInvoices(app: App): void {
  mountResource(app, invoiceIssuer, invoiceIssuers);
  mountResource(app, invoiceBuyer, invoiceBuyers);
  mount(app, contract.invoices, listInvoices);
  mount(app, contract.invoiceTerms, showTerms);
  mount(app, contract.getInvoice, showInvoice);
  mount(app, contract.invoiceLines, listInvoiceLines);
  mount(app, contract.draftInvoice, createDraft);
  mount(app, contract.changeInvoice, changeDraft);
  mount(app, contract.discardInvoice, discardDraft);
  mount(app, contract.issueInvoice, issueOne);
  mount(app, contract.creditInvoice, creditOne);
  mountFile(app, contract.invoicePdf, 'none', (ctx, call) => documentFile(ctx, call, 'pdf'));
  mountFile(app, contract.invoiceXml, 'none', (ctx, call) => documentFile(ctx, call, 'xml'));
  mount(app, paid.freeInvoicePayments, listFreePayments);
  mount(app, paid.allocateInvoicePayment, allocateOne);
  mount(app, paid.releaseInvoicePayment, releaseOne);
  mount(app, contract.exportInvoices, askForInvoices);
}

/** Registers the jobs of documents. */
export async function invoicingJobs(worker: WorkerContext, loadCaller: LoadCaller): Promise<void> {
  await worker.jobs.work(writeFilesJob, (data) => writeFiles(worker, data));
  await worker.jobs.work(settlePaymentsJob, async () => void (await settlePayments(worker)));
  await worker.jobs.schedule(settlePaymentsJob, EVERY_MINUTE);
  await worker.jobs.work(monthInvoicesJob, async () => void (await makeMonthInvoices(worker)));
  await worker.jobs.schedule(monthInvoicesJob, AFTER_STATEMENTS);
  await worker.jobs.work(mailInvoiceJob, (data) => mailInvoice(worker, data));
  await worker.jobs.work(remindOfInvoicesJob, () => remindOfInvoices(worker));
  await worker.jobs.schedule(remindOfInvoicesJob, HOURLY);
  await workTasks(worker, downloadTask, exportInvoiceListJob, (id, signal) =>
    exportList(worker, loadCaller, [invoiceListFile], id, signal),
  );
}

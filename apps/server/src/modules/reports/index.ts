import type { App } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { downloadTask, mailDownloadJob } from '#platform/tasks/downloads';
import { exportList, type LoadCaller } from '#platform/tasks/exported-list';
import { workTasks } from '#platform/tasks/run-task';
import { closeDays, closeDaysJob } from './close-days.ts';
import { countDestinations, countDestinationsJob } from './count-destinations.ts';
import { exportRoutes, exportTransactionsJob } from './export-calls.ts';
import { exportTransactions } from './export-transactions.ts';
import { mailReport, mailStoppedReport, mailStoppedReportJob } from './mail-report.ts';
import { removeOldData, removeOldDataJob } from './remove-old-data.ts';
import { exportReportJob, pagedReportRoutes, REPORT_FILES } from './report-routes.ts';
import { savedViewRoutes } from './saved-views.ts';
import { sendReports, sendReportsJob } from './send-reports.ts';
import { transactionRoutes } from './transactions.ts';

export { logRetention } from './application-logs.ts';
export { closeDay, closeDaysJob } from './close-days.ts';
export { countDestinations, countDestinationsJob } from './count-destinations.ts';
export { exportTransactionsJob } from './export-calls.ts';
export { nextBatch } from './find-messages.ts';
export { mailStoppedReportJob } from './mail-report.ts';
export { rebuildTraffic } from './rebuild-traffic.ts';
export { removeOldDataJob } from './remove-old-data.ts';
export { exportReportJob } from './report-routes.ts';
export { selectionBetween } from './selection.ts';
export { sendReportsJob } from './send-reports.ts';
export { COUNTS, type Counts, NOTHING, SUMS } from './traffic-counts.ts';
export { copyOfMessages } from './transactions-file.ts';

/** Mounts the reports, the page of a message, and the calls for files. */
export function reportRoutes(app: App): void {
  transactionRoutes(app);
  exportRoutes(app);
  pagedReportRoutes(app);
  savedViewRoutes(app);
}

/**
 * Registers the jobs of reports: exports under the scope of the person who asked, statistics, and the removal of old
 * data.
 */
export async function reportJobs(worker: WorkerContext, loadCaller: LoadCaller): Promise<void> {
  await workTasks(worker, downloadTask, exportTransactionsJob, (id, signal) =>
    exportTransactions(worker, loadCaller, id, signal),
  );
  await workTasks(worker, downloadTask, exportReportJob, (id, signal) =>
    exportList(worker, loadCaller, REPORT_FILES, id, signal),
  );
  await worker.jobs.work(countDestinationsJob, (_data, signal) => countDestinations(worker, signal));
  await worker.jobs.schedule(countDestinationsJob, '* * * * *');
  await worker.jobs.work(sendReportsJob, (_data, signal) => sendReports(worker, loadCaller, signal));
  await worker.jobs.schedule(sendReportsJob, '*/5 * * * *');
  await worker.jobs.work(mailDownloadJob, ({ download_id }) => mailReport(worker, download_id));
  await worker.jobs.work(mailStoppedReportJob, (stopped) => mailStoppedReport(worker, stopped));
  await worker.jobs.work(removeOldDataJob, (_data, signal) => removeOldData(worker, signal));
  await worker.jobs.schedule(removeOldDataJob, '41 2 * * *');
  await worker.jobs.work(closeDaysJob, (_data, signal) => closeDays(worker, signal));
  await worker.jobs.schedule(closeDaysJob, '11 3 * * *');
}

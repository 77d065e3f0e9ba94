import type { App } from '#platform/http';
import type { WorkerContext } from '#platform/worker-context';
import { dashboardRoutes } from './dashboard.ts';
import { exportRoutes, exportTransactionsJob } from './export-calls.ts';
import { exportTransactions, type LoadCaller } from './export-transactions.ts';
import { transactionRoutes } from './transactions.ts';

export { exportTransactionsJob } from './export-calls.ts';

/** Mounts the dashboard, the report of messages, the page of one, and the call for a file of them. */
export function reportRoutes(app: App): void {
  dashboardRoutes(app);
  transactionRoutes(app);
  exportRoutes(app);
}

/** Takes up the exports, each under the scope of the person who asked for it. */
export async function reportJobs(worker: WorkerContext, loadCaller: LoadCaller): Promise<void> {
  await worker.jobs.work(exportTransactionsJob, ({ download_id }, signal) =>
    exportTransactions(worker, loadCaller, download_id, signal),
  );
}

import type { App } from '#platform/http/http';
import { isThere } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { bulkUploadJob } from '#platform/tasks/bulk-upload';
import { endLostDownloads } from '#platform/tasks/downloads';
import type { LoadCaller } from '#platform/tasks/exported-list';
import { blacklistNumberRoutes } from './blacklist-number.ts';
import { endLostWork, endLostWorkJob, type LostWork } from './end-lost-work.ts';
import { exportNumberRoutes, exportNumbersJob, writeNumbers } from './export-numbers.ts';
import { importNumbersJob, importRoutes } from './import-calls.ts';
import { importNumbers } from './import-numbers.ts';
import { listJob, listJobRoutes } from './list-jobs.ts';
import { listNumberRoutes } from './list-numbers.ts';
import { numberListRoutes } from './number-lists.ts';
import { optOutRoutes } from './opt-out-list.ts';
import { removeOldFiles, removeOldFilesJob } from './remove-old-files.ts';
import { runListJob } from './run-list-job.ts';

export { blacklistNumberKind } from './blacklist-number.ts';
export { endLostWorkJob } from './end-lost-work.ts';
export { exportNumbersJob } from './export-numbers.ts';
export { importNumbersJob, importRetention, UPLOAD_LIMIT_BYTES } from './import-calls.ts';
export { listJob } from './list-jobs.ts';
export { FAULT_TEXT, requireNumber } from './list-numbers.ts';
export { optOutKind } from './opt-out-list.ts';
export { optedOut, optIn, optIns, optOut, optOuts } from './opt-outs.ts';
export { removeOldFilesJob } from './remove-old-files.ts';

/** Mounts lists, numbers, imports, the blacklist of numbers and the opt-outs. */
export function contactsRoutes(app: App): void {
  numberListRoutes(app);
  listNumberRoutes(app);
  importRoutes(app);
  blacklistNumberRoutes(app);
  optOutRoutes(app);
  listJobRoutes(app);
  exportNumberRoutes(app);
}

const EVERY_NIGHT = '31 3 * * *';
const EVERY_FIVE_MINUTES = '*/5 * * * *';
/** Kinds of work that wait for a job, and the live event of each. */
const WAITING = [
  { table: 'import', jobs: [importNumbersJob], field: 'import_id', event: 'import.progress' },
  { table: 'bulk_upload', jobs: [bulkUploadJob], field: 'bulk_upload_id', event: 'bulk.progress' },
  { table: 'list_job', jobs: [listJob], field: 'list_job_id', event: 'list.progress' },
] as const;

/** Registers imports, work on lists and exports, and the cleaning up after them and after the lost work of others. */
export async function contactsJobs(
  worker: WorkerContext,
  loadCaller: LoadCaller,
  others: readonly LostWork[],
): Promise<void> {
  const { database } = worker;
  await worker.jobs.work(importNumbersJob, ({ import_id }, signal) => importNumbers(worker, import_id, signal), {
    inTurns: true,
    wanted: ({ import_id }) => isThere(database, 'import', import_id),
  });
  await worker.jobs.work(listJob, ({ list_job_id }, signal) => runListJob(worker, list_job_id, signal), {
    inTurns: true,
    wanted: ({ list_job_id }) => isThere(database, 'list_job', list_job_id),
  });
  await worker.jobs.work(
    exportNumbersJob,
    ({ download_id }, signal) => writeNumbers(worker, loadCaller, download_id, signal),
    { inTurns: true, wanted: ({ download_id }) => isThere(database, 'download', download_id) },
  );
  await worker.jobs.work(endLostWorkJob, async () => {
    await endLostWork(worker, [...WAITING, ...others]);
    await endLostDownloads(worker);
  });
  await worker.jobs.schedule(endLostWorkJob, EVERY_FIVE_MINUTES);
  await worker.jobs.work(removeOldFilesJob, (_data, signal) => removeOldFiles(worker, signal));
  await worker.jobs.schedule(removeOldFilesJob, EVERY_NIGHT);
}

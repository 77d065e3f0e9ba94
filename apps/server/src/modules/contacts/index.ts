import type { App } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { downloadTask } from '#platform/tasks/downloads';
import type { LoadCaller } from '#platform/tasks/exported-list';
import { workTasks } from '#platform/tasks/run-task';
import { blacklistNumberRoutes } from './blacklist-number.ts';
import { exportNumberRoutes, exportNumbersJob, writeNumbers } from './export-numbers.ts';
import { importNumbersJob, importRoutes, importTask } from './import-calls.ts';
import { importNumbers } from './import-numbers.ts';
import { listJob, listJobRoutes, listTask } from './list-jobs.ts';
import { listNumberRoutes, numberListRoutes } from './number-lists.ts';
import { optOutRoutes } from './opt-out-list.ts';
import { removeOldFiles, removeOldFilesJob } from './remove-old-files.ts';
import { runListJob } from './run-list-job.ts';

export { blacklistNumberKind } from './blacklist-number.ts';
export { exportNumbersJob } from './export-numbers.ts';
export { importNumbersJob, importTask, UPLOAD_LIMIT_BYTES } from './import-calls.ts';
export { LIST_LOCK } from './incoming-numbers.ts';
export { listJob, listTask } from './list-jobs.ts';
export { FAULT_TEXT, requireNumber } from './number-lists.ts';
export { numberCell, pastCell } from './number-rows.ts';
export { beginning as numberBeginning } from './number-selection.ts';
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

/** Registers imports, work on lists and exports, and the removal of files that are not needed any more. */
export async function contactsJobs(worker: WorkerContext, loadCaller: LoadCaller): Promise<void> {
  await workTasks(worker, importTask, importNumbersJob, (id, signal) => importNumbers(worker, id, signal));
  await workTasks(worker, listTask, listJob, (id, signal) => runListJob(worker, id, signal));
  await workTasks(worker, downloadTask, exportNumbersJob, (id, signal) => writeNumbers(worker, loadCaller, id, signal));
  await worker.jobs.work(removeOldFilesJob, (_data, signal) => removeOldFiles(worker, signal));
  await worker.jobs.schedule(removeOldFilesJob, EVERY_NIGHT);
}

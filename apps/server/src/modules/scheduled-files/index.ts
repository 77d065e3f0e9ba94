import * as contract from '@heliograph/contract/scheduled-files/scheduled-file';
import { type App, mount, mountOutside, mountResource } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { listRuns } from './list-runs.ts';
import { sendFiles, sendFilesJob, startFiles, startFilesJob } from './run-files.ts';
import { confirmKey, scheduledFiles, sendAgain, testDestination } from './scheduled-files.ts';
import { mailFailing, mailFailingJob, tellFailing } from './tell-failing.ts';

export { DestinationFault, faultOf } from './fault.ts';
export { runRetention } from './list-runs.ts';
export { sendFilesJob, startFilesJob } from './run-files.ts';
export { mailFailingJob } from './tell-failing.ts';

/** Mounts scheduled files and their runs. */
export function scheduledFileRoutes(app: App): void {
  mountResource(app, contract.scheduledFile, scheduledFiles);
  mountOutside(app, contract.testScheduledFile, testDestination);
  mount(app, contract.confirmHostKey, confirmKey);
  mount(app, contract.scheduledFileRuns, listRuns);
  mount(app, contract.sendFileAgain, sendAgain);
}

/** Registers the jobs that write and send files; each minute looks for work. */
export async function scheduledFileJobs(worker: WorkerContext): Promise<void> {
  await worker.jobs.work(startFilesJob, async () => {
    await startFiles(worker);
    await tellFailing(worker);
  });
  await worker.jobs.work(mailFailingJob, (data) => mailFailing(worker, data));
  await worker.jobs.schedule(startFilesJob, '* * * * *');
  await worker.jobs.work(
    sendFilesJob,
    ({ scheduled_file_id }, signal) => sendFiles(worker, scheduled_file_id, signal),
    {
      inTurns: true,
    },
  );
}

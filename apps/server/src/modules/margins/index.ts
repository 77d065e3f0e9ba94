import { messageMargin } from '@heliograph/contract/margins/message-margin';
import { type App, mount } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { downloadTask } from '#platform/tasks/downloads';
import { exportList, type LoadCaller } from '#platform/tasks/exported-list';
import { workTasks } from '#platform/tasks/run-task';
import { replayJobs, replayRoutes } from './card-replays.ts';
import { countMargins, countMarginsJob } from './count-margins.ts';
import { exportMarginsJob, marginFile, marginRoutes } from './margin-report.ts';
import { showMessageMargin } from './message-margin.ts';
import { resaleFile, resaleRoutes } from './resale-margins.ts';

export { replayCardJob } from './card-replays.ts';
export { countMargins, countMarginsJob } from './count-margins.ts';
export { exportMarginsJob } from './margin-report.ts';
export { type MarginSums, type MessageAmounts, MessageCosts, marginOnWire, requireCosts } from './report-costs.ts';
export { customersOf } from './resale-margins.ts';

const EVERY_HOUR = '17 * * * *';

/** Mounts the report of margins, and the replay of carriers' cards. */
export function mountMargins(app: App): void {
  marginRoutes(app);
  resaleRoutes(app);
  mount(app, messageMargin, showMessageMargin);
  replayRoutes(app);
}

/** Registers the jobs that count margins, write them to files, and try carriers' cards. */
export async function marginJobs(worker: WorkerContext, loadCaller: LoadCaller): Promise<void> {
  const { jobs } = worker;
  await replayJobs(worker, loadCaller);
  await workTasks(worker, downloadTask, exportMarginsJob, (id, signal) =>
    exportList(worker, loadCaller, [marginFile, resaleFile], id, signal),
  );
  await jobs.work(countMarginsJob, (_, signal) => countMargins(worker, signal));
  await jobs.schedule(countMarginsJob, EVERY_HOUR);
}

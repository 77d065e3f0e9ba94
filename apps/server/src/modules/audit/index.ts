import { activityLogs, exportActivityLogs } from '@heliograph/contract/audit/activity-log';
import { type App, mount } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { downloadTask } from '#platform/tasks/downloads';
import { askForList, exportList, type LoadCaller } from '#platform/tasks/exported-list';
import { workTasks } from '#platform/tasks/run-task';
import { anchorActivity, anchorActivityJob } from './anchor.ts';
import { activityFile, exportActivityJob, listActivity } from './list-activity.ts';

export { anchorActivityJob, forgetAnchorsAfter } from './anchor.ts';
export { exportActivityJob } from './list-activity.ts';
export { readAnchors, verifyActivity } from './verify-activity.ts';

/** Mounts the activity log. */
export function auditRoutes(app: App): void {
  mount(app, activityLogs, (ctx, { query }) => listActivity(ctx, query));
  mount(app, exportActivityLogs, async (ctx, { body }) => {
    // The first row is read before a file is promised, so that wrong filters are refused immediately.
    await listActivity(ctx, { ...body, limit: 1, cursor: undefined });
    return askForList(ctx, exportActivityJob, activityFile, body);
  });
}

/** Runs the jobs that export the log, and that record every hour, outside the database, the newest entry of the log. */
export async function auditJobs(worker: WorkerContext, loadCaller: LoadCaller): Promise<void> {
  await workTasks(worker, downloadTask, exportActivityJob, (id, signal) =>
    exportList(worker, loadCaller, [activityFile], id, signal),
  );
  await worker.jobs.work(anchorActivityJob, () => anchorActivity(worker));
  await worker.jobs.schedule(anchorActivityJob, '7 * * * *');
}

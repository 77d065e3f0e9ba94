import { activityLogFile, activityLogs } from '@heliograph/contract/audit/activity-log';
import { asCaller } from '#platform/context';
import { type App, mount, mountFile } from '#platform/http';
import type { WorkerContext } from '#platform/worker-context';
import { anchorActivity, anchorActivityJob } from './anchor.ts';
import { activityFile, listActivity } from './list-activity.ts';

export { anchorActivityJob, forgetAnchorsAfter } from './anchor.ts';
export { readAnchors, verifyActivity } from './verify-activity.ts';

/** Mounts the activity log. */
export function auditRoutes(app: App): void {
  mount(app, activityLogs, (ctx, { query }) => listActivity(ctx, query));
  mountFile(app, activityLogFile, async (ctx, { query }) => {
    // What is wrong with the filters is said before the first line.
    await listActivity(ctx, { ...query, limit: 1, cursor: undefined });
    return activityFile((work) => asCaller({ ...ctx, database: app.database }, work), query);
  });
}

/** Lays down every hour, outside the database, how far the log has come. */
export async function auditJobs(worker: WorkerContext): Promise<void> {
  await worker.jobs.work(anchorActivityJob, () => anchorActivity(worker));
  await worker.jobs.schedule(anchorActivityJob, '7 * * * *');
}

import { inboxNotify } from '@heliograph/contract/notifications/download';
import { type App, mount } from '#platform/http';
import type { WorkerContext } from '#platform/worker-context';
import { downloadRoutes } from './downloads.ts';
import { removeOldDownloads, removeOldDownloadsJob } from './remove-old-downloads.ts';

export { removeOldDownloadsJob } from './remove-old-downloads.ts';

const EVERY_NIGHT = '17 3 * * *';

/** Mounts what the bell shows and fetches. */
export function notificationRoutes(app: App): void {
  downloadRoutes(app);
  // Replies are not received yet, so nobody has an unread one; the bell's sum needs the figure all the same.
  mount(app, inboxNotify, async () => ({ count: 0 }));
}

/** Takes old files away, once a night. */
export async function notificationJobs(worker: WorkerContext): Promise<void> {
  await worker.jobs.work(removeOldDownloadsJob, (_data, signal) => removeOldDownloads(worker, signal));
  await worker.jobs.schedule(removeOldDownloadsJob, EVERY_NIGHT);
}

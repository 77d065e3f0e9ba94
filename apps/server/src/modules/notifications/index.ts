import type { App } from '#platform/http';
import { repeat } from '#platform/repeat';
import type { WorkerContext } from '#platform/worker-context';
import { mailCampaignNews, mailCampaignNewsJob, tellCampaignNews } from './campaign-news.ts';
import { downloadRoutes } from './downloads.ts';
import { removeOldDownloads, removeOldDownloadsJob } from './remove-old-downloads.ts';

export { mailCampaignNewsJob } from './campaign-news.ts';
export { removeOldDownloadsJob } from './remove-old-downloads.ts';

const EVERY_NIGHT = '17 3 * * *';
const NEWS_EVERY_MS = 1_000;

/** Mounts the calls of the bell. */
export function notificationRoutes(app: App): void {
  downloadRoutes(app);
}

/**
 * Starts the nightly removal of old files and the notices about campaigns; answers the function that ends the latter.
 */
export async function notificationJobs(worker: WorkerContext): Promise<{ stop(): Promise<void> }> {
  await worker.jobs.work(removeOldDownloadsJob, (_data, signal) => removeOldDownloads(worker, signal));
  await worker.jobs.schedule(removeOldDownloadsJob, EVERY_NIGHT);
  await worker.jobs.work(mailCampaignNewsJob, (data) => mailCampaignNews(worker, data));
  return repeat(
    NEWS_EVERY_MS,
    () => tellCampaignNews(worker),
    (error) => worker.log.warn({ err: error }, 'news of campaigns could not be told: trying again'),
  );
}

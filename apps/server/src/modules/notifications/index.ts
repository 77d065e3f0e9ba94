import type { App } from '#platform/http/http';
import { repeatWhileWork } from '#platform/jobs/work-watch';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { sendPushJob } from '#platform/person/push';
import type { TaskKinds } from '#platform/tasks/task';
import { type AskedSource, askedRoutes } from './asked.ts';
import { mailCampaignNews, mailCampaignNewsJob, tellCampaignNews } from './campaign-news.ts';
import { downloadRoutes } from './downloads.ts';
import { ensurePushKey, pushRoutes, sendPush } from './push.ts';
import { taskRoutes } from './tasks.ts';

export { mailCampaignNewsJob } from './campaign-news.ts';
export { downloadRetention } from './downloads.ts';

const NEWS_EVERY_MS = 1_000;
const UNTOLD = 'EXISTS (SELECT FROM campaign_transition WHERE told_at IS NULL)';

/** Mounts the calls of the bell and of tasks. */
export function notificationRoutes(app: App, kinds: TaskKinds, asked: readonly AskedSource[]): void {
  askedRoutes(app, asked);
  downloadRoutes(app);
  pushRoutes(app);
  taskRoutes(app, kinds);
}

/** Starts the notices about campaigns; answers the function that ends them. */
export async function notificationJobs(worker: WorkerContext): Promise<{ stop(): Promise<void> }> {
  await ensurePushKey(worker);
  await worker.jobs.work(sendPushJob, (data) => sendPush(worker, data), { concurrency: 4 });
  await worker.jobs.work(mailCampaignNewsJob, (data) => mailCampaignNews(worker, data));
  worker.watch?.add({ sql: UNTOLD });
  return repeatWhileWork(
    worker.watch,
    NEWS_EVERY_MS,
    () => tellCampaignNews(worker),
    (error) => worker.log.warn({ err: error }, 'could not notify about campaigns; retrying'),
  );
}

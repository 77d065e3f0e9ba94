import type { App } from '#platform/http';
import type { WorkerContext } from '#platform/worker-context';
import { campaignListRoutes } from './campaign-lists.ts';
import { campaignPageRoutes } from './campaign-page.ts';
import { changeCampaignRoutes } from './change-campaign.ts';
import { countQuote } from './count-quote.ts';
import { createCampaignRoute, prepareCampaignJob } from './create-campaign.ts';
import { prepareCampaign } from './prepare-campaign.ts';
import { countQuoteJob, quoteRoutes } from './quotes.ts';
import { testSendRoute } from './test-send.ts';
import { uploadRoutes } from './uploads.ts';

export { prepareCampaignJob } from './create-campaign.ts';
export { countQuoteJob } from './quotes.ts';

/** Mounts quotes, campaigns and what may be done with them. */
export function campaignRoutes(app: App): void {
  uploadRoutes(app);
  quoteRoutes(app);
  testSendRoute(app);
  createCampaignRoute(app);
  campaignListRoutes(app);
  campaignPageRoutes(app);
  changeCampaignRoutes(app);
}

/** Takes up the counting of quotes and the preparing of campaigns. A long one does not keep the short ones waiting. */
export async function campaignJobs(worker: WorkerContext): Promise<void> {
  const { jobs } = worker;
  await jobs.work(countQuoteJob, ({ quote_id }, signal) => countQuote(worker, quote_id, signal), { concurrency: 2 });
  await jobs.work(prepareCampaignJob, ({ campaign_id }, signal) => prepareCampaign(worker, campaign_id, signal), {
    concurrency: 2,
  });
}

import { exportClicks } from '@heliograph/contract/campaigns/link-results';
import { type App, mount } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { downloadTask } from '#platform/tasks/downloads';
import { exportList, type LoadCaller } from '#platform/tasks/exported-list';
import { workTasks } from '#platform/tasks/run-task';
import { approvalRoutes } from './approve-campaign.ts';
import { bestTimesRoute } from './best-times.ts';
import { campaignListRoutes } from './campaign-lists.ts';
import { campaignPageRoutes } from './campaign-page.ts';
import { changeCampaignRoutes, endHeld, letHeldGo } from './change-campaign.ts';
import { askForClicks, clickFile, exportClicksJob } from './click-file.ts';
import { comparisonRoute } from './compare-campaigns.ts';
import { countQuote } from './count-quote.ts';
import { createCampaignRoute } from './create-campaign.ts';
import { draftRoutes } from './drafts.ts';
import { editCampaignRoutes } from './edit-campaign.ts';
import { EVERY_FIVE_MINUTES, endLostCampaigns, endLostCampaignsJob } from './end-lost-campaigns.ts';
import { estimateRoute } from './estimate.ts';
import { judgeStartRoute } from './judge-start.ts';
import { linkResultRoutes } from './link-results.ts';
import { pauseForOptOuts, pauseForOptOutsJob } from './opt-out-alarm.ts';
import { isBeingPrepared, prepareCampaign } from './prepare-campaign.ts';
import { prepareCampaignJob } from './prepare-job.ts';
import { countQuoteJob, quoteRoutes } from './quotes.ts';
import { sendingOptionsRoute } from './sending-options.ts';
import { shortLinkVisits } from './short-link-visits.ts';
import { contactValuesRoute } from './show-contact-values.ts';
import { suggestTextRoute } from './suggest-text.ts';
import { EVERY_MINUTE, tellFinished, tellFinishedJob } from './tell-finished.ts';
import { type SendOwnText, textSupervisor, textSupervisorJob } from './tell-people.ts';
import { testSendRoute } from './test-send.ts';
import { undoRoute } from './undo.ts';
import { uploadRoutes } from './uploads.ts';
import { createTestRoute } from './variants/create-test.ts';
import { tellTest, tellTestJob } from './variants/tell-test.ts';
import { testActionRoutes } from './variants/test-actions.ts';
import { testPageRoutes } from './variants/test-rows.ts';

export { type BlockedWords, blockedWords, readBlockedWords } from './blocked-words.ts';
export { exportClicksJob } from './click-file.ts';
export {
  contactOfNumber,
  keysOf,
  type TextField,
  usableFields,
  valuesOfContacts,
} from './contact-placeholders.ts';
export { recordConversion } from './conversions.ts';
export { endLostCampaignsJob } from './end-lost-campaigns.ts';
export { type HeldCampaigns, holdCampaigns } from './hold-campaigns.ts';
export { pauseForOptOutsJob } from './opt-out-alarm.ts';
export { pauseCampaignsOf } from './pause-for-sender.ts';
export { prepareCampaignJob } from './prepare-job.ts';
export { countQuoteJob } from './quotes.ts';
export { CampaignClock } from './schedule/campaign-clock.ts';
export { guardShortLinkHosts } from './short-link-visits.ts';
export { shortLinkHost } from './short-links.ts';
export { suppressedAmong } from './suppression.ts';
export { tellFinishedJob } from './tell-finished.ts';
export { textSupervisorJob } from './tell-people.ts';
export { uploadRetention } from './uploads.ts';
export { tellTestJob } from './variants/tell-test.ts';
export { endHeld, letHeldGo };

/** Mounts quotes, campaigns and the actions on them. */
export function campaignRoutes(app: App): void {
  uploadRoutes(app);
  draftRoutes(app);
  sendingOptionsRoute(app);
  contactValuesRoute(app);
  bestTimesRoute(app);
  suggestTextRoute(app);
  shortLinkVisits(app);
  quoteRoutes(app);
  estimateRoute(app);
  judgeStartRoute(app);
  testSendRoute(app);
  createCampaignRoute(app);
  campaignListRoutes(app);
  campaignPageRoutes(app);
  linkResultRoutes(app);
  mount(app, exportClicks, askForClicks);
  comparisonRoute(app);
  changeCampaignRoutes(app);
  undoRoute(app);
  approvalRoutes(app);
  editCampaignRoutes(app);
  createTestRoute(app);
  testPageRoutes(app);
  testActionRoutes(app);
}

/** Registers the jobs of campaigns and quotes. A long one does not keep the short ones waiting. */
export async function campaignJobs(
  worker: WorkerContext,
  people: { sendOwnText: SendOwnText; loadCaller: LoadCaller },
): Promise<void> {
  const { jobs } = worker;
  await jobs.work(countQuoteJob, ({ quote_id }, signal) => countQuote(worker, quote_id, signal), { inTurns: true });
  await jobs.work(prepareCampaignJob, ({ campaign_id }, signal) => prepareCampaign(worker, campaign_id, signal), {
    inTurns: true,
    wanted: ({ campaign_id }) => isBeingPrepared(worker.database, campaign_id),
  });
  await jobs.work(endLostCampaignsJob, () => endLostCampaigns(worker));
  await jobs.schedule(endLostCampaignsJob, EVERY_FIVE_MINUTES);
  await jobs.work(pauseForOptOutsJob, () => pauseForOptOuts(worker));
  await jobs.schedule(pauseForOptOutsJob, EVERY_MINUTE);
  await jobs.work(textSupervisorJob, (data) => textSupervisor(worker, people.sendOwnText, data));
  await workTasks(worker, downloadTask, exportClicksJob, (id, signal) =>
    exportList(worker, people.loadCaller, [clickFile], id, signal),
  );
  await jobs.work(tellTestJob, (data) => tellTest(worker, data));
  await jobs.work(tellFinishedJob, (_data, signal) => tellFinished(worker, people.sendOwnText, signal));
  await jobs.schedule(tellFinishedJob, EVERY_MINUTE);
}

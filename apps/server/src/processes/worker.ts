import { alarmJobs } from '#modules/alarms';
import { apiJobs } from '#modules/api';
import { audienceJobs, contactKind } from '#modules/audience';
import { auditJobs } from '#modules/audit';
import { auditStreamJobs } from '#modules/audit-streams';
import { billingJobs } from '#modules/billing';
import { callbackJobs, callbackKind } from '#modules/callbacks';
import { CampaignClock, campaignJobs, pauseCampaignsOf } from '#modules/campaigns';
import { carrierRateKind } from '#modules/carrier-costs';
import { carrierInvoiceKind, invoiceJobs } from '#modules/carrier-invoices';
import { judgeQuality } from '#modules/carrier-quality';
import { blacklistNumberKind, contactsJobs, optOutKind } from '#modules/contacts';
import { moveUnregistered } from '#modules/delivery';
import { exchangeRateKind } from '#modules/exchange-rates';
import { HttpSender } from '#modules/http-deliveries';
import { identityJobs, loadCaller } from '#modules/identity';
import { inboxJobs, routingCallKind } from '#modules/inbox';
import { invoicingJobs } from '#modules/invoices';
import { journeyJobs } from '#modules/journeys';
import { judgeReceipts } from '#modules/link-truth';
import { marginJobs } from '#modules/margins';
import { tellFigures } from '#modules/monitoring';
import { networkKind } from '#modules/networks';
import { KeptNode } from '#modules/nodes';
import { notificationJobs } from '#modules/notifications';
import { numberDumpKind, numberLookupJobs } from '#modules/number-lookups';
import { consentKind } from '#modules/policy';
import { privacyJobs } from '#modules/privacy';
import { reportJobs } from '#modules/reports';
import { scheduledFileJobs } from '#modules/scheduled-files';
import { senderIdKind, senderJobs } from '#modules/senders';
import { languageLineKind } from '#modules/settings';
import { templateJobs } from '#modules/templates';
import { beginCharges, topUpJobs } from '#modules/top-ups';
import { verifyJobs } from '#modules/verify';
import { useNumberKey } from '#platform/person/number-digest';
import { systemClock } from '../platform/clock.ts';
import { createDatabase, createPool } from '../platform/database/db.ts';
import { followStandby } from '../platform/database/standby.ts';
import { fanOutCheck } from '../platform/fan-out/fan-out-check.ts';
import { startFanOut } from '../platform/fan-out/tell.ts';
import { removeOldDrafts } from '../platform/files/files.ts';
import { JOBS_STOP_MS, startEnqueuing, startJobs } from '../platform/jobs/jobs.ts';
import { retentionJob } from '../platform/jobs/retention.ts';
import { WorkWatch } from '../platform/jobs/work-watch.ts';
import type { WorkerContext } from '../platform/jobs/worker-context.ts';
import { type Checker, dataFolderCheck, timelyCheck } from '../platform/operate/checks.ts';
import { storeLog } from '../platform/process/log-store.ts';
import { type ProcessContext, type Running, runProcess } from '../platform/process/run-process.ts';
import { secretKey } from '../platform/process/seal.ts';
import { stopInOrder } from '../platform/process/shutdown.ts';
import { lostTasksJob } from '../platform/tasks/end-lost-tasks.ts';
import { bulkUploadJobs } from '../platform/tasks/read-bulk-upload.ts';
import { followLines } from '../platform/text/language-lines.ts';
import { sendOwnText } from './own-text.ts';
import { RETENTION, RETIRED_JOBS } from './retention.ts';
import { TASKS } from './tasks.ts';

/**
 * Maximum time in ms since the clock's last look, which comes every half second; a slower look holds back every
 * campaign.
 */
const CLOCK_LATE_MS = 60_000;

const campaignClockCheck = (campaigns: CampaignClock): Checker =>
  timelyCheck('campaign_clock', {
    last: () => campaigns.lookedAt,
    within: CLOCK_LATE_MS,
    what: 'The look at which campaigns are due',
    action: 'See the log of this worker, and whether the database has a transaction that holds campaigns locked.',
  });

/** Starts the process that runs the jobs: preparing campaigns, imports, exports, notifications. */
export async function startWorker({ config, log, readiness }: ProcessContext): Promise<Running> {
  const kept = storeLog(config, 'worker');
  useNumberKey(config);
  await removeOldDrafts(config);
  const pool = createPool(config, 'worker');
  const database = createDatabase(pool);
  const enqueuing = await startEnqueuing(pool, log);
  const fanOut = await startFanOut(config, 'worker', log);
  const lines = await followLines(fanOut, database, log);
  const watch = new WorkWatch(pool, () => fanOut.state());
  const jobs = await startJobs(pool, fanOut, log, { watch });
  const standby = followStandby(config, 'worker', pool, log);
  const worker: WorkerContext = { jobs, fanOut, pool, database, standby, config, watch, clock: systemClock, log };
  await contactsJobs(worker, (userId) => loadCaller(database, userId));
  await audienceJobs(worker, (userId) => loadCaller(database, userId));
  await bulkUploadJobs(worker, [
    blacklistNumberKind,
    optOutKind,
    consentKind,
    senderIdKind,
    languageLineKind,
    exchangeRateKind,
    networkKind,
    carrierRateKind,
    carrierInvoiceKind,
    numberDumpKind,
    contactKind,
  ]);
  await campaignJobs(worker, { sendOwnText, loadCaller: (userId) => loadCaller(database, userId) });
  await numberLookupJobs(worker);
  await senderJobs(worker, pauseCampaignsOf, moveUnregistered);
  await templateJobs(worker);
  await marginJobs(worker, (userId) => loadCaller(database, userId));
  await invoiceJobs(worker, (userId) => loadCaller(database, userId));
  await invoicingJobs(worker, (userId) => loadCaller(database, userId));
  await reportJobs(worker, (userId) => loadCaller(database, userId));
  await scheduledFileJobs(worker);
  await apiJobs(worker);
  await verifyJobs(worker);
  await auditStreamJobs(worker);
  await privacyJobs(worker, (userId) => loadCaller(database, userId), RETENTION);
  const news = await notificationJobs(worker);
  await identityJobs(worker, { key: secretKey(config), sendOwnText });
  await auditJobs(worker, (userId) => loadCaller(database, userId));
  const balances = await billingJobs(
    worker,
    (userId) => loadCaller(database, userId),
    () => beginCharges(worker),
  );
  const payments = await topUpJobs(worker, (userId) => loadCaller(database, userId));
  await callbackJobs(worker);
  const deliveries = new HttpSender(worker, [callbackKind(worker), routingCallKind(worker)]);
  deliveries.start();
  const inbox = await inboxJobs(worker, (userId) => loadCaller(database, userId), deliveries);
  await lostTasksJob(worker, TASKS);
  await retentionJob(worker, RETENTION, RETIRED_JOBS);
  const campaigns = new CampaignClock(worker);
  campaigns.start();
  const journeys = await journeyJobs(worker);
  journeys.start();
  const quality = judgeQuality(worker);
  const receipts = judgeReceipts(worker);
  const alarms = await alarmJobs(worker);
  await watch.start(fanOut);
  const figures = tellFigures(config, log);
  readiness?.add(fanOutCheck(() => fanOut.state()));
  readiness?.add(dataFolderCheck({ config }), campaignClockCheck(campaigns));
  const node = new KeptNode(config, { kind: 'worker', role: 'worker', log });
  await node.start();
  return {
    stop: () =>
      stopInOrder(
        [
          // All parts are told to stop at the same time, and none begins more work meanwhile.
          [
            { name: 'language lines', within: 1_000, stop: () => lines.stop() },
            { name: 'messages from phones', within: 2_000, stop: () => inbox.stop() },
            { name: 'deliveries over HTTP', within: 3_000, stop: () => deliveries.stop() },
            { name: 'watch of work', within: 1_000, stop: () => watch.stop() },
            { name: 'figures', within: 1_000, stop: () => figures.stop() },
            { name: 'campaigns', within: 2_000, stop: () => campaigns.stop() },
            { name: 'journeys', within: 3_000, stop: () => journeys.stop() },
            { name: 'alarms', within: 2_000, stop: () => alarms.stop() },
            { name: 'quality of links', within: 2_000, stop: () => quality.stop() },
            { name: 'truth of receipts', within: 2_000, stop: () => receipts.stop() },
            { name: 'balances', within: 2_000, stop: () => balances.stop() },
            { name: 'news of campaigns', within: 2_000, stop: () => news.stop() },
            { name: 'jobs', within: JOBS_STOP_MS + 1_000, stop: () => jobs.stop() },
          ],
          { name: 'payment providers', within: 1_000, stop: () => payments.stop() },
          { name: 'enqueuing', within: 1_000, stop: () => enqueuing.stop() },
          [
            { name: 'fan-out', within: 1_000, stop: () => fanOut.stop() },
            { name: 'list of nodes', within: 1_000, stop: () => node.stop() },
            { name: 'standby', within: 1_000, stop: () => standby.stop() },
          ],
          { name: 'database sessions', within: 2_000, stop: () => pool.end() },
          { name: 'log', within: 1_000, stop: () => kept.stop() },
        ],
        log,
      ),
  };
}

if (import.meta.main) await runProcess('worker', startWorker);

import { auditJobs } from '#modules/audit';
import { billingJobs } from '#modules/billing';
import { campaignJobs } from '#modules/campaigns';
import { blacklistNumberKind, contactsJobs } from '#modules/contacts';
import { identityJobs, loadCaller } from '#modules/identity';
import { notificationJobs } from '#modules/notifications';
import { reportJobs } from '#modules/reports';
import { senderIdKind } from '#modules/senders';
import { languageLineKind } from '#modules/settings';
import { bulkUploadJobs } from '../platform/bulk-upload.ts';
import { systemClock } from '../platform/clock.ts';
import { secretKey } from '../platform/data-folder.ts';
import { connectionSettings, createDatabase, createPool } from '../platform/db.ts';
import { startEnqueuing, startJobs } from '../platform/jobs.ts';
import { followLines } from '../platform/language-lines.ts';
import { type ProcessContext, type Running, runProcess, stopInOrder } from '../platform/shutdown.ts';
import type { WorkerContext } from '../platform/worker-context.ts';
import { sendOwnText } from './own-text.ts';

/** Starts the process that does the jobs: preparing campaigns, imports, exports, notifications. */
export async function startWorker({ config, log }: ProcessContext): Promise<Running> {
  const pool = createPool(config, 'worker');
  const database = createDatabase(pool);
  const enqueuing = await startEnqueuing(pool, log);
  const lines = await followLines(connectionSettings(config, 'worker'), database, log);
  const jobs = await startJobs(pool, connectionSettings(config, 'worker'), log);
  const worker: WorkerContext = { jobs, pool, database, config, clock: systemClock, log };
  await contactsJobs(worker);
  await bulkUploadJobs(worker, [blacklistNumberKind, senderIdKind, languageLineKind]);
  await campaignJobs(worker);
  await reportJobs(worker, (userId) => loadCaller(database, userId));
  await notificationJobs(worker);
  await identityJobs(worker, { key: secretKey(config), sendOwnText });
  await auditJobs(worker);
  const balances = await billingJobs(worker);
  return {
    stop: () =>
      stopInOrder(
        [
          { name: 'language lines', within: 1_000, stop: () => lines.stop() },
          { name: 'balances', within: 2_000, stop: () => balances.stop() },
          { name: 'jobs', within: 6_000, stop: () => jobs.stop() },
          { name: 'enqueuing', within: 1_000, stop: () => enqueuing.stop() },
          { name: 'database sessions', within: 2_000, stop: () => pool.end() },
        ],
        log,
      ),
  };
}

if (import.meta.main) await runProcess('worker', startWorker);

import { anchorActivityJob } from '#modules/audit';
import { applyCardJob, checkCardJob, closeMonthsJob, mailBalanceAlertJob, reconcileJob } from '#modules/billing';
import { countQuoteJob, prepareCampaignJob } from '#modules/campaigns';
import { importNumbersJob } from '#modules/contacts';
import { sendOtpJob } from '#modules/identity';
import { removeOldDownloadsJob } from '#modules/notifications';
import { exportTransactionsJob } from '#modules/reports';
import { bulkUploadJob } from '#platform/bulk-upload';
import type { Job } from '#platform/jobs';

/** Every kind of background work there is; their queues are made with the migrations. */
export const JOBS: readonly Job[] = [
  checkCardJob,
  applyCardJob,
  closeMonthsJob,
  reconcileJob,
  mailBalanceAlertJob,
  importNumbersJob,
  bulkUploadJob,
  countQuoteJob,
  prepareCampaignJob,
  exportTransactionsJob,
  removeOldDownloadsJob,
  sendOtpJob,
  anchorActivityJob,
];

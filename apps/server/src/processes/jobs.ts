import { anchorActivityJob, exportActivityJob } from '#modules/audit';
import {
  applyCardJob,
  checkCardJob,
  closeMonthsJob,
  exportBillingJob,
  mailBalanceAlertJob,
  reconcileJob,
} from '#modules/billing';
import { forgetEventsJob, mailCallbackPauseJob } from '#modules/callbacks';
import {
  countQuoteJob,
  endLostCampaignsJob,
  prepareCampaignJob,
  removeOldUploadsJob,
  tellFinishedJob,
  textSupervisorJob,
} from '#modules/campaigns';
import { endLostWorkJob, exportNumbersJob, importNumbersJob, listJob, removeOldFilesJob } from '#modules/contacts';
import { sendOtpJob } from '#modules/identity';
import { exportInboxJob, removeOldCallsJob } from '#modules/inbox';
import { mailCampaignNewsJob, removeOldDownloadsJob } from '#modules/notifications';
import {
  countDestinationsJob,
  exportReportJob,
  exportTransactionsJob,
  mailStoppedReportJob,
  removeOldDataJob,
  removeOldLogsJob,
  sendReportsJob,
} from '#modules/reports';
import { bulkUploadJob } from '#platform/bulk-upload';
import { mailDownloadJob } from '#platform/downloads';
import type { Job } from '#platform/jobs';

/** Every kind of background work; their queues are made with the migrations. */
export const JOBS: readonly Job[] = [
  checkCardJob,
  applyCardJob,
  closeMonthsJob,
  reconcileJob,
  mailBalanceAlertJob,
  importNumbersJob,
  listJob,
  exportNumbersJob,
  endLostWorkJob,
  removeOldFilesJob,
  bulkUploadJob,
  countQuoteJob,
  prepareCampaignJob,
  endLostCampaignsJob,
  textSupervisorJob,
  removeOldUploadsJob,
  tellFinishedJob,
  exportTransactionsJob,
  exportReportJob,
  removeOldLogsJob,
  countDestinationsJob,
  removeOldDataJob,
  sendReportsJob,
  mailStoppedReportJob,
  mailDownloadJob,
  exportInboxJob,
  removeOldCallsJob,
  removeOldDownloadsJob,
  mailCampaignNewsJob,
  sendOtpJob,
  mailCallbackPauseJob,
  forgetEventsJob,
  anchorActivityJob,
  exportActivityJob,
  exportBillingJob,
];

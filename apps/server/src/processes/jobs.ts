import { mailAlarmJob, postAlarmJob } from '#modules/alarms';
import { mailKeyEndJob, tellKeyEndsJob } from '#modules/api';
import { emptyContactFieldJob, exportContactsJob, undoContactImportJob } from '#modules/audience';
import { anchorActivityJob, exportActivityJob } from '#modules/audit';
import { streamAuditJob } from '#modules/audit-streams';
import {
  applyCardJob,
  checkCardJob,
  closeMonthsJob,
  creditStepsJob,
  exportBillingJob,
  followCostsJob,
  mailBalanceAlertJob,
  mailCreditStepJob,
  mailFollowedCostJob,
  reconcileJob,
  tryPricesJob,
} from '#modules/billing';
import { mailCallbackPauseJob } from '#modules/callbacks';
import {
  countQuoteJob,
  endLostCampaignsJob,
  exportClicksJob,
  pauseForOptOutsJob,
  prepareCampaignJob,
  tellFinishedJob,
  tellTestJob,
  textSupervisorJob,
} from '#modules/campaigns';
import { exportInvoicesJob } from '#modules/carrier-invoices';
import { exportNumbersJob, importNumbersJob, listJob, removeOldFilesJob } from '#modules/contacts';
import { mailEmergencyJob, mailSupportRequestJob, newDeviceJob, sendOtpJob, supportEndsJob } from '#modules/identity';
import { exportInboxJob } from '#modules/inbox';
import {
  exportInvoiceListJob,
  mailInvoiceJob,
  monthInvoicesJob,
  remindOfInvoicesJob,
  settlePaymentsJob,
  writeFilesJob,
} from '#modules/invoices';
import { mailJourneyPauseJob } from '#modules/journeys';
import { countMarginsJob, exportMarginsJob, replayCardJob } from '#modules/margins';
import { mailCampaignNewsJob } from '#modules/notifications';
import { lookUpNumbersJob } from '#modules/number-lookups';
import {
  erasePersonJob,
  exportPersonJob,
  exportProcessingJob,
  findPersonJob,
  followRulesJob,
  forgetClicksJob,
  resumePeopleJob,
  tellConfirmersJob,
} from '#modules/privacy';
import {
  closeDaysJob,
  countDestinationsJob,
  exportReportJob,
  exportTransactionsJob,
  mailStoppedReportJob,
  removeOldDataJob,
  sendReportsJob,
} from '#modules/reports';
import { mailFailingJob, sendFilesJob, startFilesJob } from '#modules/scheduled-files';
import { expireSendersJob, mailSenderNewsJob } from '#modules/senders';
import { mailTemplateNewsJob, tellTemplateNewsJob } from '#modules/templates';
import { TOP_UP_JOBS } from '#modules/top-ups';
import { endExpiredJob } from '#modules/verify';
import type { Job } from '#platform/jobs/jobs';
import { removeOldJob } from '#platform/jobs/retention';
import { sendPushJob } from '#platform/person/push';
import { bulkUploadJob } from '#platform/tasks/bulk-upload';
import { mailDownloadJob } from '#platform/tasks/downloads';
import { endLostTasksJob } from '#platform/tasks/end-lost-tasks';

/** Every kind of background work; their queues are made with the migrations. */
export const JOBS: readonly Job[] = [
  tellKeyEndsJob,
  mailKeyEndJob,
  checkCardJob,
  applyCardJob,
  closeMonthsJob,
  reconcileJob,
  creditStepsJob,
  mailCreditStepJob,
  followCostsJob,
  tryPricesJob,
  mailFollowedCostJob,
  mailBalanceAlertJob,
  emptyContactFieldJob,
  undoContactImportJob,
  exportContactsJob,
  importNumbersJob,
  listJob,
  exportNumbersJob,
  endLostTasksJob,
  removeOldFilesJob,
  removeOldJob,
  bulkUploadJob,
  countQuoteJob,
  pauseForOptOutsJob,
  exportClicksJob,
  prepareCampaignJob,
  lookUpNumbersJob,
  endLostCampaignsJob,
  textSupervisorJob,
  tellFinishedJob,
  tellTestJob,
  exportTransactionsJob,
  exportReportJob,
  countDestinationsJob,
  removeOldDataJob,
  closeDaysJob,
  sendReportsJob,
  mailStoppedReportJob,
  startFilesJob,
  sendFilesJob,
  mailDownloadJob,
  exportInboxJob,
  mailCampaignNewsJob,
  sendPushJob,
  newDeviceJob,
  mailSupportRequestJob,
  tellConfirmersJob,
  supportEndsJob,
  sendOtpJob,
  mailEmergencyJob,
  mailCallbackPauseJob,
  mailFailingJob,
  anchorActivityJob,
  endExpiredJob,
  streamAuditJob,
  findPersonJob,
  followRulesJob,
  forgetClicksJob,
  exportProcessingJob,
  erasePersonJob,
  resumePeopleJob,
  exportPersonJob,
  exportActivityJob,
  exportBillingJob,
  exportInvoicesJob,
  exportInvoiceListJob,
  writeFilesJob,
  settlePaymentsJob,
  monthInvoicesJob,
  mailInvoiceJob,
  remindOfInvoicesJob,
  mailJourneyPauseJob,
  replayCardJob,
  countMarginsJob,
  exportMarginsJob,
  mailAlarmJob,
  postAlarmJob,
  expireSendersJob,
  mailSenderNewsJob,
  tellTemplateNewsJob,
  mailTemplateNewsJob,
  ...TOP_UP_JOBS,
];

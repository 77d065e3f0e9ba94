import { mailBalanceAlertJob } from '#modules/billing';
import { mailCallbackPauseJob } from '#modules/callbacks';
import { textSupervisorJob } from '#modules/campaigns';
import { sendOtpJob } from '#modules/identity';
import { mailCampaignNewsJob } from '#modules/notifications';
import { mailStoppedReportJob } from '#modules/reports';
import { mailFailingJob } from '#modules/scheduled-files';
import { mailAutomaticTopUpJob, mailTopUpJob } from '#modules/top-ups';
import { sendPushJob } from '../platform/person/push.ts';
import { mailDownloadJob } from '../platform/tasks/downloads.ts';

/** Queues of jobs that send something to people: their waiting jobs may have run after the moment of a restore. */
export const SENDING_JOBS: readonly string[] = [
  sendOtpJob,
  textSupervisorJob,
  mailBalanceAlertJob,
  mailCallbackPauseJob,
  mailFailingJob,
  mailCampaignNewsJob,
  sendPushJob,
  mailDownloadJob,
  mailStoppedReportJob,
  mailAutomaticTopUpJob,
  mailTopUpJob,
].map(({ name }) => name);

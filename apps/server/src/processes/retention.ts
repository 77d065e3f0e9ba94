import { alarmRetention, linkMinuteRetention } from '#modules/alarms';
import { groupRetention } from '#modules/api';
import { contactChangeRetention } from '#modules/audience';
import { callbackRetention } from '#modules/callbacks';
import { uploadRetention } from '#modules/campaigns';
import { decisionRetention, qualityRetention } from '#modules/carrier-quality';
import { linkDayRetention } from '#modules/carrier-routes';
import { challengeRetention } from '#modules/identity';
import { callRetention } from '#modules/inbox';
import { linkTestRetention } from '#modules/link-truth';
import { lossRetention } from '#modules/margin-guard';
import { downloadRetention } from '#modules/notifications';
import { limitUseRetention } from '#modules/policy';
import { personRequestRetention } from '#modules/privacy';
import { logRetention } from '#modules/reports';
import { replyRetention, sandboxRetention, useRetention } from '#modules/sandbox';
import { runRetention } from '#modules/scheduled-files';
import { documentRetention } from '#modules/senders';
import { answerRetention } from '#modules/single-sign-on';
import { noticeRetention, voucherTryRetention } from '#modules/top-ups';
import { counterRetention, prefixRetention, verificationRetention } from '#modules/verify';
import type { Retention } from '#platform/jobs/retention';
import { taskRetention } from '#platform/tasks/task';

/** Everything that `remove-old` removes; docs/operations.md shows it to operators. */
export const RETENTION: readonly Retention[] = [
  downloadRetention,
  ...taskRetention,
  contactChangeRetention,
  uploadRetention,
  documentRetention,
  ...runRetention,
  callRetention,
  ...logRetention,
  ...callbackRetention,
  groupRetention,
  alarmRetention,
  linkMinuteRetention,
  qualityRetention,
  decisionRetention,
  linkTestRetention,
  linkDayRetention,
  lossRetention,
  limitUseRetention,
  noticeRetention,
  voucherTryRetention,
  challengeRetention,
  answerRetention,
  personRequestRetention,
  verificationRetention,
  counterRetention,
  prefixRetention,
  sandboxRetention,
  replyRetention,
  useRetention,
];

/** Names of jobs of earlier releases, whose work `remove-old` does now. */
export const RETIRED_JOBS = [
  'remove-old-downloads',
  'remove-old-uploads',
  'remove-old-calls',
  'remove-old-logs',
  'forget-events',
] as const;

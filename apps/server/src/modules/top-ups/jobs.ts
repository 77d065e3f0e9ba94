import type { z } from 'zod';
import type { Job } from '#platform/jobs/jobs';
import { chargeCard, forgetCard } from './charge-card.ts';
import type { Providers } from './drivers/provider.ts';
import { chargeCardJob, forgetCardJob } from './kept-card.ts';
import {
  lookAtTopUp,
  lookAtTopUpJob,
  pollTopUps,
  pollTopUpsJob,
  type TopUpWorker,
  takeNotice,
  takeNoticeJob,
} from './look.ts';
import { openPage, openPageJob, registerNotices, registerNoticesJob } from './open-page.ts';
import { sendRefund, sendRefundJob } from './refund-top-up.ts';
import {
  mailAutomaticTopUp,
  mailAutomaticTopUpJob,
  mailTopUp,
  mailTopUpJob,
  tellTopUp,
  tellTopUpJob,
} from './tell-top-ups.ts';

/** Everything with which the jobs of top-ups work. */
export interface TopUpTools {
  worker: TopUpWorker;
  providers: Providers;
}

type Pair = readonly [job: Job, work: (data: never) => Promise<void>];
const pair = <Schema extends z.ZodType>(job: Job<Schema>, work: (data: z.output<Schema>) => Promise<void>): Pair => [
  job,
  work as (data: never) => Promise<void>,
];

/** Lists the jobs of top-ups with the work of each. */
export const jobHandlers = ({ worker, providers }: TopUpTools): readonly Pair[] => [
  pair(openPageJob, ({ top_up_id }) => openPage(worker, providers, top_up_id)),
  pair(registerNoticesJob, ({ merchant_account_id }) => registerNotices(worker, providers, merchant_account_id)),
  pair(lookAtTopUpJob, ({ top_up_id }) => lookAtTopUp(worker, providers, top_up_id)),
  pair(takeNoticeJob, ({ payment_notice_id }) => takeNotice(worker, providers, payment_notice_id)),
  pair(sendRefundJob, ({ top_up_return_id }) => sendRefund(worker, providers, top_up_return_id)),
  pair(chargeCardJob, ({ top_up_id }) => chargeCard(worker, providers, top_up_id)),
  pair(forgetCardJob, ({ automatic_top_up_id }) => forgetCard(worker, providers, automatic_top_up_id)),
  pair(mailAutomaticTopUpJob, (data) => mailAutomaticTopUp(worker, data)),
  pair(tellTopUpJob, (data) => tellTopUp(worker, data)),
  pair(mailTopUpJob, (data) => mailTopUp(worker, data)),
  pair(pollTopUpsJob, () => pollTopUps(worker)),
];

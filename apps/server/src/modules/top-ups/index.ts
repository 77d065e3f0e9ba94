import * as automatic from '@heliograph/contract/top-ups/automatic-top-up';
import * as merchant from '@heliograph/contract/top-ups/merchant-account';
import * as contract from '@heliograph/contract/top-ups/top-up';
import * as voucher from '@heliograph/contract/top-ups/voucher';
import { type App, mount, mountOutside, mountResource } from '#platform/http/http';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { downloadTask } from '#platform/tasks/downloads';
import { askForList, exportList, type LoadCaller } from '#platform/tasks/exported-list';
import { workTasks } from '#platform/tasks/run-task';
import { changeAutomatic, endAutomatic, showAutomatic, startAutomatic } from './automatic-top-up.ts';
import { mountBankTransfers } from './bank-transfer.ts';
import { Providers } from './drivers/provider.ts';
import { jobHandlers } from './jobs.ts';
import { chargeCardJob, forgetCardJob } from './kept-card.ts';
import { lookAtTopUpJob, pollTopUpsJob, takeNoticeJob } from './look.ts';
import { askProvider, beginTopUp, listPaymentMethods } from './make-top-up.ts';
import { askToRegister, merchantAccounts, showNoticeAddress } from './merchant-accounts.ts';
import { paymentNotices } from './notices.ts';
import { openPageJob, registerNoticesJob } from './open-page.ts';
import { askForRefund, sendRefundJob } from './refund-top-up.ts';
import { mountReturnsByHand } from './returns-by-hand.ts';
import { mailAutomaticTopUpJob, mailTopUpJob, tellTopUpJob } from './tell-top-ups.ts';
import { exportTopUpsJob, listTopUps, topUpFile, wholeTopUp } from './top-up-rows.ts';
import { createVouchers, listVouchers, redeemCode, voidBatch } from './vouchers.ts';

export { beginCharges } from './charge-card.ts';
export { secretKeyContext } from './drivers/provider.ts';
export { noticeRetention } from './notices.ts';
export { mailAutomaticTopUpJob, mailTopUpJob } from './tell-top-ups.ts';
export { type TopUpRow, topUpPage, wholeTopUp } from './top-up-rows.ts';
export { voucherTryRetention } from './vouchers.ts';

/** All kinds of background work of top-ups. */
export const TOP_UP_JOBS = [
  openPageJob,
  registerNoticesJob,
  lookAtTopUpJob,
  takeNoticeJob,
  pollTopUpsJob,
  sendRefundJob,
  chargeCardJob,
  forgetCardJob,
  mailAutomaticTopUpJob,
  tellTopUpJob,
  mailTopUpJob,
  exportTopUpsJob,
] as const;

/** Mounts payment methods, top-ups and the addresses for providers' notices. */
export function mountTopUps(app: App): void {
  mountResource(app, merchant.merchantAccount, merchantAccounts);
  mount(app, merchant.noticeAddress, showNoticeAddress);
  mount(app, merchant.registerNotices, askToRegister);
  mount(app, contract.paymentMethods, listPaymentMethods);
  mount(app, contract.topUps, listTopUps);
  mount(app, contract.exportTopUps, async (ctx, { body }) => {
    // A first row is read before the file is queued, so that a wrong filter is refused immediately.
    await listTopUps(ctx, { params: {}, query: { ...body, limit: 1, cursor: undefined }, body: {} });
    return askForList(ctx, exportTopUpsJob, topUpFile, body);
  });
  mount(app, contract.makeTopUp, beginTopUp);
  mount(app, contract.getTopUp, async (ctx, { params }) => ({ data: await wholeTopUp(ctx, params.id) }));
  mount(app, contract.checkTopUp, askProvider);
  mount(app, contract.refundTopUp, askForRefund);
  mountBankTransfers(app);
  mountReturnsByHand(app);
  mount(app, automatic.showAutomaticTopUp, showAutomatic);
  mount(app, automatic.startAutomaticTopUp, startAutomatic);
  mount(app, automatic.changeAutomaticTopUp, changeAutomatic);
  mount(app, automatic.endAutomaticTopUp, endAutomatic);
  mount(app, voucher.vouchers, listVouchers);
  mount(app, voucher.makeVouchers, createVouchers);
  mountOutside(app, voucher.redeemVoucher, redeemCode);
  mount(app, voucher.voidVouchers, voidBatch);
  paymentNotices(app);
}

const EVERY_MINUTE = '* * * * *';

/** Registers the jobs of top-ups. Returns a handle that ends the connections to providers. */
export async function topUpJobs(worker: WorkerContext, loadCaller: LoadCaller): Promise<{ stop(): Promise<void> }> {
  const { jobs } = worker;
  const providers = new Providers(worker.config);
  for (const [job, work] of jobHandlers({ worker, providers })) await jobs.work(job, work as never);
  await jobs.schedule(pollTopUpsJob, EVERY_MINUTE);
  await workTasks(worker, downloadTask, exportTopUpsJob, (id, signal) =>
    exportList(worker, loadCaller, [topUpFile], id, signal),
  );
  return { stop: () => providers.close() };
}

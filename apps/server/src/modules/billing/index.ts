import {
  accountPace,
  accountStatement,
  accountStatementTotals,
  exportAccountStatement,
} from '@heliograph/contract/billing/account-statement';
import * as moved from '@heliograph/contract/billing/account-transfer';
import * as account from '@heliograph/contract/billing/billing-account';
import * as months from '@heliograph/contract/billing/closed-month';
import * as contract from '@heliograph/contract/billing/credit-change';
import * as credit from '@heliograph/contract/billing/credit-control';
import * as margins from '@heliograph/contract/billing/margin-rule';
import { pricePlan } from '@heliograph/contract/billing/price-plan';
import * as promotion from '@heliograph/contract/billing/promotion';
import { rate } from '@heliograph/contract/billing/rate';
import * as detail from '@heliograph/contract/billing/rate-detail';
import { rateZone } from '@heliograph/contract/billing/rate-zone';
import * as volume from '@heliograph/contract/billing/volume-discount';
import { type App, mount, mountResource } from '#platform/http/http';
import { mountFile } from '#platform/http/mount-file';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { downloadTask } from '#platform/tasks/downloads';
import { askForList, exportList, type LoadCaller } from '#platform/tasks/exported-list';
import { workTasks } from '#platform/tasks/run-task';
import { correctAccount, payAccount, refundAccount } from './account-money.ts';
import { listStatementLines, showPace, showStatementTotals } from './account-statement.ts';
import { listAccountTransfers, makeTransfer, reverseTransfer } from './account-transfer.ts';
import { applyCard } from './apply-card.ts';
import { billingAccounts, resumeAccount, suspendAccount } from './billing-account.ts';
import { applyCardJob, cardRoutes, cardTask, checkCardJob } from './card-upload.ts';
import { checkCard } from './check-card.ts';
import { closeMonths, closeMonthsJob } from './close-months.ts';
import { askReopen, closeOneMonth, listMonths, reopen, showChecks } from './closed-months.ts';
import { creditChangeFile, listCreditChanges, showTotalOutstanding } from './credit-change.ts';
import { listTransfersOfChange } from './credit-change-transfers.ts';
import { listOverdue, savePolicy, setGrace, setHold, showAccountCredit, showPolicy } from './credit-control.ts';
import { creditStepsJob, mailCreditStepJob, takeCreditSteps } from './credit-steps.ts';
import { exportBillingJob } from './export-billing.ts';
import { followCosts, followCostsJob, mailFollowedCost, mailFollowedCostJob } from './follow-costs.ts';
import { mailCreditStep } from './mail-credit-step.ts';
import { previewRule, removeRule, setRule, showRule } from './margin-rule.ts';
import { explainCharge } from './message-charge.ts';
import { pricePlans } from './price-plan.ts';
import { trialJobs, trialRoutes } from './price-trials.ts';
import { listPromotions, makePromotion, stopPromotion } from './promotions.ts';
import { rates } from './rate.ts';
import { askForRateDetails, listRateDetails, rateDetailFile, showPriceOfNumber } from './rate-detail.ts';
import { rateZones } from './rate-zone.ts';
import { reconcileJob, recordFindings } from './reconcile.ts';
import { listStatements, statementCsv } from './statement.ts';
import { askForStatement, statementFile } from './statement-file.ts';
import { statementPdf } from './statement-pdf.ts';
import { listVolumeDiscounts, makeVolumeDiscount, stopVolumeDiscount } from './volume-discounts.ts';
import { BalanceWatch, mailBalanceAlert, mailBalanceAlertJob } from './watch-balances.ts';

export { isPaymentRecorded, payAccount } from './account-money.ts';
export { billingAccounts } from './billing-account.ts';
export { applyCardJob, cardTask, checkCardJob } from './card-upload.ts';
export { closeMonths, closeMonthsJob } from './close-months.ts';
export { isUnpaid } from './credit-control.ts';
export { creditStepsJob, mailCreditStepJob, peopleOf } from './credit-steps.ts';
export { exportBillingJob } from './export-billing.ts';
export { followCostsJob, mailFollowedCostJob } from './follow-costs.ts';
export {
  cannotPay,
  commit,
  correct,
  pay,
  payBack,
  postTransfers,
  refund,
  release,
  reserve,
  reserveAll,
  type Settlement,
  type Transfer,
} from './ledger.ts';
export { discountOf } from './month-discount.ts';
export { type PriceOf, type Prices, type Pricing, planPrices, priceLookup, priceLookups } from './price.ts';
export { tryPricesJob } from './price-trials.ts';
export { promotionsOf } from './promoted-prices.ts';
export { requireProofOfSum } from './proof-of-sum.ts';
export { reconcile, reconcileJob } from './reconcile.ts';
export { mailBalanceAlertJob } from './watch-balances.ts';

/** Mounts prices, billing accounts, and the calls that move and explain their money. */
export function mountBilling(app: App): void {
  mountResource(app, pricePlan, pricePlans);
  mountResource(app, rateZone, rateZones);
  mountResource(app, rate, rates);
  cardRoutes(app);
  mount(app, margins.showMarginRule, showRule);
  mount(app, margins.previewMarginRule, previewRule);
  mount(app, margins.setMarginRule, setRule);
  mount(app, margins.removeMarginRule, removeRule);
  trialRoutes(app);
  mount(app, promotion.promotions, listPromotions);
  mount(app, promotion.createPromotion, makePromotion);
  mount(app, promotion.endPromotion, stopPromotion);
  mount(app, volume.volumeDiscounts, listVolumeDiscounts);
  mount(app, volume.createVolumeDiscount, makeVolumeDiscount);
  mount(app, volume.endVolumeDiscount, stopVolumeDiscount);
  mount(app, detail.rateDetails, listRateDetails);
  mount(app, detail.exportRateDetails, askForRateDetails);
  mount(app, detail.priceOfNumber, showPriceOfNumber);
  mount(app, detail.chargeOfMessage, explainCharge);
  mountResource(app, account.billingAccount, billingAccounts);
  mount(app, moved.accountTransfers, listAccountTransfers);
  mount(app, moved.makeAccountTransfer, makeTransfer);
  mount(app, moved.reverseAccountTransfer, reverseTransfer);
  mount(app, account.payBillingAccount, payAccount);
  mount(app, account.refundBillingAccount, refundAccount);
  mount(app, account.correctBillingAccount, correctAccount);
  mount(app, account.suspendBillingAccount, suspendAccount);
  mount(app, account.resumeBillingAccount, resumeAccount);
  mount(app, months.closedMonths, listMonths);
  mount(app, months.checkMonth, showChecks);
  mount(app, months.closeMonth, closeOneMonth);
  mount(app, months.askToReopenMonth, askReopen);
  mount(app, months.reopenMonth, reopen);
  mount(app, credit.showCreditPolicy, showPolicy);
  mount(app, credit.setCreditPolicy, savePolicy);
  mount(app, credit.overdueAccounts, listOverdue);
  mount(app, credit.accountCredit, showAccountCredit);
  mount(app, credit.holdAccount, setHold);
  mount(app, credit.giveGrace, setGrace);
  mount(app, accountStatement, listStatementLines);
  mount(app, accountStatementTotals, showStatementTotals);
  mount(app, exportAccountStatement, askForStatement);
  mount(app, accountPace, showPace);
  mount(app, contract.creditChanges, listCreditChanges);
  mount(app, contract.creditChangeTransfers, listTransfersOfChange);
  mount(app, contract.exportCreditChanges, async (ctx, { body }) => {
    // A first row is read before the file is queued, so that a wrong period is refused immediately.
    await listCreditChanges(ctx, { params: {}, query: { ...body, limit: 1, cursor: undefined }, body: {} });
    return askForList(ctx, exportBillingJob, creditChangeFile, body);
  });
  mount(app, contract.totalOutstandingNotify, showTotalOutstanding);
  mount(app, contract.statements, listStatements);
  mountFile(app, contract.statementPdf, 'none', (ctx, { params }) => statementPdf(ctx, params.id));
  mountFile(app, contract.statementCsv, 'none', (ctx, { params }) => statementCsv(ctx, params.id));
}

const EVERY_TEN_MINUTES = '*/10 * * * *';

/**
 * Registers the jobs of cards, month ends, reconciliation and alerts. Returns a handle that stops the watching of
 * balances; `onLook` is done at each look at them.
 */
export async function billingJobs(
  worker: WorkerContext,
  loadCaller: LoadCaller,
  onLook: () => Promise<void> = async () => undefined,
): Promise<{ stop(): Promise<void> }> {
  const { jobs } = worker;
  await workTasks(worker, cardTask, checkCardJob, (id, signal) => checkCard(worker, id, signal));
  await workTasks(worker, cardTask, applyCardJob, (id, signal) => applyCard(worker, id, signal));
  await workTasks(worker, downloadTask, exportBillingJob, (id, signal) =>
    exportList(worker, loadCaller, [creditChangeFile, rateDetailFile, statementFile], id, signal),
  );
  await jobs.work(mailBalanceAlertJob, (data) => mailBalanceAlert(worker, data));
  await jobs.work(closeMonthsJob, async () => void (await closeMonths(worker)));
  await jobs.schedule(closeMonthsJob, EVERY_TEN_MINUTES);
  await jobs.work(creditStepsJob, () => takeCreditSteps(worker));
  await jobs.schedule(creditStepsJob, EVERY_TEN_MINUTES);
  await trialJobs(worker, loadCaller);
  await jobs.work(followCostsJob, () => followCosts(worker));
  await jobs.schedule(followCostsJob, EVERY_TEN_MINUTES);
  await jobs.work(mailFollowedCostJob, (data) => mailFollowedCost(worker, data));
  await jobs.work(mailCreditStepJob, (data) => mailCreditStep(worker, data));
  let lookedAtAll = '';
  await jobs.work(reconcileJob, async () => {
    // The first run of a day checks all accounts.
    const today = worker.clock.now().toISOString().slice(0, 10);
    await recordFindings(worker, lookedAtAll !== today);
    lookedAtAll = today;
  });
  await jobs.schedule(reconcileJob, EVERY_TEN_MINUTES);
  const watch = new BalanceWatch(worker, onLook);
  watch.start();
  return { stop: () => watch.stop() };
}

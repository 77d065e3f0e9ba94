import {
  billingAccount,
  creditChanges,
  payBillingAccount,
  totalOutstandingNotify,
} from '@heliograph/contract/billing/billing-account';
import { pricePlan } from '@heliograph/contract/billing/price-plan';
import { type App, mount, mountResource } from '#platform/http';
import { billingAccounts, payAccount } from './billing-account.ts';
import { listCreditChanges, showTotalOutstanding } from './credit-change.ts';
import { pricePlans } from './price-plan.ts';

export { pay, postTransfers, release, reserve, type Settlement, type Transfer } from './ledger.ts';
export { priceLookup } from './price.ts';
export { reconcile } from './reconcile.ts';

/** Mounts billing accounts with their payments, price plans and the movements of credit. */
export function mountBilling(app: App): void {
  mountResource(app, billingAccount, billingAccounts);
  mountResource(app, pricePlan, pricePlans);
  mount(app, payBillingAccount, payAccount);
  mount(app, creditChanges, listCreditChanges);
  mount(app, totalOutstandingNotify, showTotalOutstanding);
}

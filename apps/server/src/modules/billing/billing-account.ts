import { randomUUID } from 'node:crypto';
import { billingAccount, type payBillingAccount } from '@heliograph/contract/billing/billing-account';
import { toThousandths } from '@heliograph/contract/kernel/money';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { audit } from '#platform/audit';
import { type Caller, type Context, requirePermission } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler, ResourceHandlers } from '#platform/http';
import { translate } from '#platform/i18n';
import { tableStore } from '#platform/table-store';
import { requireVisible } from '#platform/visible';
import { pay } from './ledger.ts';

const stored = tableStore(billingAccount, {
  table: 'billing_account',
  from: 'billing_account_row',
  searched: ['name', 'key'],
});
type Account = Awaited<ReturnType<typeof stored.get>>['data'];

/** Nobody sets their own credit: a corporation's account is run by its reseller or by the administration. */
const runs = (caller: Caller, corporationId: number) =>
  isAdministration(caller.scope_level) || corporationId !== caller.corporation_id;

function requireToRun(caller: Caller, corporationId: number): void {
  if (!runs(caller, corporationId)) throw new BusinessError('forbidden');
}

function withAbilities(caller: Caller, account: Account): Account {
  return runs(caller, account.corporation_id) ? account : { ...account, abilities: { edit: false, delete: false } };
}

function checkLimits(account: Pick<Account, 'cost_warning_limit' | 'credit_limit'>): void {
  const credit = toThousandths(account.credit_limit);
  const warning = account.cost_warning_limit;
  if (warning !== null && credit > 0 && toThousandths(warning) >= credit)
    throw fieldError('cost_warning_limit', 'cost_warning_below_credit_limit');
}

const requirePlan = (ctx: Context, id: number) => requireVisible(ctx, 'price_plan', id, 'price_plan_id');

/** Billing accounts. The ledger alone moves what is on them. */
export const billingAccounts: ResourceHandlers<typeof billingAccount> = {
  async list(ctx, call) {
    const page = await stored.list(ctx, call);
    return { ...page, data: page.data.map((account) => withAbilities(ctx.caller, account)) };
  },
  async get(ctx, call) {
    const { data } = await stored.get(ctx, call);
    return { data: withAbilities(ctx.caller, data) };
  },
  async create(ctx, call) {
    const { body } = call;
    await requireVisible(ctx, 'corporation', body.corporation_id, 'corporation_id');
    requireToRun(ctx.caller, body.corporation_id);
    await requirePlan(ctx, body.price_plan_id);
    checkLimits(body);
    if (body.suspended) requirePermission(ctx.caller, 'billing-accounts-suspend');
    return stored.create(ctx, call);
  },
  async update(ctx, call) {
    const { body } = call;
    const { data: present } = await stored.get(ctx, call);
    requireToRun(ctx.caller, present.corporation_id);
    if (body.price_plan_id !== undefined) await requirePlan(ctx, body.price_plan_id);
    checkLimits({
      credit_limit: body.credit_limit ?? present.credit_limit,
      cost_warning_limit: body.cost_warning_limit === undefined ? present.cost_warning_limit : body.cost_warning_limit,
    });
    if (body.suspended !== undefined && body.suspended !== present.suspended)
      requirePermission(ctx.caller, 'billing-accounts-suspend');
    return stored.update(ctx, call);
  },
  async remove(ctx, call) {
    if (call.params.id === ctx.caller.billing_account_id) throw new BusinessError('own_billing_account');
    const { data } = await stored.get(ctx, call);
    requireToRun(ctx.caller, data.corporation_id);
    return stored.remove(ctx, call);
  },
};

/** A payment: one transfer, and with the same reference on the same account no second one. */
export const payAccount: Handler<typeof payBillingAccount> = async (ctx, call) => {
  const { params, body } = call;
  const { data: account } = await stored.get(ctx, { params, query: {}, body: {} });
  requireToRun(ctx.caller, account.corporation_id);
  const amount = toThousandths(body.amount);
  if (amount === 0) throw fieldError('amount', 'too_small', { count: 0.001 });
  const paid = await pay(ctx.db, {
    key: body.reference ? `payment ${account.id} ${body.reference}` : `payment ${account.id} ${randomUUID()}`,
    billing_account_id: account.id,
    corporation_id: account.corporation_id,
    amount,
    user_id: ctx.caller.user_id,
    note: [body.reference, body.note].filter(Boolean).join(': ') || null,
  });
  if (paid) {
    await audit(ctx, {
      name: 'billing-accounts',
      description: 'payment',
      subject_type: 'billing-accounts',
      subject_id: account.id,
      corporation_id: account.corporation_id,
      after: { amount: body.amount, reference: body.reference ?? null, note: body.note ?? null },
    });
  }
  const { data } = await stored.get(ctx, { params, query: {}, body: {} });
  const message = translate(ctx.locale, 'payment.done', { amount: body.amount, name: account.name });
  return { data: withAbilities(ctx.caller, data), message };
};

import {
  billingAccount,
  type resumeBillingAccount,
  type suspendBillingAccount,
} from '@heliograph/contract/billing/billing-account';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { isAdministration } from '@heliograph/contract/kernel/scope';
import { audit } from '#platform/access/audit';
import { keepHold, requireUnheld } from '#platform/access/field-rights';
import { requireUnused, requireVisible } from '#platform/access/visible';
import { type Caller, type Context, requirePermission } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler, ResourceHandlers } from '#platform/http/http';
import { dateIn } from '#platform/records/period';
import { tableStore } from '#platform/records/table-store';
import { translate } from '#platform/text/i18n';
import { costsMayDiffer } from './follow-costs.ts';

const stored = tableStore(billingAccount, {
  table: 'billing_account',
  from: 'billing_account_row',
  searched: ['name', 'key'],
  may(account, caller) {
    const own = runs(caller, account.corporation_id);
    return { edit: own, delete: own };
  },
});
type Account = Awaited<ReturnType<typeof stored.get>>['data'];

/**
 * Tells if a caller may manage a corporation's accounts. Only its reseller or the administration may, so that nobody
 * sets their own credit.
 */
function runs(caller: Caller, corporationId: number): boolean {
  return isAdministration(caller.scope_level) || corporationId !== caller.corporation_id;
}

export function requireToRun(caller: Caller, corporationId: number): void {
  if (!runs(caller, corporationId)) throw new BusinessError('forbidden');
}

function checkLimits(account: Pick<Account, 'cost_warning_limit' | 'credit_limit'>): void {
  const credit = toThousandths(account.credit_limit);
  const warning = account.cost_warning_limit;
  if (warning !== null && credit > 0 && toThousandths(warning) >= credit)
    throw fieldError('cost_warning_limit', 'cost_warning_below_credit_limit');
}

/**
 * Returns the plan for billing an account. Throws a 422 on `price_plan_id` if the caller cannot see the plan, or it is
 * not in force. The same error is thrown if the plan belongs to a reseller and the corporation is not a customer of it.
 */
async function planFor(ctx: Context, id: number, corporationId: number) {
  await requireVisible(ctx, 'price_plan', id, 'price_plan_id');
  const plan = await ctx.db.selectFrom('price_plan').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const { reseller_id, timezone } = await ctx.db
    .selectFrom('corporation')
    .select(['reseller_id', 'timezone'])
    .where('id', '=', corporationId)
    .executeTakeFirstOrThrow();
  if (plan.corporation_id !== null && plan.corporation_id !== reseller_id)
    throw fieldError('price_plan_id', 'not_visible');
  const today = dateIn(timezone, ctx.clock.now());
  const outside =
    (plan.starts_on !== null && today < plan.starts_on) || (plan.expires_on !== null && today > plan.expires_on);
  if (!plan.enabled || outside) throw fieldError('price_plan_id', 'plan_not_in_force');
  return plan;
}

/** Billing accounts. Only the ledger moves the money on them. */
export const billingAccounts: ResourceHandlers<typeof billingAccount> = {
  ...stored,
  async create(ctx, call) {
    const { body } = call;
    await requireVisible(ctx, 'corporation', body.corporation_id, 'corporation_id');
    requireToRun(ctx.caller, body.corporation_id);
    await requireUnused(ctx, 'billing_account', ['key', body.key], 'billing_account_already_exists');
    const plan = await planFor(ctx, body.price_plan_id, body.corporation_id);
    const whole = {
      ...body,
      credit_limit: body.credit_limit ?? fromThousandths(plan.credit_limit),
      monthly_plan: body.monthly_plan ?? plan.monthly_plan,
      monthly_commitment: body.monthly_commitment ?? fromThousandths(plan.monthly_commitment),
    };
    checkLimits(whole);
    if (body.suspended) requirePermission(ctx.caller, 'billing-accounts-suspend');
    const created = await stored.create(ctx, { ...call, body: whole });
    await costsMayDiffer(ctx);
    return created;
  },
  async update(ctx, call) {
    const { body } = call;
    const { data: present } = await stored.get(ctx, call);
    requireToRun(ctx.caller, present.corporation_id);
    if (body.key !== undefined && body.key !== present.key)
      await requireUnused(ctx, 'billing_account', ['key', body.key], 'billing_account_already_exists', {
        except: present.id,
      });
    if (body.price_plan_id !== undefined && body.price_plan_id !== present.price_plan_id)
      await planFor(ctx, body.price_plan_id, present.corporation_id);
    checkLimits({
      credit_limit: body.credit_limit ?? present.credit_limit,
      cost_warning_limit: body.cost_warning_limit === undefined ? present.cost_warning_limit : body.cost_warning_limit,
    });
    if (body.suspended !== undefined && body.suspended !== present.suspended)
      requirePermission(ctx.caller, 'billing-accounts-suspend');
    const updated = await stored.update(ctx, call);
    await costsMayDiffer(ctx);
    return updated;
  },
  async remove(ctx, call) {
    if (call.params.id === ctx.caller.billing_account_id) throw new BusinessError('own_billing_account');
    const { data } = await stored.get(ctx, call);
    requireToRun(ctx.caller, data.corporation_id);
    return stored.remove(ctx, call);
  },
};

/** Returns an account that the caller may manage; throws `not_found` and `forbidden`. */
export async function accountToRun(ctx: Context, params: { id: number }): Promise<Account> {
  const { data } = await stored.get(ctx, { params, query: {}, body: {} });
  requireToRun(ctx.caller, data.corporation_id);
  return data;
}

/** Returns the account as it is now, for the answer of a call that moved its money. */
export async function accountNow(ctx: Context, params: { id: number }): Promise<Account> {
  const { data } = await stored.get(ctx, { params, query: {}, body: {} });
  return data;
}

interface Suspension {
  params: { id: number };
  body: { note?: string | undefined };
}

async function setSuspended(ctx: Context, { params, body }: Suspension, suspended: boolean) {
  const account = await accountToRun(ctx, params);
  if (account.suspended !== suspended) {
    await requireUnheld(ctx, 'billing-accounts', account, 'suspended');
    await ctx.db.updateTable('billing_account').set({ suspended }).where('id', '=', account.id).execute();
    await audit(ctx, {
      name: 'billing-accounts',
      description: suspended ? 'suspended' : 'resumed',
      subject_type: 'billing-accounts',
      subject_id: account.id,
      corporation_id: account.corporation_id,
      before: { suspended: account.suspended },
      after: { suspended, note: body.note ?? null },
    });
    const place = { record: 'billing-accounts', record_id: account.id, corporation_id: account.corporation_id };
    await keepHold(ctx, place, 'suspended', !suspended);
  }
  const message = translate(ctx.locale, `suspension.${suspended ? 'suspended' : 'resumed'}`, { name: account.name });
  return { data: await accountNow(ctx, params), message };
}

/** Suspends an account. After the commit no amount is reserved on it. */
export const suspendAccount: Handler<typeof suspendBillingAccount> = (ctx, call) => setSuspended(ctx, call, true);

export const resumeAccount: Handler<typeof resumeBillingAccount> = (ctx, call) => setSuspended(ctx, call, false);

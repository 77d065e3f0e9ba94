import { randomBytes } from 'node:crypto';
import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import type { BodyOf } from '@heliograph/contract/kernel/operation';
import { feeOf, isPayable } from '@heliograph/contract/top-ups/fee';
import type { checkTopUp, makeTopUp, paymentMethods } from '@heliograph/contract/top-ups/top-up';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import { requireVisible } from '#platform/access/visible';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { enqueue } from '#platform/jobs/jobs';
import { lookAtTopUpJob } from './look.ts';
import { openPageJob } from './open-page.ts';
import { wholeTopUp } from './top-up-rows.ts';

/** Payment method as a customer uses it; amounts in thousandths. */
export interface Method {
  id: number;
  name: string;
  driver: 'stripe' | 'paymongo' | 'maya' | 'bank_transfer';
  mode: 'live' | 'test' | 'simulated';
  currency: string;
  minimum: number;
  maximum: number;
  fee_percent: number;
  fee_fixed: number;
  fee_payer: 'customer' | 'seller';
  instructions: string | null;
}

/** Seconds in which the provider is asked once, however often a person asks. */
const CHECK_SECONDS = 3;
/** Letters of references: without those that look like others. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** Returns a new reference: TU and twelve letters, which people can read to a bank. */
export const newReference = (): string => `TU${[...randomBytes(12)].map((byte) => LETTERS[byte % 32]).join('')}`;

/** Lists the payment methods of an account: those of the seller of its corporation. */
export async function methodsOf({ db }: Pick<Context, 'db'>, account: number): Promise<Method[]> {
  return (await sql<Method>`SELECT * FROM payment_methods(${account})`.execute(db)).rows;
}

/** Lists the payment methods of an account that the caller sees. Throws `not_found`. */
export const listPaymentMethods: Handler<typeof paymentMethods> = async (ctx, { params }) => {
  await requireVisible(ctx, 'billing_account', params.id, 'id').catch(() => {
    throw new BusinessError('not_found');
  });
  const methods = await methodsOf(ctx, params.id);
  return {
    data: methods.map(({ minimum, maximum, fee_percent, fee_fixed, ...method }) => ({
      ...method,
      minimum: fromThousandths(minimum),
      maximum: fromThousandths(maximum),
      fee_percent: fromThousandths(fee_percent),
      fee_fixed: fromThousandths(fee_fixed),
    })),
  };
};

/** Throws a 422 unless an amount can be paid with a method. */
export function requireAmount(amount: number, { minimum, maximum, currency }: Method): void {
  const limits = { minimum: fromThousandths(minimum), maximum: fromThousandths(maximum), currency };
  if (amount < minimum) throw fieldError('amount', 'top_up_too_small', limits);
  if (amount > maximum) throw fieldError('amount', 'top_up_too_large', limits);
  if (!isPayable(amount, currency)) throw fieldError('amount', 'not_payable', { currency });
}

/** Returns the columns of a new top-up. */
export function newTopUp(method: Method, account: { id: number; corporation_id: number }, amount: number) {
  return {
    corporation_id: account.corporation_id,
    billing_account_id: account.id,
    merchant_account_id: method.id,
    driver: method.driver,
    method_name: method.name,
    simulated: method.mode === 'simulated',
    amount,
    ...feeOf(amount, method),
    currency: method.currency,
    reference: newReference(),
  };
}

type Body = BodyOf<typeof makeTopUp>;

/** Returns the top-up that used the reference first, if this is the same one; throws `top_up_reference_used` if not. */
async function sameTopUp(ctx: Context, body: Body, amount: number) {
  const first = await ctx.db
    .selectFrom('top_up')
    .select(['id', 'amount', 'merchant_account_id', 'currency'])
    .where('billing_account_id', '=', body.billing_account_id)
    .where('client_reference', '=', body.client_reference!)
    .executeTakeFirstOrThrow();
  if (first.amount !== amount || first.merchant_account_id !== body.merchant_account_id)
    throw new BusinessError('top_up_reference_used', {
      params: { amount: fromThousandths(first.amount), currency: first.currency },
    });
  return { data: await wholeTopUp(ctx, first.id) };
}

/** Begins a top-up; a worker opens the provider's page. */
export const beginTopUp: Handler<typeof makeTopUp> = async (ctx, { body }) => {
  await requireVisible(ctx, 'billing_account', body.billing_account_id, 'billing_account_id');
  const methods = await methodsOf(ctx, body.billing_account_id);
  const method = methods.find(({ id }) => id === body.merchant_account_id);
  if (!method) throw fieldError('merchant_account_id', 'not_visible');
  const amount = toThousandths(body.amount);
  requireAmount(amount, method);
  const account = await ctx.db
    .selectFrom('billing_account')
    .select(['id', 'name', 'corporation_id'])
    .where('id', '=', body.billing_account_id)
    .executeTakeFirstOrThrow();
  const isTransfer = method.driver === 'bank_transfer';
  const made = await ctx.db
    .insertInto('top_up')
    .values({
      ...newTopUp(method, account, amount),
      state: isTransfer ? 'awaiting_payment' : 'created',
      client_reference: body.client_reference ?? null,
      origin: body.origin ?? null,
      user_id: ctx.caller.user_id,
      created_at: ctx.clock.now().toISOString(),
    })
    .onConflict((conflict) => conflict.columns(['billing_account_id', 'client_reference']).doNothing())
    .returning('id')
    .executeTakeFirst();
  // The same request again gets the answer of the first time.
  if (!made) return sameTopUp(ctx, body, amount);
  if (!isTransfer) await enqueue(ctx.db, openPageJob, { top_up_id: made.id });
  await audit(ctx, {
    name: 'top-ups',
    description: 'begun',
    subject_type: 'top-ups',
    subject_id: made.id,
    corporation_id: account.corporation_id,
    after: { account: account.name, method: method.name, amount: body.amount },
  });
  return { data: await wholeTopUp(ctx, made.id) };
};

/** Lets a worker ask the provider now, at most once in a few seconds. */
export const askProvider: Handler<typeof checkTopUp> = async (ctx, { params }) => {
  const data = await wholeTopUp(ctx, params.id);
  const asked = await ctx.db
    .updateTable('top_up')
    .set({ checked_at: ctx.clock.now().toISOString() })
    .where('id', '=', params.id)
    .where('checkout_id', 'is not', null)
    .where(({ eb, or }) =>
      or([
        eb('checked_at', 'is', null),
        eb('checked_at', '<', new Date(ctx.clock.now().getTime() - CHECK_SECONDS * 1_000).toISOString()),
      ]),
    )
    .executeTakeFirst();
  if (asked.numUpdatedRows > 0n) await enqueue(ctx.db, lookAtTopUpJob, { top_up_id: params.id });
  return { data };
};

import { fromThousandths, toThousandths } from '@heliograph/contract/kernel/money';
import { isPayable } from '@heliograph/contract/top-ups/fee';
import type { refundTopUp } from '@heliograph/contract/top-ups/top-up';
import { z } from 'zod';
import { requireProofOfSum } from '#modules/billing';
import { audit } from '#platform/access/audit';
import { BusinessError, fieldError } from '#platform/errors';
import { failpoint } from '#platform/failpoints';
import type { Handler } from '#platform/http/http';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import { ProviderRefused } from './drivers/driver.ts';
import { DRIVERS, type OnlineDriver, type Providers } from './drivers/provider.ts';
import { lookAtTopUp, merchantOf, type TopUpWorker } from './look.ts';
import { addRequest } from './returns-by-hand.ts';
import { lockTopUp, settleReturns } from './settle.ts';
import { sellsTo, wholeTopUp } from './top-up-rows.ts';

/** Job that asks a provider for one refund. */
export const sendRefundJob = defineJob('send-top-up-refund', z.object({ top_up_return_id: z.int() }));

/** States from which money can go back. */
const REFUNDABLE: readonly string[] = ['paid', 'partly_refunded'];

/**
 * Gives money of a top-up back. The account loses the credit now; if the provider refuses, it gets it again. A transfer to
 * a bank is made by a person, so such a refund is a request that another person approves.
 */
export const askForRefund: Handler<typeof refundTopUp> = async (ctx, { params, body }) => {
  const topUp = await lockTopUp(ctx.db, params.id);
  if (!topUp) throw new BusinessError('not_found');
  if (!sellsTo(ctx.caller, topUp.corporation_id)) throw new BusinessError('forbidden');
  if (!REFUNDABLE.includes(topUp.state) || topUp.driver === 'voucher') throw new BusinessError('top_up_not_refundable');
  if (topUp.driver === 'bank_transfer') {
    await addRequest(ctx, topUp, { kind: 'refund', ...body });
    return { data: await wholeTopUp(ctx, topUp.id) };
  }
  const amount = toThousandths(body.amount);
  const left = topUp.total - topUp.returned;
  if (amount === 0) throw fieldError('amount', 'too_small', { count: 0.01 });
  if (amount > left) throw fieldError('amount', 'top_up_refund_too_large', { amount: fromThousandths(left) });
  if (!isPayable(amount, topUp.currency)) throw fieldError('amount', 'not_payable', { currency: topUp.currency });
  await requireProofOfSum(ctx, amount);
  const { id } = await ctx.db
    .insertInto('top_up_return')
    .values({
      corporation_id: topUp.corporation_id,
      top_up_id: topUp.id,
      kind: 'refund',
      state: 'asked',
      amount,
      reason: body.reason,
      user_id: ctx.caller.user_id,
      created_at: ctx.clock.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await settleReturns(ctx.db, topUp);
  await enqueue(ctx.db, sendRefundJob, { top_up_return_id: id });
  await audit(ctx, {
    name: 'top-ups',
    description: 'refunded',
    subject_type: 'top-ups',
    subject_id: topUp.id,
    corporation_id: topUp.corporation_id,
    after: { reference: topUp.reference, amount: body.amount, reason: body.reason },
  });
  return { data: await wholeTopUp(ctx, topUp.id) };
};

/**
 * Asks the provider for a refund, and reads what became of it. It may run twice: the provider knows the refund by its key.
 * Throws `ProviderUnreachable`.
 */
export async function sendRefund(worker: TopUpWorker, providers: Providers, id: number): Promise<void> {
  const { database, log } = worker;
  const wanted = await database
    .selectFrom('top_up_return as r')
    .innerJoin('top_up as t', 't.id', 'r.top_up_id')
    .select(['r.state', 'r.amount', 'r.key', 'r.reason', 't.id as top_up_id'])
    .select(['t.payment_id', 't.currency', 't.merchant_account_id'])
    .where('r.id', '=', id)
    .executeTakeFirst();
  if (wanted?.state !== 'asked' || wanted.merchant_account_id === null) return;
  const { top_up_id, payment_id, amount, currency, key, reason } = wanted;
  try {
    const stored = await merchantOf(worker, wanted.merchant_account_id);
    const refund = { payment_id: payment_id ?? '', amount, currency, key, reason: reason ?? '' };
    await DRIVERS[stored.driver as OnlineDriver].refund(providers.merchant(stored), refund);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    log.warn({ top_up_id, fault: error.message }, 'payment provider refused a refund');
    await database.transaction().execute(async (db) => {
      const topUp = (await lockTopUp(db, top_up_id))!;
      const failed = { state: 'failed', fault: error.message };
      await db.updateTable('top_up_return').set(failed).where('id', '=', id).where('state', '=', 'asked').execute();
      await settleReturns(db, topUp);
    });
    return;
  }
  failpoint('top-up.refund-sent');
  await lookAtTopUp(worker, providers, top_up_id);
}

import { sql } from 'kysely';
import { z } from 'zod';
import { failpoint } from '#platform/failpoints';
import { defineJob, enqueue } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { type Known, ProviderRefused } from './drivers/driver.ts';
import { DRIVERS, type OnlineDriver, type Providers, type StoredMerchant } from './drivers/provider.ts';
import { chargeCardJob, followCard } from './kept-card.ts';
import { applySeen, lockTopUp, type TopUp, tellChange } from './settle.ts';

/** Job that asks the provider of one top-up what became of it. */
export const lookAtTopUpJob = defineJob('look-at-top-up', z.object({ top_up_id: z.int() }));
/** Job that looks at top-ups whose notice did not come. */
export const pollTopUpsJob = defineJob('poll-top-ups', z.object({}));
/** Job that looks at the top-up of a stored notice. */
export const takeNoticeJob = defineJob('take-payment-notice', z.object({ payment_notice_id: z.int() }));

export type TopUpWorker = Pick<WorkerContext, 'database' | 'clock' | 'log' | 'config'>;

/** Hours after which an open page no longer counts as open; a payment that comes later still counts. */
const OPEN_HOURS = 48;
const POLLED_AT_ONCE = 200;
/** Minutes after which a charge is tried again whose job gave up, because the provider did not answer. */
const CHARGE_AGAIN_MINUTES = 10;

/** Loads the columns of a payment method with which its provider is called. */
export const merchantOf = ({ database }: Pick<TopUpWorker, 'database'>, id: number): Promise<StoredMerchant> =>
  database
    .selectFrom('merchant_account')
    .select(['id', 'driver', 'mode', 'public_key', 'secret_key_sealed'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/**
 * Asks the provider what became of a top-up and applies it. Of several looks under way, only the one that began last
 * counts: it cannot have seen an older state. Throws `ProviderUnreachable`.
 */
export async function lookAtTopUp(worker: TopUpWorker, providers: Providers, id: number): Promise<void> {
  const { database, clock, log } = worker;
  const begun = await database
    .updateTable('top_up')
    .set(({ eb }) => ({ looks: eb('looks', '+', 1), checked_at: clock.now().toISOString() }))
    .where('id', '=', id)
    .where('checkout_id', 'is not', null)
    .where('merchant_account_id', 'is not', null)
    .returningAll()
    .executeTakeFirst();
  if (!begun) return;
  const stored = await merchantOf(worker, begun.merchant_account_id!);
  const seen = await DRIVERS[stored.driver as OnlineDriver]
    .look(providers.merchant(stored), begun as Known)
    .catch((error: unknown) => {
      if (!(error instanceof ProviderRefused)) throw error;
      log.warn({ top_up_id: id, fault: error.message }, 'payment provider refused a look');
      return undefined;
    });
  if (!seen) return;
  failpoint('top-up.looked');
  await database.transaction().execute(async (db) => {
    const topUp = await lockTopUp(db, id);
    if (!topUp || topUp.looks !== begun.looks) return;
    const now = await applySeen(db, topUp, seen, clock.now());
    await followCard(db, topUp, now, seen, clock.now());
    if (now.problem !== null && topUp.problem === null)
      log.error({ top_up_id: id, problem: now.problem }, 'payment differs from its top-up');
  });
}

/** Looks at the top-up that a stored notice speaks of. A notice about anything else changes nothing. */
export async function takeNotice(worker: TopUpWorker, providers: Providers, noticeId: number): Promise<void> {
  const { database, clock } = worker;
  const notice = await database.selectFrom('payment_notice').selectAll().where('id', '=', noticeId).executeTakeFirst();
  if (!notice || notice.processed_at !== null) return;
  const { merchant_account_id, reference, payment_id } = notice;
  const found = await database
    .selectFrom('top_up')
    .select(['id', 'automatic', 'checkout_id'])
    .where('merchant_account_id', '=', merchant_account_id)
    .where(({ eb, or }) => or([eb('reference', '=', reference ?? ''), eb('payment_id', '=', payment_id ?? '')]))
    .executeTakeFirst();
  // The worker that charged a card may have died before it stored the payment.
  if (found?.automatic && found.checkout_id === null && payment_id !== null)
    await database
      .updateTable('top_up')
      .set(({ eb }) => ({
        checkout_id: payment_id,
        state: eb.case().when('state', '=', 'created').then('awaiting_payment').else(eb.ref('state')).end(),
      }))
      .where('id', '=', found.id)
      .where('checkout_id', 'is', null)
      .execute();
  if (found) await lookAtTopUp(worker, providers, found.id);
  failpoint('top-up.notice-taken');
  await database
    .updateTable('payment_notice')
    .set({ processed_at: clock.now().toISOString() })
    .where('id', '=', noticeId)
    .execute();
}

/**
 * Queues a look at each top-up that is open, or whose refund is not over, less often the older it is, and charges whose
 * job gave up. Pages that nobody paid expire.
 */
export async function pollTopUps({ database, clock }: TopUpWorker): Promise<void> {
  const now = clock.now().toISOString();
  const { rows } = await sql<{ id: number }>`
    SELECT t.id FROM top_up t
    WHERE t.checkout_id IS NOT NULL AND t.driver <> 'bank_transfer'
      AND (t.state = 'awaiting_payment' OR EXISTS (
        SELECT FROM top_up_return r WHERE r.top_up_id = t.id AND r.state IN ('pending', 'open')))
      AND coalesce(t.checked_at, t.created_at) < ${now}::timestamptz
        - greatest(interval '30 seconds', least(interval '6 hours', (${now}::timestamptz - t.created_at) / 10))
    ORDER BY t.checked_at NULLS FIRST LIMIT ${POLLED_AT_ONCE}`.execute(database);
  for (const { id } of rows) await enqueue(database, lookAtTopUpJob, { top_up_id: id });
  await database.transaction().execute(async (db) => {
    const { rows: uncharged } = await sql<{ id: number }>`
      UPDATE top_up SET checked_at = ${now}::timestamptz WHERE automatic AND state = 'created'
        AND coalesce(checked_at, created_at) < ${now}::timestamptz - ${CHARGE_AGAIN_MINUTES} * interval '1 minute'
      RETURNING id`.execute(db);
    for (const { id } of uncharged) await enqueue(db, chargeCardJob, { top_up_id: id });
  });
  await database.transaction().execute(async (db) => {
    const { rows: expired } = await sql<TopUp>`
      UPDATE top_up SET state = CASE WHEN checkout_id IS NULL THEN 'failed' ELSE 'expired' END
      WHERE state IN ('created', 'awaiting_payment') AND driver <> 'bank_transfer'
        AND created_at < ${now}::timestamptz - ${OPEN_HOURS} * interval '1 hour' RETURNING *`.execute(db);
    for (const each of expired) await tellChange(db, each);
  });
}

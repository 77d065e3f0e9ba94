import { feeOf } from '@heliograph/contract/top-ups/fee';
import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/database/db';
import { failpoint } from '#platform/failpoints';
import { enqueue } from '#platform/jobs/jobs';
import { ProviderRefused } from './drivers/driver.ts';
import { DRIVERS, type OnlineDriver, type Providers } from './drivers/provider.ts';
import { type AutomaticTopUp, chargeCardJob } from './kept-card.ts';
import { lookAtTopUp, merchantOf, type TopUpWorker } from './look.ts';
import { type Method, newTopUp } from './make-top-up.ts';
import { failTopUp } from './open-page.ts';
import { tellAutomatic } from './tell-top-ups.ts';

const AT_ONCE = 50;
/** Hours in which a repeated charge is safe: Stripe keeps idempotency keys for at least 24. */
const SAFE_HOURS = 20;

const due = (now: string) => sql`FROM automatic_top_up p
  JOIN billing_account b ON b.id = p.billing_account_id AND b.enabled AND NOT b.suspended
    AND b.credit_balance + b.credit_limit < p.threshold
  JOIN corporation c ON c.id = p.corporation_id
  JOIN merchant_account m ON m.id = p.merchant_account_id AND m.enabled AND m.currency = c.currency
  WHERE p.state = 'on' AND p.next_at <= ${now}::timestamptz AND NOT EXISTS (
    SELECT FROM top_up t WHERE t.billing_account_id = b.id AND t.automatic AND t.state IN ('created', 'awaiting_payment'))`;

/**
 * Begins a charge for each account that can spend less than its threshold. Any number of workers may do this at the same
 * time: each automatic top-up is judged behind its lock.
 */
export async function beginCharges({ database, clock }: Pick<TopUpWorker, 'database' | 'clock'>): Promise<void> {
  const now = clock.now().toISOString();
  const { rows } = await sql<{ id: number }>`SELECT p.id ${due(now)} ORDER BY p.next_at LIMIT ${AT_ONCE}`.execute(
    database,
  );
  for (const { id } of rows) await database.transaction().execute((db) => beginCharge(db, id, now));
}

interface Due extends AutomaticTopUp {
  timezone: string;
  method: Method;
}

async function beginCharge(db: Kysely<Database>, id: number, now: string): Promise<void> {
  const { rows } = await sql<Due>`SELECT p.*, c.timezone, to_jsonb(m) AS method ${due(now)} AND p.id = ${id}
    FOR UPDATE OF p SKIP LOCKED`.execute(db);
  const plan = rows[0];
  if (!plan) return;
  const { method, amount } = plan;
  const agreed = feeOf(amount, method).total === plan.total && amount >= method.minimum && amount <= method.maximum;
  if (!agreed) {
    const stopped = { state: 'stopped', stop_reason: 'terms_changed' };
    await db.updateTable('automatic_top_up').set(stopped).where('id', '=', id).execute();
    return tellAutomatic(db, plan, 'stopped');
  }
  const sums = await sumsOf(db, plan.billing_account_id, plan.timezone, now);
  const next =
    sums.month + amount > plan.month_limit
      ? sums.next_month
      : sums.day + amount > plan.day_limit
        ? sums.next_day
        : null;
  if (next !== null) {
    await db.updateTable('automatic_top_up').set({ next_at: next }).where('id', '=', id).execute();
    return tellAutomatic(db, plan, 'limit');
  }
  const made = await db
    .insertInto('top_up')
    .values({
      ...newTopUp(method, { id: plan.billing_account_id, corporation_id: plan.corporation_id }, amount),
      automatic: true,
      automatic_top_up_id: id,
      user_id: plan.user_id,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await sql`UPDATE automatic_top_up SET next_at = ${now}::timestamptz + minutes_between * interval '1 minute'
    WHERE id = ${id}`.execute(db);
  await enqueue(db, chargeCardJob, { top_up_id: made.id });
}

/** Sums of charges in the present day and month of a time zone, in thousandths, and the times when these end. */
export interface ChargeSums {
  day: number;
  month: number;
  next_day: string;
  next_month: string;
}

/** Sums up the charges of an account that were not declined. */
export async function sumsOf(
  db: Kysely<Database>,
  account: number,
  timezone: string,
  now: string,
): Promise<ChargeSums> {
  const { rows } = await sql<ChargeSums>`
    WITH here AS (SELECT ${now}::timestamptz AT TIME ZONE ${timezone} AS at), began AS (
      SELECT date_trunc('day', at) AT TIME ZONE ${timezone} AS day, date_trunc('month', at) AT TIME ZONE ${timezone} AS month,
        (date_trunc('day', at) + interval '1 day') AT TIME ZONE ${timezone} AS next_day,
        (date_trunc('month', at) + interval '1 month') AT TIME ZONE ${timezone} AS next_month FROM here)
    SELECT coalesce(sum(t.amount) FILTER (WHERE t.created_at >= b.day), 0)::bigint AS day, coalesce(sum(t.amount), 0)::bigint AS month,
      b.next_day, b.next_month
    FROM began b LEFT JOIN top_up t ON t.billing_account_id = ${account} AND t.automatic AND t.created_at >= b.month
      AND t.state NOT IN ('failed', 'expired')
    GROUP BY b.day, b.next_day, b.next_month`.execute(db);
  return rows[0]!;
}

/**
 * Charges the kept card for a top-up. It may run twice: the provider knows the charge by our reference, and answers the
 * second time what it did the first time. Throws `ProviderUnreachable`.
 */
export async function chargeCard(worker: TopUpWorker, providers: Providers, id: number): Promise<void> {
  const { database, clock } = worker;
  const topUp = await database
    .selectFrom('top_up as t')
    .innerJoin('automatic_top_up as p', 'p.id', 't.automatic_top_up_id')
    .select(['t.reference', 't.total', 't.currency', 't.created_at', 't.merchant_account_id'])
    .select(['p.state', 'p.card_customer', 'p.card_method'])
    .where('t.id', '=', id)
    .where('t.automatic', '=', true)
    .where('t.state', '=', 'created')
    .executeTakeFirst();
  if (!topUp) return;
  const { reference, total, currency, card_customer: customer, card_method: method } = topUp;
  if (customer === null || method === null) return failTopUp(worker, id, 'the card was removed', false);
  const late = clock.now().getTime() - Date.parse(topUp.created_at) > SAFE_HOURS * 3_600_000;
  let payment: string | null;
  try {
    const stored = await merchantOf(worker, topUp.merchant_account_id!);
    const card = DRIVERS[stored.driver as OnlineDriver].card!;
    const merchant = providers.merchant(stored);
    const wanted = { reference, total, currency, customer, method };
    // An earlier try may have charged before its worker died; nothing more is charged after the end.
    payment = late || topUp.state !== 'on' ? await card.find(merchant, wanted) : await card.charge(merchant, wanted);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    return failTopUp(worker, id, error.message);
  }
  if (payment === null) return failTopUp(worker, id, late ? 'too late to charge' : 'the automatic top-up ended', false);
  failpoint('top-up.charged');
  await database
    .updateTable('top_up')
    .set({ checkout_id: payment, state: 'awaiting_payment' })
    .where('id', '=', id)
    .where('state', '=', 'created')
    .execute();
  await lookAtTopUp(worker, providers, id);
}

/** Removes the card of an ended automatic top-up at its provider. Throws `ProviderUnreachable`. */
export async function forgetCard(worker: TopUpWorker, providers: Providers, id: number): Promise<void> {
  const { database, log } = worker;
  const plan = await database
    .selectFrom('automatic_top_up')
    .select(['merchant_account_id', 'card_method'])
    .where('id', '=', id)
    .where('state', '=', 'ended')
    .executeTakeFirst();
  if (!plan || plan.card_method === null) return;
  try {
    const stored = await merchantOf(worker, plan.merchant_account_id);
    await DRIVERS[stored.driver as OnlineDriver].card!.forget(providers.merchant(stored), plan.card_method);
  } catch (error) {
    if (!(error instanceof ProviderRefused)) throw error;
    // The provider knows the card no longer, or not with these keys: it cannot be charged.
    log.warn({ automatic_top_up_id: id, fault: error.message }, 'payment provider refused to remove a card');
  }
  const without = { card_customer: null, card_method: null };
  await database.updateTable('automatic_top_up').set(without).where('id', '=', id).execute();
}

import { sql } from 'kysely';
import type { WorkerContext } from '#platform/jobs/worker-context';
import type { Db } from './db.ts';
import { issueReceipt, type Payment } from './receipts.ts';
import { lockInvoices, openInvoices, spread } from './spread.ts';

/**
 * Lets new payments pay the open invoices of their accounts, or get their receipts. Returns the number of payments that were looked at. Any
 * number of workers may do this at the same time, and a second run changes nothing.
 */
export async function settlePayments({ database, clock }: Pick<WorkerContext, 'database' | 'clock'>): Promise<number> {
  for (let settled = 0; ; settled++)
    if (!(await database.transaction().execute((db) => settleNext(db, clock)))) return settled;
}

/** Settles the next payment in a transaction of its own, so that receipts of several sellers lock one series. */
export async function settleNext(db: Db, clock: WorkerContext['clock']): Promise<boolean> {
  const { rows } = await sql<Payment>`
    SELECT id, billing_account_id, corporation_id, amount, note, created_at FROM account_payment
    WHERE settled_at IS NULL ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(db);
  const [payment] = rows;
  if (!payment) return false;
  await settle(db, payment);
  await issueReceipt(db, clock, payment);
  await db
    .updateTable('account_payment')
    .set({ settled_at: clock.now().toISOString() })
    .where('id', '=', payment.id)
    .execute();
  return true;
}

/**
 * Spreads a payment over the invoices that were open when it arrived, the earliest due date first. The rest stays as
 * credit.
 */
async function settle(db: Db, { id, billing_account_id, amount, created_at }: Payment): Promise<void> {
  if (amount <= 0) return;
  // Credit notes lock the invoice too, so that both see each other.
  await lockInvoices(db, billing_account_id);
  const invoices = await openInvoices(db, billing_account_id, created_at);
  await spread(db, [{ id, free: amount }], invoices);
}

import { sql } from 'kysely';
import type { WorkerContext } from '#platform/jobs/worker-context';
import type { Db } from './db.ts';

const AT_ONCE = 200;

interface Payment {
  id: number;
  billing_account_id: number;
  amount: number;
  created_at: string;
}

/**
 * Lets new payments pay the open invoices of their accounts. Returns the number of payments that were looked at. Any
 * number of workers may do this at the same time, and a second run changes nothing.
 */
export async function settlePayments({ database, clock }: Pick<WorkerContext, 'database' | 'clock'>): Promise<number> {
  let settled = 0;
  for (;;) {
    const count = await database.transaction().execute(async (db) => {
      const { rows } = await sql<Payment>`
        SELECT id, billing_account_id, amount, created_at FROM account_payment WHERE settled_at IS NULL
        ORDER BY id LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED`.execute(db);
      for (const payment of rows) await settle(db, payment);
      const ids = rows.map(({ id }) => id);
      if (ids.length > 0)
        await db
          .updateTable('account_payment')
          .set({ settled_at: clock.now().toISOString() })
          .where('id', 'in', ids)
          .execute();
      return rows.length;
    });
    settled += count;
    if (count < AT_ONCE) return settled;
  }
}

/**
 * Spreads a payment over the invoices that were open when it arrived, the earliest due date first. The rest stays as
 * credit.
 */
async function settle(db: Db, { id, billing_account_id, amount, created_at }: Payment): Promise<void> {
  // Credit notes lock the invoice too, so that both see each other.
  await sql`SELECT id FROM invoice WHERE billing_account_id = ${billing_account_id} AND kind = 'invoice' AND state = 'issued'
    ORDER BY id FOR NO KEY UPDATE`.execute(db);
  const { rows } = await sql<{ id: number; open: number }>`
    SELECT id, payable - paid - credited AS open FROM invoice_row
    WHERE billing_account_id = ${billing_account_id} AND kind = 'invoice' AND state = 'issued' AND payable > paid + credited
      AND issued_at <= ${created_at}
    ORDER BY due_date, id`.execute(db);
  let left = amount;
  for (const invoice of rows) {
    const part = Math.min(left, Number(invoice.open));
    if (part <= 0) return;
    await db.insertInto('invoice_payment').values({ invoice_id: invoice.id, payment_id: id, amount: part }).execute();
    left -= part;
  }
}

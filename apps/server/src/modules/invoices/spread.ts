import { sql } from 'kysely';
import type { Db } from './db.ts';
import { POSTED } from './post-difference.ts';

/** Payment of an account with money that pays no invoice. Amounts are thousandths. */
export interface FreePayment {
  id: number;
  amount: number;
  free: number;
  note: string | null;
  created_at: string;
}

/** Issued invoice of an account of which something is open, in thousandths. */
interface OpenInvoice {
  id: number;
  open: number;
}

/** Locks the issued invoices of an account in one order, so that allocations and credit notes take turns. */
export const lockInvoices = (db: Db, accountId: number) =>
  sql`SELECT id FROM invoice WHERE billing_account_id = ${accountId} AND kind = 'invoice' AND state = 'issued'
    ORDER BY id FOR NO KEY UPDATE`.execute(db);

/** Lists the payments of an account with free money, the newest first. */
export async function freePayments(db: Db, accountId: number): Promise<FreePayment[]> {
  const { rows } = await sql<FreePayment>`
    SELECT * FROM (SELECT a.id, a.amount, a.note, a.created_at,
        (a.amount - coalesce((SELECT sum(p.amount) FROM invoice_payment p WHERE p.payment_id = a.id), 0))::bigint AS free
      FROM account_payment a WHERE a.billing_account_id = ${accountId} AND a.amount > 0) f
    WHERE f.free > 0 ORDER BY f.id DESC LIMIT 200`.execute(db);
  return rows;
}

/** Lists the open invoices of an account, the earliest due date first; with `before` those issued until then. */
export async function openInvoices(db: Db, accountId: number, before: string | null = null): Promise<OpenInvoice[]> {
  const { rows } = await sql<OpenInvoice>`
    SELECT id, (payable - paid - credited)::bigint AS open FROM invoice_row
    WHERE billing_account_id = ${accountId} AND kind = 'invoice' AND state = 'issued' AND payable > paid + credited
      AND (${before}::timestamptz IS NULL OR issued_at <= ${before})
    ORDER BY due_date, id`.execute(db);
  return rows;
}

/** Lets an amount of a payment pay an invoice. The caller holds the account's invoices locked. */
export const allocate = (db: Db, invoice_id: number, payment_id: number, amount: number) =>
  sql`INSERT INTO invoice_payment AS p (invoice_id, payment_id, amount) VALUES (${invoice_id}, ${payment_id}, ${amount})
    ON CONFLICT (invoice_id, payment_id) DO UPDATE SET amount = p.amount + excluded.amount`.execute(db);

/** Lets free money pay open invoices in their order, at most `limit` in all. */
export async function spread(
  db: Db,
  payments: readonly Pick<FreePayment, 'id' | 'free'>[],
  invoices: readonly OpenInvoice[],
  limit = Number.POSITIVE_INFINITY,
): Promise<void> {
  const left = payments.map(({ id, free }) => ({ id, free }));
  let rest = limit;
  for (const invoice of invoices) {
    let { open } = invoice;
    for (const payment of left) {
      const amount = Math.min(open, payment.free, rest);
      if (amount <= 0) continue;
      await allocate(db, invoice.id, payment.id, amount);
      payment.free -= amount;
      open -= amount;
      rest -= amount;
    }
  }
}

/**
 * Frees the money that an invoice no longer needs after a credit note, the newest payment first, and lets it pay the other open
 * invoices of the account.
 */
export async function releaseExcess(db: Db, invoiceId: number): Promise<void> {
  const { rows } = await sql<{ billing_account_id: number | null; excess: number }>`
    SELECT billing_account_id, (paid + credited - payable)::bigint AS excess FROM invoice_row WHERE id = ${invoiceId}`.execute(
    db,
  );
  const { billing_account_id, excess = 0 } = rows[0] ?? {};
  if (billing_account_id == null || excess <= 0) return;
  await lockInvoices(db, billing_account_id);
  const parts = await db
    .selectFrom('invoice_payment')
    .select(['id', 'payment_id', 'amount'])
    .where('invoice_id', '=', invoiceId)
    .orderBy('payment_id', 'desc')
    .execute();
  const freed: { id: number; free: number }[] = [];
  let left = Number(excess);
  for (const { id, payment_id, amount } of parts) {
    const free = Math.min(left, amount);
    if (free <= 0) break;
    if (free === amount) await db.deleteFrom('invoice_payment').where('id', '=', id).execute();
    else
      await db
        .updateTable('invoice_payment')
        .set({ amount: amount - free })
        .where('id', '=', id)
        .execute();
    freed.push({ id: payment_id, free });
    left -= free;
  }
  await spread(db, freed, await openInvoices(db, billing_account_id));
}

/**
 * Lets money that was paid in advance pay the invoice of a month that is issued now. The open invoices of months are never
 * above what the account owes for these months: only the difference is taken, so payments for earlier debts stay where
 * they are.
 */
export async function payInAdvance(db: Db, accountId: number): Promise<void> {
  await lockInvoices(db, accountId);
  const { rows } = await sql<{ surplus: number }>`
    SELECT (m.open - greatest(0, -(b.credit_balance + b.reserved) - m.since))::bigint AS surplus FROM billing_account b
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(greatest(v.payable - v.paid - v.credited, 0)), 0) AS open,
        coalesce((SELECT -sum(t.amount) FROM ledger_transfer t WHERE t.billing_account_id = b.id
          AND t.created_at >= (SELECT max(s.ends_at) FROM invoice i JOIN statement s ON s.id = i.statement_id
            WHERE i.billing_account_id = b.id AND i.state = 'issued')
          AND t.kind IN ('charge', 'refund', 'commitment', 'correction', 'discount') AND t.key NOT LIKE ${`${POSTED}%`}), 0) AS since
      FROM invoice_row v WHERE v.billing_account_id = b.id AND v.kind = 'invoice' AND v.state = 'issued' AND v.statement_id IS NOT NULL
    ) m WHERE b.id = ${accountId}`.execute(db);
  const surplus = Number(rows[0]?.surplus ?? 0);
  if (surplus > 0) await spread(db, await freePayments(db, accountId), await openInvoices(db, accountId), surplus);
}

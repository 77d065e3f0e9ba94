import { sql } from 'kysely';
import { dateIn } from '#platform/records/period';
import type { ListContext } from '#platform/tasks/exported-list';

/** Amount of an account that should have been paid by today, and the oldest due date that was not met. */
export interface Overdue {
  billing_account_id: number;
  corporation_id: number;
  /** Today in the account's time zone. */
  today: string;
  overdue: number;
  due_on: string | null;
}

/**
 * Sums the money that came in since the last statement of an account. The last charge before it is where the search
 * begins, because entries get their ids in the order of time.
 */
const addedSince = (statement: string) => {
  const last = sql.ref(`${statement}.last_end`);
  return sql`coalesce((SELECT sum(t.amount) FROM credit_change t
    WHERE t.billing_account_id = b.id AND t.created_at >= ${last} AND t.amount > 0
      AND t.kind IN ('payment', 'refund', 'correction', 'transfer') AND t.id > coalesce((
        SELECT e.id FROM credit_change e WHERE e.billing_account_id = b.id AND e.kind = 'charge' AND e.created_at < ${last}
        ORDER BY e.created_at DESC LIMIT 1), 0)), 0)`;
};

/** Oldest statements that are looked at. */
const MOST_MONTHS = 24;

/**
 * Returns what accounts should have paid by now: the accounts of `ids`, or all that owe something. The debt at the end of
 * a month is due after the days that the seller's policy gives, 14 without one. Money that arrived after the month pays
 * the oldest debt first. From the first month-end invoice of an account on, its invoices and their due dates count
 * instead, and never more than the account owes now.
 */
export async function overdueOf(
  { db, clock }: Pick<ListContext, 'db' | 'clock'>,
  ids?: readonly number[],
): Promise<Overdue[]> {
  const now = clock.now();
  const { rows } = await sql<Omit<Overdue, 'today'> & { timezone: string }>`
    SELECT b.id AS billing_account_id, b.corporation_id, c.timezone,
      o.overdue::bigint AS overdue, o.due_on::text AS due_on
    FROM billing_account b JOIN corporation c ON c.id = b.corporation_id
    LEFT JOIN LATERAL (SELECT payment_days FROM policy_of_account(b.id)) y ON true
    CROSS JOIN LATERAL (SELECT min(v.billed_from) AS since FROM invoice v
      WHERE v.billing_account_id = b.id AND v.kind = 'invoice' AND v.state = 'issued' AND v.statement_id IS NOT NULL) f
    CROSS JOIN LATERAL (SELECT min(x.due_on) AS due_on, least(coalesce(sum(x.overdue), 0),
        CASE WHEN f.since IS NULL THEN coalesce(sum(x.overdue), 0) ELSE greatest(-(b.credit_balance + b.reserved), 0) END) AS overdue FROM (
      SELECT min(d.due_on) AS due_on, max(d.unpaid) AS overdue FROM (
        SELECT s.month, s.closing_balance, (s.ends_at AT TIME ZONE c.timezone)::date + coalesce(y.payment_days, 14) AS due_on,
          -s.closing_balance - ${addedSince('s')}
            - coalesce(sum(s.payments + s.refunds + greatest(s.corrections, 0) + greatest(s.transfers, 0)) OVER later, 0) AS unpaid
        FROM (SELECT x.*, max(x.ends_at) OVER () AS last_end FROM statement x
          WHERE x.billing_account_id = b.id ORDER BY x.month DESC LIMIT ${MOST_MONTHS}) s
        WINDOW later AS (ORDER BY s.month DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
      ) d WHERE d.closing_balance < 0 AND d.unpaid > 0 AND d.month < coalesce(f.since, 'infinity')
        AND d.due_on < (${now.toISOString()}::timestamptz AT TIME ZONE c.timezone)::date
      UNION ALL
      SELECT min(v.due_date), sum(v.payable - v.paid - v.credited) FROM invoice_row v
      WHERE f.since IS NOT NULL AND v.billing_account_id = b.id AND v.kind = 'invoice' AND v.state = 'issued'
        AND v.payable > v.paid + v.credited AND v.due_date < (${now.toISOString()}::timestamptz AT TIME ZONE c.timezone)::date
    ) x) o
    WHERE ${ids ? sql`b.id = ANY (${[...ids]}::bigint[])` : sql`o.overdue > 0`} ORDER BY b.id`.execute(db);
  return rows.map(({ timezone, ...row }) => ({
    ...row,
    due_on: row.overdue > 0 ? row.due_on : null,
    today: dateIn(timezone, now),
  }));
}

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

/** Oldest statements that are looked at. */
const MOST_MONTHS = 24;

/**
 * Returns what accounts should have paid by now: the accounts of `ids`, or all that owe something. The debt at the end of
 * a month is due after the days that the seller's policy gives, 14 without one. Money that arrived after the month pays
 * the oldest debt first.
 */
export async function overdueOf(
  { db, clock }: Pick<ListContext, 'db' | 'clock'>,
  ids?: readonly number[],
): Promise<Overdue[]> {
  const now = clock.now();
  const { rows } = await sql<Omit<Overdue, 'today'> & { timezone: string }>`
    SELECT b.id AS billing_account_id, b.corporation_id, c.timezone,
      coalesce(o.overdue, 0)::bigint AS overdue, o.due_on::text AS due_on
    FROM billing_account b JOIN corporation c ON c.id = b.corporation_id
    LEFT JOIN LATERAL (SELECT payment_days FROM policy_of_account(b.id)) y ON true
    LEFT JOIN LATERAL (
      SELECT min(d.due_on) AS due_on, max(d.unpaid) AS overdue FROM (
        SELECT (s.ends_at AT TIME ZONE s.timezone)::date + coalesce(y.payment_days, 14) AS due_on,
          -s.closing_balance - coalesce((SELECT sum(t.amount) FROM credit_change t
            WHERE t.billing_account_id = b.id AND t.created_at >= s.ends_at AND t.amount > 0
              AND t.kind IN ('payment', 'refund', 'correction', 'transfer')), 0) AS unpaid
        FROM (SELECT * FROM statement x WHERE x.billing_account_id = b.id ORDER BY x.month DESC LIMIT ${MOST_MONTHS}) s
        WHERE s.closing_balance < 0
      ) d WHERE d.unpaid > 0 AND d.due_on < (${now.toISOString()}::timestamptz AT TIME ZONE c.timezone)::date
    ) o ON true
    WHERE ${ids ? sql`b.id = ANY (${[...ids]}::bigint[])` : sql`o.overdue > 0`} ORDER BY b.id`.execute(db);
  return rows.map(({ timezone, ...row }) => ({ ...row, today: dateIn(timezone, now) }));
}

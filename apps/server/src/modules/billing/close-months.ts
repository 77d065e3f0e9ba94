import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '#platform/database/db';
import { defineJob } from '#platform/jobs/jobs';
import type { WorkerContext } from '#platform/jobs/worker-context';
import { commit } from './ledger.ts';
import { giveDiscount } from './month-discount.ts';
import { rowsOf } from './sql.ts';

/**
 * Job that closes the months that are over. It gives their volume discounts, bills the part of the commitment that
 * charges did not reach, and makes the statements.
 */
export const closeMonthsJob = defineJob('close-months', z.object({}), { heartbeatSeconds: 60, statementSeconds: 900 });

/** Time after a month's end. Transactions that began before midnight have committed by then. */
const SETTLED_AFTER = '10 minutes';
/** Months to look back, in case no worker has run. */
const MOST_MONTHS = 13;
const AT_ONCE = 200;

// A month starts and ends at midnight of the corporation's time zone, even if the clocks change in between.
const OPEN_MONTHS = `
SELECT b.id AS billing_account_id, b.corporation_id, c.timezone, c.currency, m.month::text AS month, m.starts_at, m.ends_at,
  CASE WHEN b.enabled AND b.monthly_plan AND b.commitment_from <= m.month THEN b.monthly_commitment ELSE 0 END AS commitment
FROM billing_account b JOIN corporation c ON c.id = b.corporation_id
CROSS JOIN LATERAL (
  SELECT month::date AS month, month::timestamp AT TIME ZONE c.timezone AS starts_at,
    (month + interval '1 month')::timestamp AT TIME ZONE c.timezone AS ends_at
  FROM generate_series(
    greatest(date_trunc('month', b.created_at AT TIME ZONE c.timezone),
      date_trunc('month', $1::timestamptz AT TIME ZONE c.timezone) - interval '${MOST_MONTHS} months'),
    $1::timestamptz AT TIME ZONE c.timezone, interval '1 month') AS month
) m
WHERE m.ends_at + interval '${SETTLED_AFTER}' <= $1::timestamptz
  AND NOT EXISTS (SELECT FROM statement s WHERE s.billing_account_id = b.id AND s.month = m.month)
ORDER BY m.month, b.id LIMIT ${AT_ONCE}`;

interface Month {
  billing_account_id: number;
  corporation_id: number;
  timezone: string;
  currency: string;
  /** First day of the month. */
  month: string;
  starts_at: string;
  ends_at: string;
  commitment: number;
}

/**
 * Sums of an account's transfers in a period. Reservations and releases are not included, because they move no money in
 * or out.
 */
const SUMS = `
SELECT coalesce(sum(amount) FILTER (WHERE kind = 'payment'), 0)::bigint AS payments,
  coalesce(sum(amount) FILTER (WHERE kind = 'charge'), 0)::bigint AS charges,
  coalesce(sum(amount) FILTER (WHERE kind = 'refund'), 0)::bigint AS refunds,
  coalesce(sum(amount) FILTER (WHERE kind = 'commitment'), 0)::bigint AS commitment,
  coalesce(sum(amount) FILTER (WHERE kind = 'correction'), 0)::bigint AS corrections,
  coalesce(sum(amount) FILTER (WHERE kind = 'transfer'), 0)::bigint AS transfers,
  coalesce(sum(amount) FILTER (WHERE kind = 'discount'), 0)::bigint AS discounts
FROM ledger_transfer WHERE billing_account_id = $1 AND created_at >= $2 AND created_at < $3`;

const MOVED = ['payments', 'charges', 'refunds', 'commitment', 'corrections', 'transfers', 'discounts'] as const;

/** Opening balance: from the previous statement, or else the sum of all earlier transfers. */
const OPENING = `
SELECT coalesce((SELECT closing_balance FROM statement WHERE billing_account_id = $1 AND ends_at = $2),
  (SELECT sum(amount) FROM ledger_transfer WHERE billing_account_id = $1 AND created_at < $2
    AND kind NOT IN ('reservation', 'release')), 0)::bigint AS opening`;

const INSERT = `
INSERT INTO statement (corporation_id, billing_account_id, month, timezone, currency, starts_at, ends_at, opening_balance,
  payments, charges, refunds, commitment, corrections, transfers, discounts, closing_balance)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15,
  $8::bigint + $9 + $10 + $11 + $12 + $13 + $14 + $15)
ON CONFLICT (billing_account_id, month) DO NOTHING`;

/**
 * Closes every month that is over and has no statement yet. Returns their number. Any number of workers may do this at
 * the same time.
 */
export async function closeMonths({ database, clock }: Pick<WorkerContext, 'database' | 'clock'>): Promise<number> {
  let closed = 0;
  for (;;) {
    const months = await rowsOf<Month>(database, OPEN_MONTHS, [clock.now().toISOString()]);
    for (const month of months) await database.transaction().execute((db) => closeMonth(db, month));
    closed += months.length;
    if (months.length < AT_ONCE) return closed;
  }
}

async function closeMonth(db: Kysely<Database>, month: Month): Promise<void> {
  const { billing_account_id, corporation_id, starts_at, ends_at } = month;
  const sums = async () =>
    (await rowsOf<Record<(typeof MOVED)[number], number>>(db, SUMS, [billing_account_id, starts_at, ends_at]))[0]!;
  // A month that is closed again changes the balance with which this one begins.
  await rowsOf(db, 'SELECT FROM billing_account WHERE id = $1 FOR NO KEY UPDATE', [billing_account_id]);
  const before = await sums();
  // Last moment of the month: what is posted here belongs to the month it was made for.
  const created_at = new Date(Date.parse(ends_at) - 1).toISOString();
  const discounted = await giveDiscount(db, { ...month, created_at }, -(before.charges + before.refunds));
  // Charges count towards the commitment, less their refunds and the discount.
  const missing = month.commitment + before.charges + before.refunds + discounted;
  if (missing > 0) {
    await commit(db, {
      key: `commitment:${billing_account_id}:${month.month}`,
      billing_account_id,
      corporation_id,
      amount: missing,
      note: month.month.slice(0, 7),
      created_at,
    });
  }
  const total = await sums();
  const [{ opening } = { opening: 0 }] = await rowsOf<{ opening: number }>(db, OPENING, [
    billing_account_id,
    starts_at,
  ]);
  await rowsOf(db, INSERT, [
    corporation_id,
    billing_account_id,
    month.month,
    month.timezone,
    month.currency,
    starts_at,
    ends_at,
    opening,
    total.payments,
    total.charges,
    total.refunds,
    total.commitment,
    total.corrections,
    total.transfers,
    total.discounts,
  ]);
}

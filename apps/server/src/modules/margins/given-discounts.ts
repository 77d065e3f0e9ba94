import { type RawBuilder, sql } from 'kysely';
import { convertMillionths, readExchangeRates } from '#modules/exchange-rates';
import type { ListContext } from '#platform/tasks/exported-list';

const THOUSANDTH = 1_000;

/** Period and corporation of a report. */
interface Wanted {
  from: string;
  to: string;
  corporation_id?: number | undefined;
}

/** Discount that the platform gave to a corporation on the last day of a month, in millionths of the platform's currency. */
export interface GivenDiscount {
  corporation_id: number;
  /** The corporation itself, if it is a reseller; the discount is on the messages of its customers too. */
  reseller_id: number | null;
  day: string;
  amount: number;
}

/** Last day of a month of `month_discount`. The entry of the ledger is dated on it, in the time zone of the account. */
const LAST_DAY = sql`(m.month + interval '1 month' - interval '1 day')::date`;

/** Condition for the discounts whose month ends in a period. A discount is never divided. */
const within = ({ from, to, corporation_id }: Wanted): RawBuilder<unknown> => sql`
  m.month BETWEEN date_trunc('month', ${from}::date) AND ${to}::date AND ${LAST_DAY} BETWEEN ${from}::date AND ${to}::date
  ${corporation_id === undefined ? sql`` : sql`AND m.corporation_id = ${corporation_id}`}`;

/**
 * Reads the discounts that the platform gave for months that end in a period, and counts those without an exchange rate,
 * which are left out.
 */
export async function givenDiscounts(
  { db }: ListContext,
  currency: string,
  wanted: Wanted,
): Promise<{ given: GivenDiscount[]; unknown: number }> {
  const { rows } = await sql<GivenDiscount & { currency: string }>`
    SELECT m.corporation_id, CASE WHEN c.is_reseller THEN c.id END AS reseller_id, c.currency, ${LAST_DAY}::text AS day,
      sum(m.amount)::bigint AS amount
    FROM month_discount m JOIN volume_discount v ON v.id = m.volume_discount_id JOIN corporation c ON c.id = m.corporation_id
    WHERE v.corporation_id IS NULL AND c.id > 0 AND ${within(wanted)} GROUP BY c.id, m.corporation_id, m.month`.execute(
    db,
  );
  const rates = rows.some((row) => row.currency !== currency) ? await readExchangeRates(db) : null;
  const converted = ({ currency: paid, amount, day }: (typeof rows)[number]): number | null => {
    if (paid === currency) return amount * THOUSANDTH;
    const rate = rates?.rateOn(paid, currency, day);
    return rate ? convertMillionths(amount * THOUSANDTH, rate) : null;
  };
  const given = rows.flatMap((row): GivenDiscount[] => {
    const { corporation_id, reseller_id, day } = row;
    const amount = converted(row);
    return amount === null ? [] : [{ corporation_id, reseller_id, day, amount }];
  });
  return { given, unknown: rows.length - given.length };
}

/** Builds the discounts that resellers gave to some customers, or to all. */
export const resoldDiscounts = (wanted: Wanted, customers: readonly number[] | null): RawBuilder<unknown> => sql`
  SELECT m.corporation_id, v.corporation_id AS reseller_id, ${LAST_DAY} AS day, m.amount
  FROM month_discount m JOIN volume_discount v ON v.id = m.volume_discount_id
  WHERE v.corporation_id IS NOT NULL AND ${within(wanted)}
    ${customers === null ? sql`` : sql`AND m.corporation_id = ANY (${customers}::bigint[])`}`;

/** Reads the discounts on the accounts of these customers' resellers, by currency. They lower the cost of all their messages. */
export async function ownDiscounts(
  { db }: ListContext,
  wanted: Wanted,
  customers: readonly number[] | null,
): Promise<{ amount: number; currency: string }[]> {
  const { rows } = await sql<{ amount: number; currency: string }>`
    SELECT r.currency, sum(m.amount)::bigint AS amount FROM month_discount m JOIN corporation r ON r.id = m.corporation_id
    WHERE r.is_reseller AND ${within(wanted)}
      ${customers === null ? sql`` : sql`AND r.id IN (SELECT reseller_id FROM corporation WHERE id = ANY (${customers}::bigint[]))`}
    GROUP BY r.currency ORDER BY r.currency`.execute(db);
  return rows;
}

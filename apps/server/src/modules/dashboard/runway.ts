import { LOW_DAYS, MOST_LOW, type runway } from '@heliograph/contract/dashboard/runway';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import { corporationsOf } from '#platform/access/scope-clause';
import type { Context } from '#platform/context';

type Reply = ReplyOf<typeof runway>;

/** Days over which the pace of an account is measured. */
const PACE_DAYS = 30;
/** Thousandths to which an average is rounded up: nobody pays a tenth of a centavo. */
const CENT = 10;

interface Row {
  id: number;
  name: string;
  corporation_id: number;
  corporation_name: string;
  currency: string;
  credit_balance: number;
  credit_limit: number;
  low_balance_limit: number | null;
  charged: number;
  days: number;
}

/** Reads the accounts in use that the caller sees, each with its charges and the days since the first of them. */
async function accountsOf(ctx: Context): Promise<Row[]> {
  const corporations = corporationsOf(ctx.caller);
  const { rows } = await sql<Row>`
    WITH own AS MATERIALIZED (
      SELECT a.id, a.name, a.corporation_id, c.name AS corporation_name, c.currency, c.timezone, a.credit_balance,
        a.credit_limit, a.low_balance_limit
      FROM billing_account a JOIN corporation c ON c.id = a.corporation_id
      WHERE a.enabled AND NOT a.suspended AND c.enabled
        AND ${corporations === null ? sql`true` : sql`a.corporation_id = ANY (${corporations}::bigint[])`}
    ), paid AS (
      SELECT x.billing_account_id, -sum(x.amount)::bigint AS charged,
        min((x.created_at AT TIME ZONE o.timezone)::date) AS first_on
      FROM credit_change x JOIN own o ON o.id = x.billing_account_id
      WHERE x.kind = 'charge' AND x.created_at >= ${ctx.clock.now().toISOString()}::timestamptz - interval '31 days'
        AND (x.created_at AT TIME ZONE o.timezone)::date
          > (${ctx.clock.now().toISOString()}::timestamptz AT TIME ZONE o.timezone)::date - ${PACE_DAYS}::int
      GROUP BY 1
    )
    SELECT o.id, o.name, o.corporation_id, o.corporation_name, o.currency, o.credit_balance, o.credit_limit,
      o.low_balance_limit, coalesce(p.charged, 0)::bigint AS charged,
      coalesce((${ctx.clock.now().toISOString()}::timestamptz AT TIME ZONE o.timezone)::date - p.first_on + 1, 0)::int AS days
    FROM own o LEFT JOIN paid p ON p.billing_account_id = o.id ORDER BY o.corporation_name, o.name`.execute(ctx.db);
  return rows;
}

/** Shows how long the caller's own credit lasts, and whose of the customers is low. */
export async function showRunway(ctx: Context): Promise<Reply> {
  const accounts = (await accountsOf(ctx)).map((row) => {
    const perDay = row.charged > 0 ? Math.ceil(row.charged / row.days) : null;
    const left = row.credit_balance + row.credit_limit;
    return { ...row, perDay, daysLeft: perDay === null ? null : Math.max(0, Math.floor(left / perDay)), left };
  });
  const isOwn = ({ corporation_id }: { corporation_id: number }) => corporation_id === ctx.caller.corporation_id;
  const low = accounts.filter(
    (account) =>
      !isOwn(account) &&
      ((account.low_balance_limit !== null && account.left < account.low_balance_limit) ||
        (account.daysLeft !== null && account.daysLeft < LOW_DAYS)),
  );
  low.sort((a, b) => (a.daysLeft ?? LOW_DAYS) - (b.daysLeft ?? LOW_DAYS) || a.left - b.left);
  const onWire = (account: (typeof accounts)[number]): Reply['own'][number] => ({
    id: account.id,
    name: account.name,
    corporation_id: account.corporation_id,
    corporation_name: account.corporation_name,
    currency: account.currency,
    credit_balance: fromThousandths(account.credit_balance),
    low_balance_limit: account.low_balance_limit === null ? null : fromThousandths(account.low_balance_limit),
    per_day: account.perDay === null ? null : fromThousandths(Math.ceil(account.perDay / CENT) * CENT),
    days_left: account.daysLeft,
  });
  return {
    own: accounts.filter(isOwn).map(onWire),
    low: low.slice(0, MOST_LOW).map(onWire),
    low_count: low.length,
  };
}

import { type accountPace, type accountStatement, PACE_DAYS } from '@heliograph/contract/billing/account-statement';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { dateIn, momentsOf } from '#platform/records/period';

type Line = ReplyOf<typeof accountStatement>['data'][number];
type Amounts = Record<'amount' | 'reserved' | 'charged' | 'released', number>;
type Head = Omit<Line, keyof Amounts | 'balance_after'> & Amounts & { credit_balance: number };

const DAY_MS = 86_400_000;
/** Thousandths of the currency that an average is rounded up to. */
const CENT = 10;
/** Kinds of entries that a line folds. */
const FOLDED = sql`('reservation', 'charge', 'release')`;
/** Latest id that is older than none. */
const NEWEST = Number.MAX_SAFE_INTEGER;

/** Reads a cursor: the id of the last line shown, and the balance before it. Throws `malformed_request`. */
function readCursor(cursor: string | undefined): { before: number; balance: number | null } {
  if (cursor === undefined) return { before: NEWEST, balance: null };
  const [, id, balance] = /^(\d{1,15})_(-?\d{1,15})$/.exec(cursor) ?? [];
  if (id === undefined) throw new BusinessError('malformed_request');
  return { before: Number(id), balance: Number(balance) };
}

/**
 * Finds the first entry of each line below an id, newest first, with the sums of the line. Indexes find whether an
 * entry is the first of its campaign or quarter of an hour, so a page costs the same at any depth.
 */
async function headsOf({ db }: Context, accountId: number, before: number, limit: number): Promise<Head[]> {
  const { rows } = await sql<Head>`
    WITH head AS (
      SELECT h.* FROM credit_change h WHERE h.billing_account_id = ${accountId} AND h.id < ${before}
        AND (h.kind NOT IN ${FOLDED} OR (h.campaign_id IS NULL AND h.hour IS NULL)
          OR (h.campaign_id IS NOT NULL AND NOT EXISTS (SELECT FROM credit_change e
            WHERE e.billing_account_id = h.billing_account_id AND e.campaign_id = h.campaign_id AND e.id < h.id
              AND e.kind IN ${FOLDED}))
          OR (h.campaign_id IS NULL AND h.hour IS NOT NULL AND NOT EXISTS (SELECT FROM credit_change e
            WHERE e.billing_account_id = h.billing_account_id AND e.campaign_id IS NULL AND e.hour = h.hour
              AND e.id < h.id AND e.kind IN ${FOLDED})))
      ORDER BY h.id DESC LIMIT ${limit}
    )
    SELECT h.id, h.created_at, coalesce(s.last_at, h.last_at) AS last_at,
      CASE WHEN h.kind NOT IN ${FOLDED} THEN h.kind WHEN h.campaign_id IS NULL THEN 'messages' ELSE 'campaign' END AS kind,
      h.campaign_id, m.name AS campaign_name, u.name AS user_name, h.note, c.currency, a.credit_balance,
      CASE WHEN s.reserved IS NULL THEN h.amount ELSE s.released - s.reserved END AS amount,
      coalesce(s.reserved, 0) AS reserved, coalesce(s.charged, 0) AS charged, coalesce(s.released, 0) AS released
    FROM head h JOIN billing_account a ON a.id = h.billing_account_id JOIN corporation c ON c.id = a.corporation_id
      LEFT JOIN campaign m ON m.id = h.campaign_id LEFT JOIN user_account u ON u.id = h.user_id
      LEFT JOIN LATERAL (
        SELECT max(e.last_at) AS last_at, coalesce(-sum(e.amount) FILTER (WHERE e.kind = 'reservation'), 0)::bigint AS reserved,
          coalesce(-sum(e.amount) FILTER (WHERE e.kind = 'charge'), 0)::bigint AS charged,
          coalesce(sum(e.amount) FILTER (WHERE e.kind = 'release'), 0)::bigint AS released
        FROM (
          SELECT e.* FROM credit_change e WHERE h.campaign_id IS NOT NULL
            AND e.billing_account_id = h.billing_account_id AND e.campaign_id = h.campaign_id
          UNION ALL SELECT e.* FROM credit_change e WHERE h.campaign_id IS NULL AND h.hour IS NOT NULL
            AND e.billing_account_id = h.billing_account_id AND e.campaign_id IS NULL AND e.hour = h.hour
          UNION ALL SELECT e.* FROM credit_change e WHERE h.campaign_id IS NULL AND h.hour IS NULL AND e.id = h.id
        ) e WHERE e.kind IN ${FOLDED}
      ) s ON h.kind IN ${FOLDED}
    ORDER BY h.id DESC`.execute(db);
  return rows;
}

/** Throws `not_found` unless the caller sees the account; returns its money and the time zone of its corporation. */
async function accountOf({ db }: Context, id: number) {
  const account = await db
    .selectFrom('billing_account as a')
    .innerJoin('corporation as c', 'c.id', 'a.corporation_id')
    .select(['a.credit_balance', 'a.credit_limit', 'c.currency', 'c.timezone'])
    .where('a.id', '=', id)
    .executeTakeFirst();
  if (!account) throw new BusinessError('not_found');
  return account;
}

/** Lists the lines of an account's statement. Each balance follows from the line before, also from page to page. */
export const listStatementLines: Handler<typeof accountStatement> = async (ctx, { params, query }) => {
  await accountOf(ctx, params.id);
  const { before, balance: known } = readCursor(query.cursor);
  const heads = await headsOf(ctx, params.id, before, query.limit + 1);
  const page = heads.slice(0, query.limit);
  const has_more = heads.length > page.length;
  let balance = known ?? page[0]?.credit_balance ?? 0;
  const data = page.map(({ credit_balance: _, amount, reserved, charged, released, ...line }) => {
    const balance_after = fromThousandths(balance);
    balance -= amount;
    const sums = { reserved: fromThousandths(reserved), charged: fromThousandths(charged) };
    return { ...line, ...sums, released: fromThousandths(released), amount: fromThousandths(amount), balance_after };
  });
  return { data, next_cursor: has_more ? `${page.at(-1)!.id}_${balance}` : null, has_more };
};

/** Shows the charges of the last days, and how long the credit lasts at their pace. */
export const showPace: Handler<typeof accountPace> = async (ctx, { params }) => {
  const { credit_balance, credit_limit, currency, timezone } = await accountOf(ctx, params.id);
  const today = dateIn(timezone, ctx.clock.now());
  const noon = Date.parse(`${today}T12:00:00Z`);
  const dates = Array.from({ length: PACE_DAYS }, (_, i) =>
    new Date(noon - (PACE_DAYS - 1 - i) * DAY_MS).toISOString().slice(0, 10),
  );
  const { start, end } = momentsOf({ from: dates[0]!, to: today }, timezone);
  const { rows } = await sql<{ date: string; charged: number }>`
    SELECT (created_at AT TIME ZONE ${timezone})::date::text AS date, (-sum(amount))::bigint AS charged
    FROM credit_change WHERE billing_account_id = ${params.id} AND kind = 'charge'
      AND created_at >= ${start} AND created_at < ${end} GROUP BY 1`.execute(ctx.db);
  const charges = new Map(rows.map(({ date, charged }) => [date, charged]));
  const first = dates.findIndex((date) => (charges.get(date) ?? 0) > 0);
  const total = [...charges.values()].reduce((sum, charged) => sum + charged, 0);
  const per_day = first < 0 ? null : Math.ceil(total / (PACE_DAYS - first));
  const available = Math.max(0, credit_balance + credit_limit);
  return {
    currency,
    available: fromThousandths(available),
    days: dates.map((date) => ({ date, charged: fromThousandths(charges.get(date) ?? 0) })),
    per_day: per_day === null ? null : fromThousandths(Math.ceil(per_day / CENT) * CENT),
    days_left: per_day === null ? null : Math.floor(available / per_day),
  };
};

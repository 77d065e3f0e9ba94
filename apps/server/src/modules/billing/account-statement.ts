import {
  type accountPace,
  type accountStatement,
  type accountStatementTotals,
  PACE_DAYS,
} from '@heliograph/contract/billing/account-statement';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { type RawBuilder, sql } from 'kysely';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { homeOf } from '#platform/person/home';
import { checkPeriod, dateIn, momentsOf, type Period } from '#platform/records/period';
import type { ListContext } from '#platform/tasks/exported-list';

export type StatementLine = ReplyOf<typeof accountStatement>['data'][number];
type Amounts = Record<'amount' | 'reserved' | 'charged' | 'released', number>;
type Head = Omit<StatementLine, keyof Amounts | 'balance_after'> & Amounts;

const DAY_MS = 86_400_000;
/** Thousandths of the currency that an average is rounded up to. */
const CENT = 10;
/** Kinds of entries that a line folds. */
const FOLDED = sql`('reservation', 'charge', 'release')`;
/** Part of the day before midnight and after it that a day of 25 hours can reach into. */
const DAY_MARGIN = sql`interval '2 hours'`;
/** Latest id that is older than none. */
const NEWEST = Number.MAX_SAFE_INTEGER;

/** Ids between which entries lie, both excluded. */
interface Bounds {
  after: number;
  before: number;
}

/** Account, and the time zone of the days of its lines. */
interface Place {
  id: number;
  zone: string;
}

/** Reads a cursor: the id of the last line shown, and the balance before it. Throws `malformed_request`. */
function readCursor(cursor: string | undefined): { before: number; balance: number | null } {
  if (cursor === undefined) return { before: NEWEST, balance: null };
  const [, id, balance] = /^(\d{1,15})_(-?\d{1,15})$/.exec(cursor) ?? [];
  if (id === undefined) throw new BusinessError('malformed_request');
  return { before: Number(id), balance: Number(balance) };
}

/**
 * Entries `e` of the messages outside campaigns on the day that contains the quarter of an hour `of`, in a time zone.
 * The range is for the index; the dates decide, because a day may have 23 to 25 hours.
 */
const sameDay = (of: RawBuilder<unknown>, zone: string) => sql`e.campaign_id IS NULL
  AND e.hour >= date_trunc('day', ${of}, ${zone}) - ${DAY_MARGIN} AND e.hour < date_trunc('day', ${of}, ${zone}) + interval '1 day' + ${DAY_MARGIN}
  AND (e.hour AT TIME ZONE ${zone})::date = (${of} AT TIME ZONE ${zone})::date`;

/**
 * Finds the first entry of each line between two ids, newest first, with the sums of the line. Indexes find whether an
 * entry is the first of its campaign or day, so a page costs the same at any depth.
 */
async function headsOf(
  { db }: Pick<ListContext, 'db'>,
  { id: accountId, zone }: Place,
  within: Bounds,
  limit: number,
): Promise<Head[]> {
  const inDay = sameDay(sql`h.hour`, zone);
  const { rows } = await sql<Head>`
    WITH head AS (
      SELECT h.* FROM credit_change h WHERE h.billing_account_id = ${accountId} AND h.id < ${within.before} AND h.id > ${within.after}
        AND (h.kind NOT IN ${FOLDED} OR (h.campaign_id IS NULL AND h.hour IS NULL)
          OR (h.campaign_id IS NOT NULL AND NOT EXISTS (SELECT FROM credit_change e
            WHERE e.billing_account_id = h.billing_account_id AND e.campaign_id = h.campaign_id AND e.id < h.id
              AND e.kind IN ${FOLDED}))
          OR (h.campaign_id IS NULL AND h.hour IS NOT NULL AND NOT EXISTS (SELECT FROM credit_change e
            WHERE e.billing_account_id = h.billing_account_id AND ${inDay} AND e.id < h.id AND e.kind IN ${FOLDED})))
      ORDER BY h.id DESC LIMIT ${limit}
    )
    SELECT h.id, h.created_at, coalesce(s.last_at, h.last_at) AS last_at,
      CASE WHEN h.kind NOT IN ${FOLDED} THEN h.kind WHEN h.campaign_id IS NULL THEN 'messages' ELSE 'campaign' END AS kind,
      h.campaign_id, m.name AS campaign_name, u.name AS user_name, h.note, c.currency,
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
            AND e.billing_account_id = h.billing_account_id AND ${inDay}
          UNION ALL SELECT e.* FROM credit_change e WHERE h.campaign_id IS NULL AND h.hour IS NULL AND e.id = h.id
        ) e WHERE e.kind IN ${FOLDED}
      ) s ON h.kind IN ${FOLDED}
    ORDER BY h.id DESC`.execute(db);
  return rows;
}

/** Throws `not_found` unless the caller sees the account; returns its money and the time zone of its corporation. */
export async function accountOf({ db }: Pick<ListContext, 'db'>, id: number) {
  const account = await db
    .selectFrom('billing_account as a')
    .innerJoin('corporation as c', 'c.id', 'a.corporation_id')
    .select([
      'a.name',
      'a.key',
      'a.credit_balance',
      'a.credit_limit',
      'c.name as corporation_name',
      'c.currency',
      'c.timezone',
    ])
    .where('a.id', '=', id)
    .executeTakeFirst();
  if (!account) throw new BusinessError('not_found');
  return account;
}

/** Returns the ids of a period's entries. Entries get their ids in the order of time. */
async function boundsOf(ctx: ListContext, accountId: number, { from, to }: Partial<Period>): Promise<Bounds> {
  if (!from && !to) return { after: 0, before: NEWEST };
  if (!from || !to) throw fieldError(from ? 'to' : 'from', 'required');
  const { timezone } = await homeOf(ctx);
  checkPeriod({ from, to }, dateIn(timezone, ctx.clock.now()));
  const { start, end } = momentsOf({ from, to }, timezone);
  const lastBefore = async (moment: string) => {
    const { rows } = await sql<{ id: number }>`SELECT id FROM credit_change
      WHERE billing_account_id = ${accountId} AND created_at < ${moment} ORDER BY id DESC LIMIT 1`.execute(ctx.db);
    return rows[0]?.id ?? 0;
  };
  return { after: await lastBefore(start), before: (await lastBefore(end)) + 1 };
}

/**
 * Returns the balance after the lines that begin before an id. Lines that begin there count with all their later
 * entries, so those of the same campaign or day are not taken back.
 */
async function balanceBefore(
  { db }: Pick<ListContext, 'db'>,
  { id: accountId, zone }: Place,
  id: number,
  present: number,
): Promise<number> {
  if (id === NEWEST) return present;
  const { rows } = await sql<{ later: number }>`
    WITH entry AS (
      SELECT campaign_id, hour, kind IN ${FOLDED} AS folded, CASE WHEN kind = 'charge' THEN 0 ELSE amount END AS effect
      FROM credit_change WHERE billing_account_id = ${accountId} AND id >= ${id}
    ), line AS (
      SELECT campaign_id, min(hour) AS hour, folded, sum(effect) AS effect FROM entry
      GROUP BY campaign_id, folded, (hour AT TIME ZONE ${zone})::date
    )
    SELECT coalesce(sum(l.effect), 0)::bigint AS later FROM line l WHERE NOT l.folded
      OR (l.campaign_id IS NULL AND l.hour IS NULL)
      OR NOT EXISTS (SELECT FROM credit_change e WHERE e.billing_account_id = ${accountId} AND e.id < ${id}
        AND e.kind IN ${FOLDED} AND l.campaign_id IS NOT NULL AND e.campaign_id = l.campaign_id)
        AND NOT EXISTS (SELECT FROM credit_change e WHERE e.billing_account_id = ${accountId} AND e.id < ${id}
          AND e.kind IN ${FOLDED} AND l.campaign_id IS NULL AND ${sameDay(sql`l.hour`, zone)})`.execute(db);
  return present - rows[0]!.later;
}

/**
 * Reads a page of the lines of an account's statement. Each balance follows from the line before, also from page to
 * page. `first` is the balance after the newest line of the page, and `last` that before the oldest.
 */
export async function statementPage(ctx: ListContext, id: number, query: QueryOf<typeof accountStatement>) {
  const { credit_balance: present } = await accountOf(ctx, id);
  const cursor = readCursor(query.cursor);
  const bounds = await boundsOf(ctx, id, { from: query.from!, to: query.to! });
  const within = { ...bounds, before: Math.min(bounds.before, cursor.before) };
  const place = { id, zone: (await homeOf(ctx)).timezone };
  const heads = await headsOf(ctx, place, within, query.limit + 1);
  const page = heads.slice(0, query.limit);
  const has_more = heads.length > page.length;
  const first = cursor.balance ?? (await balanceBefore(ctx, place, bounds.before, present));
  let balance = first;
  const data = page.map(({ amount, reserved, charged, released, ...line }) => {
    const balance_after = fromThousandths(balance);
    balance -= amount;
    const sums = { reserved: fromThousandths(reserved), charged: fromThousandths(charged) };
    return { ...line, ...sums, released: fromThousandths(released), amount: fromThousandths(amount), balance_after };
  });
  return { data, next_cursor: has_more ? `${page.at(-1)!.id}_${balance}` : null, has_more, first, last: balance };
}

/** Lists the lines of an account's statement, newest first. */
export const listStatementLines: Handler<typeof accountStatement> = async (ctx, { params, query }) => {
  const { first: _, last: __, ...page } = await statementPage(ctx, params.id, query);
  return page;
};

/** Shows the balances before and after the lines of a period, and what they added and spent. */
export const showStatementTotals: Handler<typeof accountStatementTotals> = async (ctx, { params, query }) => {
  const { credit_balance: present, currency } = await accountOf(ctx, params.id);
  const { after, before } = await boundsOf(ctx, params.id, query);
  const place = { id: params.id, zone: (await homeOf(ctx)).timezone };
  const opening = await balanceBefore(ctx, place, after + 1, present);
  const closing = await balanceBefore(ctx, place, before, present);
  const { rows } = await sql<{ added: number }>`SELECT coalesce(sum(amount), 0)::bigint AS added FROM credit_change
    WHERE billing_account_id = ${params.id} AND id > ${after} AND id < ${before} AND amount > 0
      AND kind NOT IN ${FOLDED}`.execute(ctx.db);
  const { added } = rows[0]!;
  return {
    data: {
      currency,
      opening: fromThousandths(opening),
      added: fromThousandths(added),
      spent: fromThousandths(opening + added - closing),
      closing: fromThousandths(closing),
    },
  };
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

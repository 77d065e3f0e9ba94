import {
  type creditChanges,
  exportCreditChanges,
  type totalOutstandingNotify,
} from '@heliograph/contract/billing/credit-change';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { QueryOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { homeOf } from '#platform/person/home';
import { checkPeriod, dateIn, momentsOf } from '#platform/records/period';
import { amountCell, momentCell } from '#platform/table/cells';
import type { ExportedList, ListContext } from '#platform/tasks/exported-list';
import { translate } from '#platform/text/i18n';

type Change = Awaited<ReturnType<Handler<typeof creditChanges>>>['data'][number];
type Filters = Omit<QueryOf<typeof creditChanges>, 'limit' | 'cursor'>;

/** Changes of the credit and of the reserve by a transfer, as expressions of `kind` and `amount`. */
const CREDIT = sql`CASE WHEN kind = 'charge' THEN 0 ELSE amount END`;
const RESERVED = sql`CASE WHEN kind = 'charge' THEN amount WHEN kind IN ('reservation', 'release') THEN -amount ELSE 0 END`;

/** Time of a line: the quarter of an hour that it sums up, or the time of its only transfer. */
const TIME = sql<string>`coalesce(t.hour, t.created_at)`;

/**
 * Returns lines of the selection, the newest first. The balance after each is calculated back from the present balance,
 * over all lines of the account. So each line follows from the one before.
 */
async function select(ctx: ListContext, filters: Filters, before: number | null, limit: number): Promise<Change[]> {
  const period = await periodOf(ctx, filters);
  const page = ctx.db
    .selectFrom('credit_change as t')
    .innerJoin('billing_account as a', 'a.id', 't.billing_account_id')
    .innerJoin('corporation as c', 'c.id', 'a.corporation_id')
    .leftJoin('campaign as m', 'm.id', 't.campaign_id')
    .leftJoin('user_account as u', 'u.id', 't.user_id')
    .select(['t.id', 't.created_at', 't.last_at', 't.transfers', 't.first_transfer_id', 't.last_transfer_id'])
    .select(['t.billing_account_id', 'a.name as billing_account_name', 't.kind', 't.amount'])
    .select(['a.credit_balance', 'a.reserved'])
    .select(['c.currency', 't.campaign_id', 'm.name as campaign_name', 'u.name as user_name', 't.note'])
    .$if(filters.billing_account_id !== undefined, (q) =>
      q.where('t.billing_account_id', '=', filters.billing_account_id!),
    )
    .$if(filters.campaign_id !== undefined, (q) => q.where('t.campaign_id', '=', filters.campaign_id!))
    .$if(filters.kind !== undefined, (q) => q.where('t.kind', '=', filters.kind!))
    .$if(period !== null, (q) => q.where(TIME, '>=', period!.start).where(TIME, '<', period!.end))
    .$if(before !== null, (q) => q.where('t.id', '<', before!))
    .orderBy('t.id', 'desc')
    .limit(limit);
  const { rows } = await sql<Line>`
    WITH page AS (${page}), walked AS (
      SELECT w.id, w.credit, w.held,
        (sum(w.credit) OVER newest_first - w.credit)::bigint AS credit_since,
        (sum(w.held) OVER newest_first - w.held)::bigint AS held_since
      FROM (
        SELECT c.id, c.billing_account_id, ${CREDIT} AS credit, ${RESERVED} AS held
        FROM (SELECT billing_account_id, min(id) AS oldest FROM page GROUP BY 1) s
        JOIN credit_change c ON c.billing_account_id = s.billing_account_id AND c.id >= s.oldest
      ) w WINDOW newest_first AS (PARTITION BY w.billing_account_id ORDER BY w.id DESC)
    )
    SELECT page.*, w.credit AS balance_change, w.held AS reserved_change,
      page.credit_balance - w.credit_since AS balance_after, page.reserved - w.held_since AS reserved_after
    FROM page JOIN walked w ON w.id = page.id ORDER BY page.id DESC`.execute(ctx.db);
  return rows.map(({ credit_balance: _, reserved: __, ...row }) => {
    const amounts = AMOUNTS.map((field) => [field, fromThousandths(row[field])]);
    return { ...row, ...(Object.fromEntries(amounts) as Record<(typeof AMOUNTS)[number], string>) };
  });
}

const AMOUNTS = ['amount', 'balance_change', 'balance_after', 'reserved_change', 'reserved_after'] as const;
type Line = Omit<Change, (typeof AMOUNTS)[number]> &
  Record<(typeof AMOUNTS)[number] | 'credit_balance' | 'reserved', number>;

async function periodOf(ctx: ListContext, { from, to }: Filters) {
  if (from === undefined && to === undefined) return null;
  if (from === undefined || to === undefined) throw fieldError(from === undefined ? 'from' : 'to', 'required');
  const { timezone } = await homeOf(ctx);
  checkPeriod({ from, to }, dateIn(timezone, ctx.clock.now()));
  return momentsOf({ from, to }, timezone);
}

/**
 * Lists movements on the accounts that the caller sees, newest first. The cursor is the last id of the previous page.
 */
export const listCreditChanges: Handler<typeof creditChanges> = (ctx, { query }) => changePage(ctx, query);

async function changePage(ctx: ListContext, { cursor, limit, ...filters }: QueryOf<typeof creditChanges>) {
  const rows = await select(ctx, filters, cursorId(cursor), limit + 1);
  const data = rows.slice(0, limit);
  const has_more = rows.length > data.length;
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
}

/** Returns the id in a cursor, or null without one. Throws `malformed_request`. */
export function cursorId(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  if (!/^\d{1,15}$/.test(cursor)) throw new BusinessError('malformed_request');
  return Number(cursor);
}

const FILE_COLUMNS = [
  'created_at',
  'last_at',
  'billing_account_name',
  'kind',
  'campaign_name',
  'user_name',
  'note',
  'amount',
  'balance_change',
  'balance_after',
  'reserved_change',
  'reserved_after',
  'currency',
] as const;

const AMOUNT_COLUMNS: ReadonlySet<string> = new Set(AMOUNTS);

/** Movements of a period as a file. */
export const creditChangeFile: ExportedList<Filters, Change> = {
  kind: 'credit-changes',
  permission: exportCreditChanges.permission!,
  filters: exportCreditChanges.body.omit({ format: true }),
  page: changePage,
  heading: (_, locale) => FILE_COLUMNS.map((field) => translate(locale, `resources.credit-changes.fields.${field}`)),
  cells: (row, _, locale, zone) =>
    FILE_COLUMNS.map((field) => {
      if (field === 'created_at' || field === 'last_at') return momentCell(row[field], zone);
      if (field === 'kind') return translate(locale, `credit_change_kind.${row.kind}`);
      return AMOUNT_COLUMNS.has(field) ? amountCell(String(row[field])) : row[field];
    }),
};

/**
 * Shows the badge in the top bar: the balance of, or the debt on, the caller's account. Without one it is the first
 * account of their corporation.
 */
export const showTotalOutstanding: Handler<typeof totalOutstandingNotify> = async ({ db, caller }) => {
  const none = { label: '', amount: fromThousandths(0), currency: '', type: 'none' } as const;
  if (caller.corporation_id === null) return none;
  const account = await db
    .selectFrom('billing_account as a')
    .innerJoin('corporation as c', 'c.id', 'a.corporation_id')
    .innerJoin('price_plan as p', 'p.id', 'a.price_plan_id')
    .select(['a.name', 'a.credit_balance', 'c.currency', 'p.type'])
    .where('a.corporation_id', '=', caller.corporation_id)
    .where('a.enabled', '=', true)
    .$if(caller.billing_account_id !== null, (q) => q.where('a.id', '=', caller.billing_account_id!))
    .orderBy('a.id')
    .executeTakeFirst();
  if (!account) return none;
  const postpaid = account.type === 'postpaid_special';
  return {
    label: account.name,
    // The debt is the amount below zero. Subtracting from 0 avoids `-0`.
    amount: fromThousandths(postpaid ? 0 - account.credit_balance : account.credit_balance),
    currency: account.currency,
    type: postpaid ? 'postpaid' : 'prepaid',
  };
};

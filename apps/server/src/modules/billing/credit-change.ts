import type {
  creditChanges,
  creditChangesFile,
  totalOutstandingNotify,
} from '@heliograph/contract/billing/credit-change';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { QueryOf } from '@heliograph/contract/kernel/operation';
import type { Context } from '#platform/context';
import { type AttachedFile, csvFile } from '#platform/csv-file';
import { BusinessError, fieldError } from '#platform/errors';
import { homeOf } from '#platform/home';
import type { Handler } from '#platform/http';
import { translate } from '#platform/i18n';
import { checkPeriod, dateIn, momentsOf } from '#platform/period';

type Change = Awaited<ReturnType<Handler<typeof creditChanges>>>['data'][number];
type Filters = Omit<QueryOf<typeof creditChanges>, 'limit' | 'cursor'>;

/** Most rows of a file; a month of an account has a few thousand. */
const FILE_LIMIT = 200_000;

async function select(ctx: Context, filters: Filters, before: number | null, limit: number): Promise<Change[]> {
  const period = await periodOf(ctx, filters);
  const rows = await ctx.db
    .selectFrom('credit_change as t')
    .innerJoin('billing_account as a', 'a.id', 't.billing_account_id')
    .innerJoin('corporation as c', 'c.id', 'a.corporation_id')
    .leftJoin('campaign as m', 'm.id', 't.campaign_id')
    .leftJoin('user_account as u', 'u.id', 't.user_id')
    .select(['t.id', 't.created_at', 't.last_at', 't.transfers', 't.first_transfer_id', 't.last_transfer_id'])
    .select(['t.billing_account_id', 'a.name as billing_account_name', 't.kind', 't.amount', 't.balance_after'])
    .select(['c.currency', 't.campaign_id', 'm.name as campaign_name', 'u.name as user_name', 't.note'])
    .$if(filters.billing_account_id !== undefined, (q) =>
      q.where('t.billing_account_id', '=', filters.billing_account_id!),
    )
    .$if(filters.campaign_id !== undefined, (q) => q.where('t.campaign_id', '=', filters.campaign_id!))
    .$if(filters.kind !== undefined, (q) => q.where('t.kind', '=', filters.kind!))
    .$if(period !== null, (q) => q.where('t.last_at', '>=', period!.start).where('t.created_at', '<', period!.end))
    .$if(before !== null, (q) => q.where('t.id', '<', before!))
    .orderBy('t.id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    ...row,
    kind: row.kind as Change['kind'],
    amount: fromThousandths(row.amount),
    balance_after: fromThousandths(row.balance_after),
  }));
}

async function periodOf(ctx: Context, { from, to }: Filters) {
  if (from === undefined && to === undefined) return null;
  if (from === undefined || to === undefined) throw fieldError(from === undefined ? 'from' : 'to', 'required');
  const { timezone } = await homeOf(ctx);
  checkPeriod({ from, to }, dateIn(timezone, ctx.clock.now()));
  return momentsOf({ from, to }, timezone);
}

/** Movements on the accounts the caller sees, newest first; the cursor is the last id of the page before. */
export const listCreditChanges: Handler<typeof creditChanges> = async (ctx, { query }) => {
  const { cursor, limit, ...filters } = query;
  const rows = await select(ctx, filters, cursorId(cursor), limit + 1);
  const data = rows.slice(0, limit);
  const has_more = rows.length > data.length;
  return { data, next_cursor: has_more ? String(data.at(-1)!.id) : null, has_more };
};

/** The id that a cursor is; null without one. Throws `malformed_request`. */
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
  'balance_after',
  'currency',
] as const;

/** The movements of a period as a CSV in the caller's language and time zone. */
export async function creditChangeFile(
  ctx: Context,
  { query }: { query: QueryOf<typeof creditChangesFile> },
): Promise<AttachedFile> {
  const { timezone } = await homeOf(ctx);
  const rows = await select(ctx, query, null, FILE_LIMIT);
  const local = (at: string) =>
    Temporal.Instant.from(at).toZonedDateTimeISO(timezone).toPlainDateTime().toString({ smallestUnit: 'second' });
  return csvFile(
    `credit-changes-${query.from}-${query.to}.csv`,
    FILE_COLUMNS.map((field) => translate(ctx.locale, `resources.credit-changes.fields.${field}`)),
    rows.map((row) =>
      FILE_COLUMNS.map((field) => {
        if (field === 'created_at' || field === 'last_at') return local(row[field]);
        return field === 'kind' ? translate(ctx.locale, `credit_change_kind.${row.kind}`) : row[field];
      }),
    ),
  );
}

/** The top bar's badge: what the caller's account, else their corporation's first one, still holds or owes. */
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
    // Owed is what is below zero; `-0` is no amount.
    amount: fromThousandths(postpaid ? 0 - account.credit_balance : account.credit_balance),
    currency: account.currency,
    type: postpaid ? 'postpaid' : 'prepaid',
  };
};

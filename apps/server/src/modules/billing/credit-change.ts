import type { creditChanges, totalOutstandingNotify } from '@heliograph/contract/billing/billing-account';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http';

type Kind = Awaited<ReturnType<Handler<typeof creditChanges>>>['data'][number]['kind'];

/** Movements on the accounts the caller sees, newest first; the cursor is the last id of the page before. */
export const listCreditChanges: Handler<typeof creditChanges> = async ({ db }, { query }) => {
  if (query.cursor !== undefined && !/^\d{1,15}$/.test(query.cursor)) throw new BusinessError('malformed_request');
  const rows = await db
    .selectFrom('ledger_transfer as t')
    .innerJoin('billing_account as a', 'a.id', 't.billing_account_id')
    .innerJoin('corporation as c', 'c.id', 'a.corporation_id')
    .leftJoin('campaign as m', 'm.id', 't.campaign_id')
    .leftJoin('user_account as u', 'u.id', 't.user_id')
    .select(['t.id', 't.created_at', 't.billing_account_id', 'a.name as billing_account_name', 't.kind', 't.amount'])
    .select([
      't.balance_after',
      'c.currency',
      't.campaign_id',
      'm.name as campaign_name',
      'u.name as user_name',
      't.note',
    ])
    .$if(query.billing_account_id !== undefined, (q) => q.where('t.billing_account_id', '=', query.billing_account_id!))
    .$if(query.cursor !== undefined, (q) => q.where('t.id', '<', Number(query.cursor)))
    .orderBy('t.id', 'desc')
    .limit(query.limit + 1)
    .execute();
  const page = rows.slice(0, query.limit);
  const has_more = rows.length > page.length;
  return {
    data: page.map((row) => ({
      ...row,
      kind: row.kind as Kind,
      amount: fromThousandths(row.amount),
      balance_after: fromThousandths(row.balance_after),
    })),
    next_cursor: has_more ? String(page.at(-1)!.id) : null,
    has_more,
  };
};

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

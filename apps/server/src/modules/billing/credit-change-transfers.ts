import type { creditChangeTransfers } from '@heliograph/contract/billing/credit-change';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { sql } from 'kysely';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { cursorId } from './credit-change.ts';

/**
 * Lists the ledger's transfers in one row of the credit changes, oldest first. The cursor is the last id of the
 * previous page.
 */
export const listTransfersOfChange: Handler<typeof creditChangeTransfers> = async ({ db }, { params, query }) => {
  const change = await db.selectFrom('credit_change').selectAll().where('id', '=', params.id).executeTakeFirst();
  if (!change) throw new BusinessError('not_found');
  const after = cursorId(query.cursor);
  const rows = await db
    .selectFrom('ledger_transfer')
    .select(['id', 'created_at', 'amount', 'balance_after'])
    .where('billing_account_id', '=', change.billing_account_id)
    .where('id', '>=', change.first_transfer_id)
    .where('id', '<=', change.last_transfer_id)
    .where('kind', '=', change.kind)
    .where(sql<boolean>`campaign_id IS NOT DISTINCT FROM ${change.campaign_id}`)
    // A transfer with a user or a note is a row of its own, even in the same quarter of an hour.
    .$if(change.hour !== null, (q) =>
      q
        .where('user_id', 'is', null)
        .where('note', 'is', null)
        .where('created_at', '>=', change.created_at)
        .where('created_at', '<=', change.last_at),
    )
    .$if(after !== null, (q) => q.where('id', '>', after!))
    .orderBy('id')
    .limit(query.limit + 1)
    .execute();
  const page = rows.slice(0, query.limit);
  const has_more = rows.length > page.length;
  return {
    data: page.map((row) => ({
      ...row,
      amount: fromThousandths(row.amount),
      balance_after: fromThousandths(row.balance_after),
    })),
    next_cursor: has_more ? String(page.at(-1)!.id) : null,
    has_more,
  };
};

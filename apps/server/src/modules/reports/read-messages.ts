import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import type { transactions } from '@heliograph/contract/reports/transaction';
import { CompiledQuery } from 'kysely';
import type { Context } from '#platform/context';
import { shownTexts } from '#platform/text/shown-texts';
import { type Batch, messagesOf, parameters, type Query } from './find-messages.ts';
import type { Selection } from './selection.ts';

export type MessageRow = ReplyOf<typeof transactions>['data'][number];

/** Runs statements in a call's transaction. */
export const queryOf =
  ({ db }: Context): Query =>
  async (text, values) =>
    (await db.executeQuery(CompiledQuery.raw(text, values))).rows;

/** Returns the messages of a batch in the selection, the newest first. */
export async function readMessages(
  ctx: Context,
  selection: Selection,
  batch: Pick<Batch, 'chunks' | 'reached'>,
  before: number,
  limit: number,
): Promise<MessageRow[]> {
  const { values, bind } = parameters();
  const text = messagesOf(selection, batch, before, limit, bind);
  const rows = (await queryOf(ctx)(text, values)) as (Omit<MessageRow, 'charge'> & { charge: number })[];
  const shown = await shownTexts(ctx, rows);
  return shown.map((row) => ({ ...row, charge: fromThousandths(row.charge) }));
}

import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { getMessage, transactions } from '@heliograph/contract/reports/transaction';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import { type App, mount, mountReport } from '#platform/http/http';
import { homeOf } from '#platform/person/home';
import { checkPeriod, dateIn } from '#platform/records/period';
import { nextBatch } from './find-messages.ts';
import { oneMessage } from './one-message.ts';
import { queryOf, readMessages } from './read-messages.ts';
import { selectionOf } from './selection.ts';

type MessageRow = ReplyOf<typeof transactions>['data'][number];

/** Maximum messages that one call reads before it returns its result. The next call continues from there. */
const LOOKED_AT = 100_000;
const MOST_AT_ONCE = 25_000;

/** Returns a page of the report: the newest messages below the cursor. It reads no more than the page needs. */
async function page(ctx: Context, query: QueryOf<typeof transactions>): Promise<ReplyOf<typeof transactions>> {
  const { timezone } = await homeOf(ctx);
  checkPeriod(query, dateIn(timezone, ctx.clock.now()));
  const selection = await selectionOf(query, ctx.caller, timezone, ctx.db);
  if (query.cursor !== undefined && !/^\d{1,16}$/.test(query.cursor)) throw fieldError('cursor', 'invalid');

  const data: MessageRow[] = [];
  let before = query.cursor === undefined ? selection.past : Math.min(Number(query.cursor), selection.past);
  let wanted = query.limit + 1;
  for (let looked = 0; looked < LOOKED_AT; ) {
    const batch = await nextBatch(queryOf(ctx), selection, before, wanted);
    if (!batch) return { data, next_cursor: null, has_more: false };
    data.push(...(await readMessages(ctx, selection, batch, before, query.limit + 1 - data.length)));
    if (data.length > query.limit) {
      data.pop();
      return { data, next_cursor: String(data.at(-1)!.id), has_more: true };
    }
    before = batch.reached;
    looked += batch.size;
    wanted = Math.min(wanted * 4, MOST_AT_ONCE);
  }
  return { data, next_cursor: String(before), has_more: true };
}

/** Mounts the report of messages and the page of one. */
export function transactionRoutes(app: App): void {
  mountReport(app, transactions, (ctx, { query }) => page(ctx, query));
  // People look a message up as soon as it was handed in, when a standby might not have it yet.
  mount(app, getMessage, (ctx, { params }) => oneMessage(ctx, params.id));
}

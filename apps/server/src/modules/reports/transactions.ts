import { getMessage, transactions } from '@heliograph/contract/delivery/transaction';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { QueryOf, ReplyOf } from '@heliograph/contract/kernel/operation';
import { CompiledQuery, type NotNull } from 'kysely';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import { homeOf } from '#platform/home';
import { type App, mount } from '#platform/http';
import { checkPeriod, dateIn } from '#platform/period';
import { type Batch, messagesOf, nextBatch, parameters, type Query } from './find-messages.ts';
import { type Selection, selectionOf } from './selection.ts';

type MessageRow = ReplyOf<typeof transactions>['data'][number];

/** Messages one call looks at before it answers with what it found; the next call goes on from there. */
const LOOKED_AT = 100_000;
const MOST_AT_ONCE = 25_000;

const queryOf =
  ({ db }: Context): Query =>
  async (text, values) =>
    (await db.executeQuery(CompiledQuery.raw(text, values))).rows;

async function readMessages(
  ctx: Context,
  selection: Selection,
  batch: Pick<Batch, 'chunks' | 'reached'>,
  before: number,
  limit: number,
): Promise<MessageRow[]> {
  const { values, bind } = parameters();
  const text = messagesOf(selection, batch, before, limit, bind);
  const rows = (await queryOf(ctx)(text, values)) as (Omit<MessageRow, 'charge'> & { charge: number })[];
  return rows.map((row) => ({ ...row, charge: fromThousandths(row.charge) }));
}

/** A page of the report: the newest messages below the cursor, found without reading more than the page needs. */
async function page(ctx: Context, query: QueryOf<typeof transactions>): Promise<ReplyOf<typeof transactions>> {
  const { timezone } = await homeOf(ctx);
  checkPeriod(query, dateIn(timezone, ctx.clock.now()));
  const selection = selectionOf(query, ctx.caller, timezone);
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

/** A message with what the carrier answered to each of its parts, every receipt, and what was sent or said once more. */
async function oneMessage(ctx: Context, id: number): Promise<ReplyOf<typeof getMessage>> {
  const chunk = Math.floor(id / 1024);
  const only: Selection = {
    first: id,
    past: id + 1,
    start: '-infinity',
    end: 'infinity',
    corporations: null,
    campaign_id: undefined,
    sender_id: undefined,
    prefix: undefined,
    state: undefined,
    content_visible: ctx.caller.content_visible,
  };
  const [message] = await readMessages(ctx, only, { chunks: [chunk], reached: id }, id + 1, 1);
  if (!message) throw new BusinessError('not_found');
  const segments = await ctx.db
    .selectFrom('submission_row')
    .innerJoin('link', 'link.id', 'submission_row.link_id')
    .select(['part', 'link.name as link_name', 'carrier_id', 'command_status', 'answered_at'])
    .where('chunk_id', '=', chunk)
    .where('message_id', '=', id)
    .orderBy('part')
    .$narrowType<{ part: NotNull; command_status: NotNull; answered_at: NotNull }>()
    .execute();
  const receipts = await ctx.db
    .selectFrom('receipt_row')
    .select(['part', 'carrier_id', 'state', 'error', 'received_at'])
    .where('chunk_id', '=', chunk)
    .where('message_id', '=', id)
    .where('received_at', '>=', message.created_at)
    .orderBy('received_at')
    .$narrowType<{ carrier_id: NotNull; state: NotNull; received_at: NotNull }>()
    .execute();
  const resends = await ctx.db
    .selectFrom('resend')
    .innerJoin('link', 'link.id', 'resend.link_id')
    .select(['part', 'link.name as link_name', 'resent_at'])
    .where('message_id', '=', id)
    .orderBy('part')
    .execute();
  const correction = await ctx.db
    .selectFrom('correction')
    .select(['state', 'error_code', 'amount', 'corrected_at'])
    .where('message_id', '=', id)
    .executeTakeFirst();
  return {
    data: {
      ...message,
      segments,
      receipts: receipts.map((r) => ({ ...r, part: r.part ?? 1 })),
      resends,
      correction: correction ? { ...correction, amount: fromThousandths(correction.amount) } : null,
    },
  };
}

/** Mounts the report of messages and the page of one. */
export function transactionRoutes(app: App): void {
  mount(app, transactions, (ctx, { query }) => page(ctx, query));
  mount(app, getMessage, (ctx, { params }) => oneMessage(ctx, params.id));
}

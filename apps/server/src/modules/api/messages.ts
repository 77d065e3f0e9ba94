import { cancelBatch, getBatch } from '@heliograph/contract/api/batch';
import { type apiMessage, cancelMessage, getMessage, listMessages } from '@heliograph/contract/api/message';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { cancelChunksOf, cancelUnsent, errorOfExpired } from '#modules/delivery';
import { BusinessError, fieldError } from '#platform/errors';
import { mountPublicOperation, type ProgramContext, type PublicApi } from './mount-public.ts';

type Message = z.output<typeof apiMessage>;
type Row = Omit<Message, 'id' | 'price' | 'tags' | 'batch_id'> & {
  id: number;
  price: number;
  tags: string[] | null;
  batch_id: number | null;
};

/** Columns of a message; the parser of the session writes moments as RFC 3339. */
const COLUMNS = sql`r.id, r.sender_id AS "from", r.number AS "to", r.text, k.class, r.encoding, k.flash, r.parts,
  CASE WHEN k.state = 'held' AND r.state = 'pending' THEN 'scheduled' ELSE r.state::text END AS state,
  r.parts * r.unit_price AS price, c.currency, p.client_ref, p.tags, p.callback_url, p.batch_id, k.not_before AS send_at,
  k.expires_at, coalesce(r.error_code, CASE WHEN k.state = 'expired' THEN ${sql.raw(errorOfExpired('k'))} END) AS error_code, r.created_at, r.done_at, coalesce(a.mode = 'test', l.for_tests) AS test`;
const FROM = sql`program_message p JOIN message_row r ON r.id = p.message_id JOIN chunk k ON k.id = p.message_id >> 10
  JOIN corporation c ON c.id = p.corporation_id JOIN link l ON l.id = k.link_id
  LEFT JOIN api_key a ON a.id = p.api_key_id`;

/** Condition on the maker of a message: a test key finds only messages of test keys. */
const seenBy = ({ is_test }: ProgramContext) =>
  is_test ? sql`api_key_id IN (SELECT id FROM api_key WHERE mode = 'test')` : sql`true`;

async function find(ctx: ProgramContext, which: RawBuilder<unknown>): Promise<Message[]> {
  const { rows } = await sql<Row>`SELECT ${COLUMNS} FROM ${FROM} WHERE ${which} AND ${seenBy(ctx)}`.execute(ctx.db);
  return rows.map(({ id, price, tags, batch_id, text, ...row }) => ({
    ...row,
    id: String(id),
    price: fromThousandths(price),
    tags: tags ?? [],
    batch_id: batch_id === null ? null : String(batch_id),
    text: ctx.caller.content_visible ? text : null,
  }));
}

/** Returns a message of the key's person. Throws `not_found`. */
export async function messageOf(ctx: ProgramContext, id: string): Promise<Message> {
  const [message] = await find(ctx, sql`p.message_id = ${id}::bigint`);
  if (!message) throw new BusinessError('not_found');
  return message;
}

/** Mounts the calls that read messages and batches, and those that cancel messages. */
export function messageRoutes(api: PublicApi): void {
  mountPublicOperation(api, getMessage, ({ params, read }) => read((ctx) => messageOf(ctx, params.id)));
  mountPublicOperation(api, listMessages, ({ query, read }) => read((ctx) => list(ctx, query)));
  mountPublicOperation(api, cancelMessage, ({ params, read }) =>
    read(async (ctx) => {
      const { send_at, batch_id } = await messageOf(ctx, params.id);
      if (send_at === null || batch_id !== null || !(await cancelUnsent(ctx.db, Number(params.id))))
        throw new BusinessError('message_has_left');
      return messageOf(ctx, params.id);
    }),
  );
  mountPublicOperation(api, getBatch, ({ params, read }) => read((ctx) => batchOf(ctx, params.id)));
  mountPublicOperation(api, cancelBatch, ({ params, read }) => read((ctx) => callOff(ctx, params.id)));
}

async function list(
  ctx: ProgramContext,
  { client_ref, batch_id, limit, cursor }: z.output<(typeof listMessages)['query']>,
) {
  if ((client_ref === undefined) === (batch_id === undefined)) throw fieldError('client_ref', 'one_of_two');
  if (cursor !== undefined && !/^\d{1,16}$/.test(cursor)) throw new BusinessError('cursor_invalid');
  const after = cursor ?? null;
  // The ids of the messages are found by an index first, before any other data is read.
  const { rows } = await (client_ref === undefined
    ? sql<{ message_id: number }>`
        SELECT message_id FROM program_message WHERE batch_id = ${batch_id}::bigint AND ${seenBy(ctx)}
          AND (${after}::bigint IS NULL OR message_id > ${after}::bigint) ORDER BY message_id LIMIT ${limit + 1}`
    : sql<{ message_id: number }>`
        SELECT message_id FROM program_message WHERE user_id = ${ctx.caller.user_id} AND client_ref = ${client_ref}
          AND ${seenBy(ctx)} AND (${after}::bigint IS NULL OR message_id < ${after}::bigint) ORDER BY message_id DESC LIMIT ${limit + 1}`
  ).execute(ctx.db);
  const ids = rows.slice(0, limit).map(({ message_id }) => message_id);
  const found = new Map((await find(ctx, sql`p.message_id = ANY (${ids}::bigint[])`)).map((each) => [each.id, each]));
  const has_more = rows.length > limit;
  return {
    data: ids.flatMap((id) => found.get(String(id)) ?? []),
    next_cursor: has_more ? String(ids.at(-1)) : null,
    has_more,
  };
}

/** Filter of the messages of a person. Moments are RFC 3339. */
export interface WantedMessages {
  /** Digits of the recipient. */
  to: string | null;
  /** Sender ID. */
  from: string | null;
  since: string | null;
  /** End of the time, not within it. */
  until: string | null;
  /** Id of the last message of the page before. */
  before: number | null;
  limit: number;
}

/** Returns messages of the key's person, the newest first. */
export async function newestMessages(ctx: ProgramContext, wanted: WantedMessages): Promise<Message[]> {
  const { to, from, since, until, before, limit } = wanted;
  const own = sql`p.user_id = ${ctx.caller.user_id} AND ${seenBy(ctx)}
    AND (${before}::bigint IS NULL OR p.message_id < ${before}::bigint)`;
  const chunks = sql`k.channel = 'api' AND (${from}::text IS NULL OR k.sender_id = ${from}::text)
    AND (${since}::timestamptz IS NULL OR k.created_at >= ${since}::timestamptz)
    AND (${until}::timestamptz IS NULL OR k.created_at < ${until}::timestamptz)`;
  // Ids first, by the index of a number, or by that of the chunks of the corporation.
  const { rows } = await (to === null
    ? sql<{ message_id: number }>`
        SELECT p.message_id FROM chunk k CROSS JOIN LATERAL (SELECT * FROM program_message
          WHERE message_id >= k.id << 10 AND message_id < (k.id + 1) << 10) p
        WHERE k.corporation_id = ${ctx.caller.corporations?.[0] ?? 0} AND ${chunks} AND ${own}
          AND (${before}::bigint IS NULL OR k.id <= ${before}::bigint >> 10)
        ORDER BY k.id DESC, p.message_id DESC LIMIT ${limit}`
    : sql<{ message_id: number }>`
        SELECT p.message_id FROM message m JOIN program_message p ON p.message_id = m.id JOIN chunk k ON k.id = m.id >> 10
        WHERE m.msisdn = ${to} AND ${chunks} AND ${own} ORDER BY m.id DESC LIMIT ${limit}`
  ).execute(ctx.db);
  const ids = rows.map(({ message_id }) => message_id);
  const found = await find(ctx, sql`p.message_id = ANY (${ids}::bigint[])`);
  return found.sort((a, b) => Number(b.id) - Number(a.id));
}

/** Cancels the messages of a batch that have not left. Throws `batch_has_left` if there are none. */
async function callOff(ctx: ProgramContext, id: string) {
  await batchOf(ctx, id);
  // Chunks with other messages are older than batches with their own chunks: they continue.
  const { rows } = await sql<{ id: number }>`
    SELECT k.id FROM (SELECT message_id >> 10 AS id, count(*) AS messages FROM program_message
      WHERE batch_id = ${id}::bigint GROUP BY 1) b JOIN chunk k ON k.id = b.id AND k.size = b.messages`.execute(ctx.db);
  const chunks = rows.map((row) => row.id);
  if ((await cancelChunksOf(ctx.db, chunks)) === 0) throw new BusinessError('batch_has_left');
  return batchOf(ctx, id);
}

async function batchOf(ctx: ProgramContext, id: string) {
  const { db } = ctx;
  const batch = await db
    .selectFrom('program_batch')
    .selectAll()
    .where('id', '=', Number(id))
    .where(sql<boolean>`${seenBy(ctx)}`)
    .executeTakeFirst();
  if (!batch) throw new BusinessError('not_found');
  const { rows } = await sql<{ state: string; messages: number }>`
    SELECT CASE WHEN k.state = 'held' AND r.state = 'pending' THEN 'scheduled' ELSE r.state::text END AS state, count(*) AS messages
    FROM program_message p JOIN message_row r ON r.id = p.message_id JOIN chunk k ON k.id = p.message_id >> 10
    WHERE p.batch_id = ${batch.id} GROUP BY 1`.execute(db);
  const { total, accepted, parts, amount, currency, client_ref, tags, rejected, created_at } = batch;
  return {
    id,
    total,
    accepted,
    parts,
    price: fromThousandths(amount),
    currency,
    client_ref,
    tags: tags as string[],
    rejected: rejected as z.output<(typeof getBatch)['reply']>['rejected'],
    states: Object.fromEntries(rows.map(({ state, messages }) => [state, messages])),
    created_at,
  };
}

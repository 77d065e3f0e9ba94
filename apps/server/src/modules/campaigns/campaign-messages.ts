import type { messageRow } from '@heliograph/contract/campaigns/message';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { plainDigits } from '@heliograph/contract/kernel/number-rules';
import type { MessageState } from '@heliograph/contract/kernel/states';
import { sql } from 'kysely';
import type { z } from 'zod';
import { chunkOf, FLAGS as FLAGS_OF_MESSAGE, stateOfMessage } from '#modules/delivery';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';

type Wire = z.input<typeof messageRow>;

/** Properties that all messages of a campaign share in the API. */
interface Shown {
  id: number;
  name: string;
  corporation_name: string;
  user_name: string;
  sender_id: string;
  content: string | null;
  currency: string;
}

const FLAGS = sql.raw(FLAGS_OF_MESSAGE);
const STATE = sql.raw(stateOfMessage(FLAGS_OF_MESSAGE));

/** Maximum messages that are searched for one page if a state is asked for. The next page continues behind them. */
const MAX_LOOKED_THROUGH = 20_000;
const BATCH = 1_000;
/** Chunks that are read together. */
const CHUNKS = 100;
/** Ids of messages in each chunk. */
const PLACES = 1_024;

/**
 * Returns a page of a campaign's messages, the newest first. Their ids come from the campaign's chunks, then everything
 * else is read by key. One join would need arithmetic that row level security keeps out of the index.
 */
export async function campaignMessages(
  ctx: Context,
  campaign: Shown,
  query: { limit: number; cursor?: string | undefined; state?: MessageState | undefined; search?: string | undefined },
): Promise<{ data: Wire[]; next_cursor: string | null; has_more: boolean }> {
  const { limit, state } = query;
  const digits = query.search && plainDigits(query.search);
  // A person who may not see numbers finds only whole ones.
  const prefix = digits && (ctx.caller.numbers_visible ? `${digits}%` : digits);
  if (query.search && !prefix) return { data: [], next_cursor: null, has_more: false };
  let before = query.cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(query.cursor);
  if (!Number.isSafeInteger(before)) throw new BusinessError('malformed_request');
  const data: Wire[] = [];
  const batch = state ? BATCH : limit + 1;
  for (let looked = 0; looked < MAX_LOOKED_THROUGH; looked += batch) {
    const ids = await nextMessages(ctx, campaign.id, before, batch, prefix);
    for (const row of await withStates(ctx, campaign, ids)) {
      if (data.length === limit) return { data, next_cursor: String(data.at(-1)!.id), has_more: true };
      if (!state || row.state === state) data.push(row);
    }
    if (ids.length < batch) return { data, next_cursor: null, has_more: false };
    before = ids.at(-1)!;
  }
  return { data, next_cursor: String(before), has_more: true };
}

/** Returns the ids of the next messages below `before`, the newest first, from the campaign's chunks. */
async function nextMessages(
  ctx: Context,
  campaignId: number,
  before: number,
  limit: number,
  prefix: string | undefined,
): Promise<number[]> {
  const found: number[] = [];
  for (let below = before; found.length < limit; ) {
    const chunks = await ctx.db
      .selectFrom('chunk')
      .select(['id', 'size'])
      .where('campaign_id', '=', campaignId)
      .where('id', '<=', chunkOf(below - 1))
      .orderBy('id', 'desc')
      .limit(CHUNKS)
      .execute();
    const wanted = limit - found.length;
    const read = prefix ? chunks : enoughOf(chunks, wanted, below);
    if (read.length === 0) break;
    const first = read.at(-1)!.id * PLACES;
    const { rows } = await sql<{ id: number }>`
      SELECT m.id FROM unnest(${`{${read.map(({ id }) => id * PLACES).join()}}`}::bigint[],
        ${`{${read.map(({ id }) => (id + 1) * PLACES).join()}}`}::bigint[]) AS k(first, past)
      CROSS JOIN LATERAL (
        SELECT m.id FROM message m
        WHERE m.id >= k.first AND m.id < k.past AND m.id >= ${first} AND m.id < ${below}
          ${prefix ? sql`AND m.msisdn LIKE ${prefix}` : sql``}
      ) m ORDER BY m.id DESC LIMIT ${wanted}`.execute(ctx.db);
    found.push(...rows.map(({ id }) => id));
    if (read.length === chunks.length && chunks.length < CHUNKS) break;
    below = first;
  }
  return found;
}

/** Returns the first chunks that have enough messages; of the newest only those below an id count. */
function enoughOf<Chunk extends { id: number; size: number }>(
  chunks: readonly Chunk[],
  wanted: number,
  below: number,
): Chunk[] {
  let messages = 0;
  const last = chunks.findIndex(({ id, size }) => {
    messages += Math.min(size, Math.max(0, below - id * PLACES));
    return messages >= wanted;
  });
  return chunks.slice(0, last < 0 ? undefined : last + 1);
}

interface StateRow {
  id: number;
  created_at: string;
  number: string;
  number_cut: boolean;
  name: string | null;
  text: string | null;
  unicode: boolean;
  parts: number;
  state: MessageState;
  error_code: string | null;
  charge: number;
  done_at: string | null;
}

async function withStates(ctx: Context, campaign: Shown, ids: readonly number[]): Promise<Wire[]> {
  const chunks = [...new Set(ids.map(chunkOf))];
  const { rows } = await sql<StateRow>`
    WITH d AS MATERIALIZED (
      SELECT message_id, received_at FROM delivered_row WHERE chunk_id = ANY (${`{${chunks.join()}}`}::bigint[])
    )
    SELECT m.id, k.created_at, m.msisdn AS number, m.number_cut IS TRUE AS number_cut, m.name, text_of_message(m.text, k.common_text, m.id, m.corporation_id) AS text, m.unicode, m.parts,
      ${STATE} AS state, o.error_code,
      coalesce(o.done_at, d.received_at) AS done_at,
      charge_of_message(k.charge_on_delivery, m.unit_price, m.parts, end_of(${FLAGS}), 
        CASE WHEN is_packed(${FLAGS}) THEN 1
          ELSE (SELECT count(*) FROM submission x WHERE x.message_id = m.id AND x.command_status = 0) END)
        + coalesce((SELECT x.amount FROM correction x WHERE x.message_id = m.id AND end_of(${FLAGS}) IS NOT NULL), 0) AS charge
    FROM message m
    JOIN chunk k ON k.id = m.id >> 10
    LEFT JOIN chunk_state s ON s.chunk_id = k.id
    LEFT JOIN outcome o ON o.message_id = m.id
    LEFT JOIN d ON d.message_id = m.id
    WHERE m.id = ANY (${`{${ids.join()}}`}::bigint[]) AND k.id = ANY (${`{${chunks.join()}}`}::bigint[])
    ORDER BY m.id DESC`.execute(ctx.db);
  return rows.map(({ unicode, charge, text, ...row }) => ({
    ...row,
    campaign_id: campaign.id,
    campaign_name: campaign.name,
    corporation_name: campaign.corporation_name,
    user_name: campaign.user_name,
    sender_id: campaign.sender_id,
    text: campaign.content === null ? null : text,
    encoding: unicode ? 'ucs2' : 'gsm',
    charge: fromThousandths(charge),
    currency: campaign.currency,
  }));
}

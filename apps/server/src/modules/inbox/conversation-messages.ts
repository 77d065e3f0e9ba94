import type { conversationMessages } from '@heliograph/contract/inbox/conversation';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { type RawBuilder, sql } from 'kysely';
import { FLAGS, stateOfMessage } from '#modules/delivery';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import { findParts, messagesOf, type Parts } from './conversation-rows.ts';
import { MESSAGE, REPLY } from './inbox-rows.ts';

type Entry = ReplyOf<typeof conversationMessages>['data'][number];

const STATE = sql.raw(stateOfMessage(FLAGS));
const DAY_MS = 86_400_000;
const MESSAGES_A_DAY = 2 ** 38;
/**
 * Days of sent messages that the first look searches, each day in a partition of its own. Each further look of a call
 * searches twice as many.
 */
const FIRST_DAYS = 30;

/** Position of an entry: its time, the rank of its kind, and its id. */
interface Place {
  at: string;
  rank: number;
  id: number;
}

const RANKS = { in: 3, out: 2, entry: 1 } as const;

function placeOf(cursor: string | undefined): Place {
  if (cursor === undefined) return { at: 'infinity', rank: 0, id: 0 };
  const [, at, rank, id] = /^(\d{4}-[\d:.TZ-]{5,30})_(\d)_(\d{1,16})$/.exec(cursor) ?? [];
  if (at === undefined || Number.isNaN(Date.parse(at))) throw fieldError('cursor', 'invalid');
  return { at, rank: Number(rank), id: Number(id) };
}

/**
 * Returns a page of a conversation, newest first: messages of the phone, messages to it, notes, and changes. Texts are
 * null for callers who may not read them.
 */
export async function messagesPage(
  ctx: Context,
  { id, limit, cursor }: { id: number; limit: number; cursor?: string | undefined },
): Promise<ReplyOf<typeof conversationMessages>> {
  const parts = await findParts(ctx, id);
  const data: (Entry & { rank: number })[] = [];
  let before = placeOf(cursor);
  let newest = before.at === 'infinity' ? ctx.clock.now().getTime() : Date.parse(before.at);
  const oldest = await oldestOf(ctx, parts);
  for (let days = FIRST_DAYS; ; days *= 2) {
    const from = newest - days * DAY_MS;
    const rows = await look(ctx, parts, before, from, limit + 1 - data.length);
    data.push(...rows);
    if (data.length > limit) {
      data.pop();
      const last = data.at(-1)!;
      return { data: data.map(withoutRank), next_cursor: `${last.at}_${last.rank}_${last.id}`, has_more: true };
    }
    if (from <= oldest) return { data: data.map(withoutRank), next_cursor: null, has_more: false };
    before = { at: new Date(from).toISOString(), rank: 0, id: 0 };
    newest = from;
  }
}

const withoutRank = ({ rank: _, ...entry }: Entry & { rank: number }): Entry => entry;

/** Returns the moment before which the conversation has nothing: its first message, or the first day of sent messages. */
async function oldestOf({ db }: Context, parts: Parts): Promise<number> {
  const { rows } = await sql<{ first: string | null; day: string | null }>`
    SELECT (SELECT min(i.received_at) FROM inbox_message i WHERE ${messagesOf(parts)}) AS first,
      (SELECT min(substring(c.relname FROM '\\d{8}$')) FROM pg_inherits h JOIN pg_class c ON c.oid = h.inhrelid
        WHERE h.inhparent = 'message'::regclass) AS day`.execute(db);
  const { first, day } = rows[0]!;
  const days = day?.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3T00:00:00Z');
  return Math.min(...[first, days].flatMap((each) => (each ? [Date.parse(each)] : [])), Date.now());
}

/** Entries of each kind have the same columns. */
const NOTHING = sql`NULL::bigint AS campaign_id, NULL::text AS campaign`;

/** Returns the newest entries between a moment and a place. */
async function look(ctx: Context, parts: Parts, before: Place, from: number, wanted: number) {
  const { content_visible } = ctx.caller;
  const start = new Date(from).toISOString();
  const within = (at: string, rank: number, id: string): RawBuilder<boolean> => sql`${sql.raw(at)} >= ${start}
    AND (${sql.raw(at)}, ${rank}, ${sql.raw(id)}) < (${before.at}::timestamptz, ${before.rank}, ${before.id})`;
  const [{ corporation_id, oa }] = parts;
  const received = sql`SELECT 'in' AS kind, ${RANKS.in}::integer AS rank, i.id, i.received_at AS at, ${MESSAGE} AS text,
      i.number AS by, i.is_binary, NULL AS state, i.campaign_id, coalesce(i.campaign_name, c.name) AS campaign,
      NULL AS user_name, NULL AS assigned_to_name, i.handled, i.reply_error,
      removal_of(i.message = '[removed]', i.removed_at, i.removed_days, i.received_at) AS removed
    FROM inbox_message i LEFT JOIN campaign c ON c.id = i.campaign_id
    WHERE ${messagesOf(parts)} AND ${within('i.received_at', RANKS.in, 'i.id')} ORDER BY i.received_at DESC LIMIT ${wanted}`;
  const entries = sql`SELECT e.kind, ${RANKS.entry}::integer AS rank, e.id, e.created_at AS at,
      placed_text(e.text, ${corporation_id}::bigint, 'n' || e.conversation_id) AS text, NULL AS by,
      false AS is_binary, NULL AS state, ${NOTHING}, u.name AS user_name, a.name AS assigned_to_name, NULL AS handled,
      NULL AS reply_error, removal_of(e.kind = 'note' AND e.text = '[removed]', e.removed_at, e.removed_days, e.created_at) AS removed
    FROM conversation_entry e LEFT JOIN user_account u ON u.id = e.user_id LEFT JOIN user_account a ON a.id = e.assigned_to
    WHERE e.conversation_id = ANY (${parts.map(({ id }) => id)}::bigint[])
      AND ${within('e.created_at', RANKS.entry, 'e.id')} ORDER BY e.created_at DESC LIMIT ${wanted}`;
  const kinds = [received, entries];
  if (corporation_id !== null && /^\d+$/.test(oa)) {
    // Ids of messages begin with their day. The bounds leave out all other partitions.
    const first = Math.floor(from / DAY_MS) * MESSAGES_A_DAY;
    const last = before.at === 'infinity' ? Number.MAX_SAFE_INTEGER : dayAfter(before.at) * MESSAGES_A_DAY;
    kinds.push(sql`SELECT 'out' AS kind, ${RANKS.out}::integer AS rank, m.id, k.created_at AS at,
        text_of_message(m.text, k.common_text, m.id, m.corporation_id) AS text, k.sender_id AS by, false AS is_binary, ${STATE}::text AS state,
        m.campaign_id, c.name AS campaign, CASE WHEN m.campaign_id IS NULL THEN u.name END AS user_name,
        NULL AS assigned_to_name, NULL AS handled, NULL AS reply_error,
        removal_of(coalesce(m.text, k.common_text) = '[removed]', t.done_at, t.days, k.created_at) AS removed
      FROM message m JOIN chunk k ON k.id = m.id >> 10 LEFT JOIN chunk_state s ON s.chunk_id = k.id
      LEFT JOIN campaign c ON c.id = m.campaign_id LEFT JOIN user_account u ON u.id = k.user_id
      LEFT JOIN retention_run t ON t.day = date '1970-01-01' + (m.id >> 38)::integer AND t.corporation_id = m.corporation_id
        AND t.kind = k.class::text
      WHERE m.msisdn = ${oa} AND m.id >= ${first} AND m.id < ${last} AND m.corporation_id = ${corporation_id}
        AND ${within('k.created_at', RANKS.out, 'm.id')} ORDER BY m.id DESC LIMIT ${wanted}`);
    // A colleague's answer that the list of sent messages does not show to the caller.
    kinds.push(sql`SELECT 'out' AS kind, ${RANKS.out}::integer AS rank, i.sent_message_id AS id, i.replied_at AS at,
        ${REPLY} AS text, i.number AS by, false AS is_binary, NULL AS state, ${NOTHING}, u.name AS user_name,
        NULL AS assigned_to_name, NULL AS handled, NULL AS reply_error,
        removal_of(i.reply_message = '[removed]', i.removed_at, i.removed_days, i.received_at) AS removed
      FROM inbox_message i LEFT JOIN user_account u ON u.id = i.replied_by
      WHERE ${messagesOf(parts)} AND i.sent_message_id IS NOT NULL
        AND ${within('i.replied_at', RANKS.out, 'i.sent_message_id')}
        AND NOT EXISTS (SELECT FROM message m WHERE m.id = i.sent_message_id)
      ORDER BY i.replied_at DESC LIMIT ${wanted}`);
  }
  const all = sql.join(
    kinds.map((kind) => sql`(${kind})`),
    sql` UNION ALL `,
  );
  const { rows } = await sql<Entry & { rank: number }>`
    SELECT kind, rank, id, at, CASE WHEN ${content_visible} THEN text END AS text, by, is_binary, state, campaign_id,
      campaign, user_name, assigned_to_name, handled, reply_error, removed
    FROM (${all}) said ORDER BY at DESC, rank DESC, id DESC LIMIT ${wanted}`.execute(ctx.db);
  return rows;
}

const dayAfter = (at: string) => Math.floor(Date.parse(at) / DAY_MS) + 1;

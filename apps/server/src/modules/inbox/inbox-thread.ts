import type { inboxThread } from '@heliograph/contract/inbox/inbox-message';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import { optedOut } from '#modules/contacts';
import { FLAGS, stateOfMessage } from '#modules/delivery';
import type { Context } from '#platform/context';
import { BusinessError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { findInbox, type InboxRow } from './inbox-rows.ts';

type Said = ReplyOf<typeof inboxThread>['data']['said'][number];

const STATE = sql.raw(stateOfMessage(FLAGS));
const LIMIT = 100;
/** Days of sent messages that a thread shows. Older ones are in the report of messages. */
const SENT_DAYS = 30;
const DAY_MS = 86_400_000;
const MESSAGES_A_DAY = 2 ** 38;

/** Returns the sender of an answer to a message: the mask of its routing, or the number that the phone wrote to. */
export async function senderOf(ctx: Context, id: number): Promise<string> {
  const row = await ctx.db
    .selectFrom('inbox_message as i')
    .leftJoin('routing as r', 'r.id', 'i.routing_id')
    .leftJoin('sender_id as s', (join) => join.onRef('s.id', '=', 'r.sender_id_id').on('s.withheld', '=', false))
    .select(['i.number', 's.sender_id'])
    .where('i.id', '=', id)
    .executeTakeFirstOrThrow();
  return row.sender_id ?? row.number;
}

/**
 * Throws `sender_not_allowed` if a sender no longer belongs to the corporation. Numbers move from one corporation to
 * another, but their old messages stay.
 */
export async function requireSendingFrom({ db }: Context, corporationId: number, sender: string): Promise<void> {
  const { rows } = await sql`
    SELECT FROM sender_id
    WHERE corporation_id = ${corporationId} AND upper(sender_id) = ${sender.toUpperCase()} AND NOT withheld
    UNION ALL
    SELECT FROM routing WHERE corporation_id = ${corporationId} AND number = ${sender} AND NOT withheld`.execute(db);
  if (rows.length === 0) throw new BusinessError('sender_not_allowed');
}

/** Shows a message together with all messages between its phone and its corporation. */
export const showThread: Handler<typeof inboxThread> = async (ctx, { params }) => {
  const message = await findInbox(ctx, params.id);
  const incoming = await incomingOf(ctx, message);
  const sent = await sentTo(ctx, message);
  const known = new Set(sent.map(({ id }) => id));
  // A colleague's answer appears with its message if the list of sent messages does not hold it.
  const answers = incoming.flatMap(({ answer }) => (answer && !known.has(answer.id) ? [answer] : []));
  const said = [...incoming.map(({ said: each }) => each), ...sent, ...answers];
  const { corporation_id, oa } = message;
  return {
    data: {
      message,
      sender: await senderOf(ctx, message.id),
      unread: await unreadOf(ctx, message),
      opted_out: corporation_id !== null && (await optedOut(ctx.db, corporation_id, [oa])).size > 0,
      said: said.sort((a, b) => Date.parse(a.at) - Date.parse(b.at)).slice(-LIMIT),
      has_more: said.length > LIMIT || incoming.length === LIMIT || sent.length === LIMIT,
    },
  };
};

async function unreadOf(ctx: Context, { corporation_id, oa }: InboxRow): Promise<number> {
  const { unread } = await ctx.db
    .selectFrom('inbox_message')
    .select((eb) => eb.fn.countAll<number>().as('unread'))
    .where('corporation_id', corporation_id === null ? 'is' : '=', corporation_id)
    .where('oa', '=', oa)
    .where('read_at', 'is', null)
    .executeTakeFirstOrThrow();
  return unread;
}

async function incomingOf(ctx: Context, { corporation_id, oa }: InboxRow) {
  const rows = await ctx.db
    .selectFrom('inbox_message')
    .select(['id', 'message', 'number', 'is_binary', 'received_at', 'campaign_name'])
    .select(['reply_message', 'replied_at', 'sent_message_id'])
    .where('corporation_id', corporation_id === null ? 'is' : '=', corporation_id)
    .where('oa', '=', oa)
    .orderBy('id', 'desc')
    .limit(LIMIT)
    .execute();
  const text = (given: string | null) => (ctx.caller.content_visible ? given : null);
  return rows.map((row): { said: Said; answer: Said | null } => ({
    said: {
      direction: 'in',
      id: row.id,
      at: row.received_at,
      text: text(row.message),
      by: row.number,
      is_binary: row.is_binary,
      state: null,
      campaign: row.campaign_name,
    },
    answer:
      row.replied_at && row.sent_message_id
        ? {
            direction: 'out',
            id: row.sent_message_id,
            at: row.replied_at,
            text: text(row.reply_message),
            by: row.number,
            is_binary: false,
            state: null,
            campaign: null,
          }
        : null,
  }));
}

async function sentTo(ctx: Context, { corporation_id, oa }: InboxRow): Promise<Said[]> {
  if (corporation_id === null || !/^\d+$/.test(oa)) return [];
  const first = Math.floor(ctx.clock.now().getTime() / DAY_MS - SENT_DAYS) * MESSAGES_A_DAY;
  const { rows } = await sql<Said>`
    SELECT 'out' AS direction, m.id, k.created_at AS at,
      CASE WHEN ${ctx.caller.content_visible} THEN coalesce(m.text, k.common_text) END AS text, k.sender_id AS by,
      false AS is_binary, ${STATE} AS state,
      c.name AS campaign
    FROM message m JOIN chunk k ON k.id = m.id >> 10 LEFT JOIN chunk_state s ON s.chunk_id = k.id
    LEFT JOIN campaign c ON c.id = m.campaign_id
    WHERE m.msisdn = ${oa} AND m.id >= ${first} AND m.corporation_id = ${corporation_id}
    ORDER BY m.id DESC LIMIT ${LIMIT}`.execute(ctx.db);
  return rows;
}

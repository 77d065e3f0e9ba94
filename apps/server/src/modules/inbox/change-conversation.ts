import type {
  changeConversation,
  conversationColleagues,
  getConversation,
  noteConversation,
  readConversation,
  typeReply,
} from '@heliograph/contract/inbox/conversation';
import { TYPING } from '@heliograph/contract/inbox/typing';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import type { ReplyOf } from '@heliograph/contract/kernel/operation';
import { sql } from 'kysely';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { fieldError } from '#platform/errors';
import { requireVersion, versionOf } from '#platform/http/edit-version';
import type { Handler } from '#platform/http/http';
import { notify } from '#platform/realtime/realtime';
import { sealedWith } from '#platform/text/sealed-text';
import { currentTextKey } from '#platform/text/text-keys';
import { lastOptOut } from './conversation-person.ts';
import { findParts, messagesOf, type Parts, rowOf } from './conversation-rows.ts';
import { partPrice } from './send-answer.ts';
import { listenersOf, tellInbox } from './tell-inbox.ts';

type Conversation = ReplyOf<typeof getConversation>['data'];

/** Maximum senders of ours that a conversation offers. */
const MOST_SENDERS = 10;

/** Returns a conversation with everything that an answer depends on. */
async function shownOf(ctx: Context, parts: Parts): Promise<Conversation> {
  const row = await rowOf(ctx, parts);
  const { corporation_id, oa } = row;
  const optOut = corporation_id === null ? null : await lastOptOut(ctx, corporation_id, oa);
  const priced =
    corporation_id !== null && row.abilities.reply
      ? await partPrice(ctx.db, ctx.clock, { corporation_id, user_id: ctx.caller.user_id }, oa)
      : null;
  return {
    ...row,
    senders: await sendersOf(ctx, parts),
    price: priced && fromThousandths(priced.price),
    currency: priced?.currency ?? null,
    opted_out: optOut && optOut.ended_at === null ? optOut : null,
    last_answer_id: await lastAnswerOf(ctx, parts),
    etag: versionOf([row.id, row.assigned_to, row.open]),
  };
}

export const showConversation: Handler<typeof getConversation> = async (ctx, { params }) => ({
  data: await shownOf(ctx, await findParts(ctx, params.id)),
});

/**
 * Returns the senders from which a person can be answered: for each number that the phone wrote to, the mask of its
 * routing or the number itself. The one of the newest message is first.
 */
export async function sendersOf({ db }: Pick<Context, 'db'>, parts: Parts): Promise<string[]> {
  const { rows } = await sql<{ sender: string }>`
    SELECT coalesce(s.sender_id, i.number) AS sender FROM inbox_message i
    LEFT JOIN routing r ON r.id = i.routing_id
    LEFT JOIN sender_id s ON s.id = r.sender_id_id AND NOT s.withheld
    WHERE ${messagesOf(parts)} GROUP BY 1 ORDER BY max(i.id) DESC LIMIT ${MOST_SENDERS}`.execute(db);
  return rows.map(({ sender }) => sender);
}

/** Returns the message that answered a person last, if one of our people wrote it. */
export async function lastAnswerOf({ db }: Pick<Context, 'db'>, parts: Parts): Promise<number | null> {
  const { rows } = await sql<{ id: number | null }>`
    SELECT max(i.sent_message_id) AS id FROM inbox_message i
    WHERE ${messagesOf(parts)} AND i.replied_by IS NOT NULL`.execute(db);
  return rows[0]?.id ?? null;
}

/** Tells everybody who sees the conversation that it changed. */
export const tellChange = ({ db }: Context, [{ corporation_id }]: Parts) =>
  tellInbox(db, 'inbox.changed', corporation_id === null ? [] : [corporation_id]);

/** Writes an entry of the activity log about a conversation. */
export const auditConversation = (
  ctx: Context,
  [{ id, corporation_id }]: Parts,
  description: string,
  changes: { before?: object; after?: object },
) =>
  audit(ctx, { name: 'inbox', description, subject_type: 'conversations', subject_id: id, corporation_id, ...changes });

/** Marks all messages of a conversation as read that the caller can see. Returns their number. */
async function markRead(ctx: Context, parts: Parts): Promise<number> {
  const { rows } = await sql`UPDATE inbox_message i SET read_at = ${ctx.clock.now().toISOString()}
    WHERE ${messagesOf(parts)} AND i.read_at IS NULL RETURNING i.id`.execute(ctx.db);
  return rows.length;
}

export const read: Handler<typeof readConversation> = async (ctx, { params }) => {
  const parts = await findParts(ctx, params.id);
  const count = await markRead(ctx, parts);
  if (count > 0) await tellChange(ctx, parts);
  return { count };
};

/** Returns the people of a corporation who may read its inbox, as far as the caller sees them. */
const colleaguesOf = (ctx: Context, corporationId: number | null) =>
  ctx.db
    .selectFrom('user_account as u')
    .select(['u.id', 'u.name'])
    .where('u.corporation_id', '=', corporationId)
    .where('u.enabled', '=', true)
    .where('u.is_service', '=', false)
    .where(
      sql<boolean>`EXISTS (SELECT FROM permission p WHERE p.name = 'inbox-index' AND (
        EXISTS (SELECT FROM role_permission r WHERE r.permission_id = p.id AND r.role_id = u.role_id)
        OR EXISTS (SELECT FROM user_permission g WHERE g.permission_id = p.id AND g.user_id = u.id)))`,
    )
    .orderBy('u.name')
    .orderBy('u.id')
    .limit(200)
    .execute();

export const colleagues: Handler<typeof conversationColleagues> = async (ctx, { params }) => {
  const [{ corporation_id }] = await findParts(ctx, params.id);
  return { data: corporation_id === null ? [] : await colleaguesOf(ctx, corporation_id) };
};

/** Tells colleagues that the caller writes a reply. Their screens name the caller only if they may see them. */
export const typing: Handler<typeof typeReply> = async (ctx, { params }) => {
  const parts = await findParts(ctx, params.id);
  const [{ corporation_id }] = parts;
  if (corporation_id === null) return {};
  const { user_id } = ctx.caller;
  const people = await listenersOf(ctx.db, [corporation_id]);
  const data = { conversation_ids: parts.map(({ id }) => id), user_id };
  for (const person of people) if (person !== user_id) await notify(ctx.db, person, TYPING, data);
  return {};
};

/** Adds a line to the newest part of a conversation. */
async function addEntry(
  ctx: Context,
  [{ id, corporation_id }]: Parts,
  { text, ...entry }: { kind: string; text?: string; assigned_to?: number | null },
) {
  const key =
    corporation_id === null || text === undefined ? null : await currentTextKey(ctx.db, ctx.config, corporation_id);
  const stored = text === undefined ? {} : { text: sealedWith(key, `n${id}`, text) };
  return ctx.db
    .insertInto('conversation_entry')
    .values({
      ...entry,
      ...stored,
      conversation_id: id,
      user_id: ctx.caller.user_id,
      created_at: ctx.clock.now().toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
}

/**
 * Assigns, closes or reopens a conversation, all that the caller sees of it. Throws a 422 on `assigned_to` for a person
 * who is not of its corporation.
 */
export const change: Handler<typeof changeConversation> = async (ctx, { params, body, ifMatch }) => {
  const parts = await findParts(ctx, params.id, true);
  const [{ corporation_id, assigned_to }] = parts;
  const before = { assigned_to, open: parts.some(({ closed_at }) => closed_at === null) };
  const wanted = Object.fromEntries(
    Object.entries(body).filter(([field, value]) => value !== before[field as keyof typeof before]),
  ) as typeof body;
  if (ifMatch) requireVersion(ifMatch, { ...(await shownOf(ctx, parts)) }, wanted);
  if (wanted.assigned_to) {
    const people = corporation_id === null ? [] : await colleaguesOf(ctx, corporation_id);
    if (!people.some(({ id }) => id === wanted.assigned_to)) throw fieldError('assigned_to', 'not_visible');
  }
  if (Object.keys(wanted).length === 0) return { data: await shownOf(ctx, parts) };
  if (wanted.open !== undefined) await setOpen(ctx, parts, wanted.open);
  const done = wanted.open === undefined ? 'assigned' : wanted.open ? 'reopened' : 'closed';
  await auditConversation(ctx, parts, done, {
    before,
    after: { ...before, ...wanted },
  });
  await tellChange(ctx, parts);
  if (wanted.assigned_to !== undefined) {
    await addEntry(ctx, parts, { kind: 'assigned', assigned_to: wanted.assigned_to });
    const ids = parts.map(({ id }) => id);
    await sql`SELECT give_conversations(${ids}::bigint[], ${wanted.assigned_to})`.execute(ctx.db);
  }
  return { data: await stillSeen(ctx, parts) };
};

/** Closes a conversation after it is marked as read, or opens it again. */
async function setOpen(ctx: Context, parts: Parts, open: boolean): Promise<void> {
  if (!open) await markRead(ctx, parts);
  await ctx.db
    .updateTable('conversation')
    .set({ closed_at: open ? null : ctx.clock.now().toISOString(), closed_by: open ? null : ctx.caller.user_id })
    .where(
      'id',
      'in',
      parts.map(({ id }) => id),
    )
    // A message that came meanwhile is unread, and keeps its conversation open.
    .where('unread', '=', 0)
    .execute();
  await addEntry(ctx, parts, { kind: open ? 'reopened' : 'closed' });
}

/** Returns the conversation if the caller still sees it. */
async function stillSeen(ctx: Context, parts: Parts): Promise<Conversation | null> {
  const left = await ctx.db
    .selectFrom('conversation')
    .select('id')
    .where(
      'id',
      'in',
      parts.map(({ id }) => id),
    )
    .execute();
  return left[0] ? shownOf(ctx, await findParts(ctx, left[0].id)) : null;
}

export const note: Handler<typeof noteConversation> = async (ctx, { params, body }) => {
  const parts = await findParts(ctx, params.id);
  const { id } = await addEntry(ctx, parts, { kind: 'note', text: body.text });
  await auditConversation(ctx, parts, 'noted', { after: { note_id: id } });
  await tellChange(ctx, parts);
  return { data: { id } };
};

import type {
  assignInbox,
  deleteInbox,
  inboxColleagues,
  markInbox,
  replyToInbox,
} from '@heliograph/contract/inbox/inbox-message';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { sql } from 'kysely';
import { readBlockedWords } from '#modules/campaigns';
import { optedOut } from '#modules/contacts';
import { audit } from '#platform/access/audit';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { translate } from '#platform/text/i18n';
import { findInbox } from './inbox-rows.ts';
import { requireSendingFrom, senderOf } from './inbox-thread.ts';
import { sendAnswers } from './send-answer.ts';

/**
 * Matches the messages of the phones that sent the given ones, to the same corporations. Messages that are already read
 * are included.
 */
const inConversationsOf = (ids: readonly number[]) => sql<boolean>`EXISTS (SELECT FROM inbox_message o
  WHERE o.id = ANY (${[...ids]}::bigint[]) AND o.oa = inbox_message.oa
    AND o.corporation_id IS NOT DISTINCT FROM inbox_message.corporation_id)`;

/** Marks messages. Row level security leaves out those that the caller cannot see. */
export const mark: Handler<typeof markInbox> = async (ctx, { body }) => {
  const { ids, conversation, read, important } = body;
  const now = ctx.clock.now().toISOString();
  const changed = await ctx.db
    .updateTable('inbox_message')
    .set({
      ...(read !== undefined && { read_at: read ? sql<string>`coalesce(read_at, ${now})` : null }),
      ...(important !== undefined && { important }),
      // A call that asks for no change changes nothing.
      ...(read === undefined && important === undefined && { important: sql<boolean>`important` }),
    })
    .where(conversation ? inConversationsOf(ids) : sql<boolean>`id = ANY (${ids}::bigint[])`)
    .returning('id')
    .execute();
  return { count: changed.length, message: translate(ctx.locale, 'inbox.marked', { count: changed.length }) };
};

export const remove: Handler<typeof deleteInbox> = async (ctx, { body: { ids } }) => {
  const gone = await ctx.db
    .deleteFrom('inbox_message')
    .where('id', 'in', ids)
    .returning(['id', 'corporation_id', 'oa', 'number', 'received_at'])
    .execute();
  for (const { id, corporation_id, ...before } of gone)
    await audit(ctx, { ...about('deleted', id, corporation_id), before, after: null });
  return { count: gone.length, message: translate(ctx.locale, 'delete.done') };
};

const about = (description: string, id: number, corporation_id: number | null) => ({
  name: 'inbox',
  description,
  subject_type: 'inbox',
  subject_id: id,
  corporation_id,
});

/** Returns the people of a corporation who may read its inbox. */
const colleaguesOf = (ctx: Context, corporationId: number | null) =>
  ctx.db
    .selectFrom('user_account as u')
    .select(['u.id', 'u.name'])
    .where('u.corporation_id', '=', corporationId)
    .where('u.enabled', '=', true)
    .where(
      sql<boolean>`EXISTS (SELECT FROM permission p WHERE p.name = 'inbox-index' AND (
        EXISTS (SELECT FROM role_permission r WHERE r.permission_id = p.id AND r.role_id = u.role_id)
        OR EXISTS (SELECT FROM user_permission g WHERE g.permission_id = p.id AND g.user_id = u.id)))`,
    )
    .orderBy('u.name')
    .orderBy('u.id')
    .limit(200)
    .execute();

export const colleagues: Handler<typeof inboxColleagues> = async (ctx, { params }) => {
  const { corporation_id } = await findInbox(ctx, params.id);
  return { data: corporation_id === null ? [] : await colleaguesOf(ctx, corporation_id) };
};

/**
 * Assigns messages to a colleague. Throws a 422 on `assigned_to` if that person is not of the same corporation as all
 * messages.
 */
export const assign: Handler<typeof assignInbox> = async (ctx, { body: { ids, assigned_to } }) => {
  const messages = await ctx.db
    .selectFrom('inbox_message')
    .select(['id', 'corporation_id', 'assigned_to'])
    .where('id', 'in', ids)
    .forUpdate()
    .execute();
  if (assigned_to !== null) {
    for (const corporation of new Set(messages.map(({ corporation_id }) => corporation_id))) {
      const people = corporation === null ? [] : await colleaguesOf(ctx, corporation);
      if (!people.some(({ id }) => id === assigned_to)) throw fieldError('assigned_to', 'not_visible');
    }
  }
  const seen = messages.map(({ id }) => id);
  await sql`SELECT give_inbox_messages(${seen}::bigint[], ${assigned_to})`.execute(ctx.db);
  for (const { id, corporation_id, assigned_to: before } of messages)
    await audit(ctx, {
      ...about('assigned', id, corporation_id),
      before: { assigned_to: before },
      after: { assigned_to },
    });
  return { count: messages.length, message: translate(ctx.locale, 'inbox.assigned', { count: messages.length }) };
};

/**
 * Answers a phone. The answer is priced, reserved and charged like any message, and is refused if the phone opted out.
 */
export const reply: Handler<typeof replyToInbox> = async (ctx, { params, body }) => {
  const row = await findInbox(ctx, params.id);
  const { corporation_id, oa } = row;
  if (corporation_id === null || !row.abilities.reply) throw fieldError('message', 'phone_unreachable');
  if ((await optedOut(ctx.db, corporation_id, [oa])).size > 0) throw fieldError('message', 'opted_out');
  const { caller } = ctx;
  const own = caller.corporation_id === corporation_id;
  const answering = {
    corporation_id,
    department_id: own ? caller.department_id : null,
    user_id: caller.user_id,
    sender: await senderOf(ctx, row.id),
  };
  await requireSendingFrom(ctx, corporation_id, answering.sender);
  if ((await readBlockedWords(ctx.db))(body.message)) throw fieldError('message', 'blocked_text');
  const sent = await sendAnswers(ctx.db, ctx.clock, answering, [{ msisdn: oa, text: body.message }]);
  const [message_id] = sent.ids;
  if (message_id === undefined) throw new BusinessError('internal_error');
  const now = ctx.clock.now().toISOString();
  await ctx.db
    .updateTable('inbox_message')
    .set({
      reply_message: body.message,
      reply_error: null,
      sent_message_id: message_id,
      replied_by: caller.user_id,
      replied_at: now,
      read_at: sql<string>`coalesce(read_at, ${now})`,
    })
    .where('id', '=', row.id)
    .execute();
  await audit(ctx, { ...about('replied', row.id, corporation_id), after: { message_id } });
  return {
    data: {
      message: await findInbox(ctx, row.id),
      message_id,
      parts: sent.parts,
      cost: fromThousandths(sent.cost),
      currency: sent.currency,
    },
  };
};

import type { replyToConversation } from '@heliograph/contract/inbox/conversation';
import { fromThousandths } from '@heliograph/contract/kernel/money';
import { sql } from 'kysely';
import { readBlockedWords, shortLinkHost } from '#modules/campaigns';
import { optedOut } from '#modules/contacts';
import { readWebRules, webFault } from '#modules/moderation';
import { readTemplateRules, templateFault } from '#modules/templates';
import type { Context } from '#platform/context';
import { BusinessError, fieldError } from '#platform/errors';
import type { Handler } from '#platform/http/http';
import { sealedWith } from '#platform/text/sealed-text';
import { currentTextKey } from '#platform/text/text-keys';
import { auditConversation, lastAnswerOf, sendersOf, tellChange } from './change-conversation.ts';
import { findParts, rowOf } from './conversation-rows.ts';
import { sendAnswers } from './send-answer.ts';

/**
 * Throws `sender_not_allowed` if a sender no longer belongs to the corporation, or may not be used. Numbers move from one
 * corporation to another, but their old messages stay.
 */
async function requireSendingFrom({ db }: Context, corporationId: number, sender: string): Promise<void> {
  const { rows } = await sql`
    WITH own AS (
      SELECT state = 'approved' AND NOT withheld AS allowed FROM sender_id
      WHERE corporation_id = ${corporationId} AND upper(sender_id) IN (${sender.toUpperCase()}, ${`00${sender}`})
    )
    SELECT FROM own WHERE allowed
    UNION ALL
    SELECT FROM routing WHERE corporation_id = ${corporationId} AND number = ${sender} AND NOT withheld
      AND NOT EXISTS (SELECT FROM own)`.execute(db);
  if (rows.length === 0) throw new BusinessError('sender_not_allowed');
}

/**
 * Answers a phone. The answer is priced, reserved and charged like any message, and is refused if the phone opted out.
 * Answers of two people come one after another. The second is refused with `answered_meanwhile` until its author has
 * read the first.
 */
export const reply: Handler<typeof replyToConversation> = async (ctx, { params, body }) => {
  const parts = await findParts(ctx, params.id, true);
  const row = await rowOf(ctx, parts);
  const { corporation_id, oa } = row;
  if (corporation_id === null || !row.abilities.reply) throw fieldError('message', 'phone_unreachable');
  if ((await optedOut(ctx.db, corporation_id, [oa])).size > 0) throw fieldError('message', 'opted_out');
  if (body.after !== undefined && body.after !== (await lastAnswerOf(ctx, parts)))
    throw new BusinessError('answered_meanwhile');
  const senders = await sendersOf(ctx, parts);
  const sender = body.sender ?? senders[0]!;
  if (!senders.includes(sender)) throw fieldError('sender', 'not_visible');
  await requireSendingFrom(ctx, corporation_id, sender);
  if ((await readBlockedWords(ctx.db))(body.message)) throw fieldError('message', 'blocked_text');
  const templates = (await readTemplateRules(ctx.db, corporation_id)).of(corporation_id, sender);
  if (templates && !templates.passes(body.message)) throw templateFault('message', templates.sender);
  const web = (await readWebRules(ctx.db, [shortLinkHost(ctx.config)], corporation_id)).of(corporation_id, sender);
  const refusal = web?.enforced ? web.find(body.message) : null;
  if (refusal) throw webFault('message', refusal);
  const { caller } = ctx;
  const answering = {
    corporation_id,
    department_id: caller.corporation_id === corporation_id ? caller.department_id : null,
    user_id: caller.user_id,
    sender,
  };
  const sent = await sendAnswers(ctx.db, ctx, answering, [{ msisdn: oa, text: body.message }]);
  const [message_id] = sent.ids;
  if (message_id === undefined) throw new BusinessError('internal_error');
  const now = ctx.clock.now().toISOString();
  const text_key = await currentTextKey(ctx.db, ctx.config, corporation_id);
  const newest = await ctx.db
    .selectFrom('inbox_message')
    .select('inbound_id')
    .where('id', '=', parts[0].last_id)
    .executeTakeFirstOrThrow();
  await ctx.db
    .updateTable('inbox_message')
    .set({
      reply_message: sealedWith(text_key, `r${newest.inbound_id}`, body.message),
      reply_error: null,
      sent_message_id: message_id,
      replied_by: caller.user_id,
      replied_at: now,
      read_at: sql<string>`coalesce(read_at, ${now})`,
    })
    .where('id', '=', parts[0].last_id)
    .execute();
  await auditConversation(ctx, parts, 'replied', { after: { message_id } });
  await tellChange(ctx, parts);
  return { data: { message_id, parts: sent.parts, cost: fromThousandths(sent.cost), currency: sent.currency } };
};

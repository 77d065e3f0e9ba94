import type { CheckedMessage, MessageCheck } from '@heliograph/contract/reports/message-check';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';

/**
 * Explains why a message could leave under its sender: the last decision before it was handed in. Null for a sender
 * without a history, such as one from before approvals, unless it stopped the message.
 */
export async function explainSender(
  db: Kysely<Database>,
  { corporation_id, sender_id, created_at, state, error_code }: CheckedMessage,
): Promise<MessageCheck | null> {
  const rule = 'sender' as const;
  const barred = state === 'blocked' && error_code === 'sender_not_allowed';
  const decision = await db
    .selectFrom('sender_event')
    .select(['to_state', 'created_at', 'sender_id_id'])
    .where('corporation_id', '=', corporation_id)
    .where('sender_id', '=', sender_id)
    .where('to_state', 'in', barred ? ['suspended', 'expired', 'deleted', 'taken_back'] : ['approved', 'assigned'])
    .$if(!barred, (q) => q.where('created_at', '<=', created_at))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!decision) return barred ? { rule, result: 'stopped', because: null } : null;
  const { to_state, created_at: decided_at, sender_id_id } = decision;
  const documents = to_state === 'approved' ? await documentsBefore(db, sender_id_id, decided_at) : 0;
  const because =
    documents > 0
      ? { key: 'approved_with_documents', params: { decided_at, documents } }
      : { key: to_state, params: { decided_at } };
  return { rule, result: barred ? 'stopped' : 'passed', because };
}

/**
 * Explains why a message could leave by a link whose carrier asks for a registration, or could not. Null if its link does
 * not ask.
 */
export async function explainRegistration(
  db: Kysely<Database>,
  { id, corporation_id, sender_id, created_at, state, error_code }: CheckedMessage,
): Promise<MessageCheck | null> {
  const rule = 'registration' as const;
  const stopped = state === 'blocked' && error_code === 'sender_not_registered';
  const link = await db
    .selectFrom('chunk')
    .innerJoin('link', 'link.id', 'chunk.link_id')
    .select(['link.name', 'link.asks_registration'])
    .where('chunk.id', '=', Math.floor(id / 1024))
    .executeTakeFirst();
  if (!stopped && !link?.asks_registration) return null;
  const step = await db
    .selectFrom('sender_event')
    .select(['to_state', 'created_at'])
    .where('corporation_id', '=', corporation_id)
    .where('sender_id', '=', sender_id)
    .where('link_name', '=', link?.name ?? '')
    .$if(!stopped, (q) => q.where('to_state', '=', 'registration_registered').where('created_at', '<=', created_at))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!stopped)
    return step
      ? { rule, result: 'passed', because: { key: 'registered', params: { decided_at: step.created_at } } }
      : null;
  const ended = step && step.to_state !== 'registration_registered' && step.to_state !== 'registration_requested';
  const because = ended ? { key: 'ended', params: { decided_at: step.created_at } } : { key: 'missing', params: {} };
  return { rule, result: 'stopped', because };
}

/** Counts the documents that the people who decided could read. */
async function documentsBefore(db: Kysely<Database>, senderId: number, at: string): Promise<number> {
  const { count } = await db
    .selectFrom('sender_document')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('sender_id_id', '=', senderId)
    .where('created_at', '<=', at)
    .executeTakeFirstOrThrow();
  return Number(count);
}

import type { CheckedMessage, MessageCheck } from '@heliograph/contract/reports/message-check';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';
import { rulesAt } from '#platform/records/rule-history';

/**
 * Returns the person's consent at the time of a message, with its source; null if they had not opted in. Messages that
 * need no consent have one too, if there was one.
 */
export async function explainConsent(
  db: Kysely<Database>,
  { corporation_id, number, sender_id, created_at }: CheckedMessage,
): Promise<MessageCheck | null> {
  const event = await db
    .selectFrom('consent_event as e')
    .leftJoin('sender_id as s', 's.id', 'e.sender_id_id')
    .select(['e.kind', 'e.source', 'e.happened_at'])
    .where('e.corporation_id', '=', corporation_id)
    .where('e.number', '=', number)
    .where('e.happened_at', '<=', created_at)
    .where((eb) => eb.or([eb('e.sender_id_id', 'is', null), eb('s.sender_id', '=', sender_id)]))
    .where((eb) => eb.or([eb('e.retracted_at', 'is', null), eb('e.retracted_at', '>', created_at)]))
    .orderBy('e.happened_at', 'desc')
    .orderBy('e.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (event?.kind !== 'opt_in') return null;
  const because = { key: event.source, params: { made_at: event.happened_at } };
  return { rule: 'consent', result: 'passed', because };
}

/** Returns the sending limits that counted a message; null if there were none. */
export async function explainLimits(db: Kysely<Database>, message: CheckedMessage): Promise<MessageCheck | null> {
  const rule = 'caps' as const;
  const { campaign_id, corporation_id, user_id, sender_id, created_at } = message;
  const counted =
    campaign_id === null
      ? undefined
      : await db
          .selectFrom('campaign_limit_count')
          .select('created_at')
          .where('campaign_id', '=', campaign_id)
          .executeTakeFirst();
  if (counted)
    return { rule, result: 'passed', because: { key: 'counted', params: { counted_at: counted.created_at } } };
  // Whether a program used a key is not known, so limits of keys are left out.
  const limits = (await rulesAt<WrittenLimit>(db, 'sending_limit', corporation_id, created_at)).filter(
    ({ said }) =>
      said.enabled &&
      said.kind !== 'api_key' &&
      (said.class === null || said.class === message.class) &&
      (said.user_id === null || said.user_id === user_id) &&
      (said.sender_id_name === null || said.sender_id_name === sender_id),
  );
  if (limits.length === 0) return null;
  const names = limits.map(({ said }) => `“${said.name}”`).join(', ');
  return { rule, result: 'passed', because: { key: 'in_force', params: { names } } };
}

/** Limit as somebody wrote it. */
interface WrittenLimit {
  name: string;
  kind: string;
  class: string | null;
  user_id: number | null;
  sender_id_name: string | null;
  enabled: boolean;
}

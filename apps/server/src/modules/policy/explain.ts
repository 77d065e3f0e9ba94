import type { CheckedMessage, MessageCheck } from '@heliograph/contract/reports/message-check';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';

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

/** Returns that sending limits counted the campaign of a message; null if none did. */
export async function explainLimits(
  db: Kysely<Database>,
  { campaign_id }: CheckedMessage,
): Promise<MessageCheck | null> {
  if (campaign_id === null) return null;
  const counted = await db
    .selectFrom('campaign_limit_count')
    .select('created_at')
    .where('campaign_id', '=', campaign_id)
    .executeTakeFirst();
  if (!counted) return null;
  return { rule: 'caps', result: 'passed', because: { key: 'counted', params: { counted_at: counted.created_at } } };
}

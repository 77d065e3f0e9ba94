import type { CheckedMessage, MessageCheck } from '@heliograph/contract/reports/message-check';
import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';

/** Messages of a chunk, whose ids follow from its id. */
const IN_CHUNK = 1_024;

/** Returns the decision about a message's campaign or chunk, and why; null if no rule ever held it. */
export async function explainModeration(
  db: Kysely<Database>,
  { id, campaign_id }: Pick<CheckedMessage, 'id' | 'campaign_id'>,
): Promise<MessageCheck | null> {
  const item = await db
    .selectFrom('moderation_item')
    .select(['state', 'reason', 'decided_at'])
    .where((eb) =>
      campaign_id === null ? eb('chunk_id', '=', Math.floor(id / IN_CHUNK)) : eb('campaign_id', '=', campaign_id),
    )
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!item) return null;
  const { state, reason, decided_at } = item;
  if (decided_at === null) return { rule: 'moderation', result: 'held', because: { key: 'undecided', params: {} } };
  const params = { decided_at, reason: reason ?? '' };
  const result = state === 'approved' ? 'passed' : 'stopped';
  return { rule: 'moderation', result, because: { key: state, params } };
}

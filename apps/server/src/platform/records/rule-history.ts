import type { Kysely } from 'kysely';
import type { Database } from '#platform/database/db';

/** Rule as it was at a moment. */
export interface PastRule<Said> {
  rule_id: number;
  /** Null for a rule that was for all corporations. */
  corporation_id: number | null;
  said: Said;
}

/**
 * Reads the rules of a kind that were in force at a moment for a corporation, in the order in which they were made.
 * The database keeps this history whenever a rule is written.
 */
export async function rulesAt<Said>(
  db: Kysely<Database>,
  rule: 'sending_hours' | 'sending_limit' | 'web_domain' | 'web_links',
  corporationId: number,
  at: string,
): Promise<PastRule<Said>[]> {
  const rows = await db
    .selectFrom('rule_version')
    .select(['rule_id', 'corporation_id', 'said'])
    .where('rule', '=', rule)
    .where('starts_at', '<=', at)
    .where((eb) => eb.or([eb('ends_at', 'is', null), eb('ends_at', '>', at)]))
    .where((eb) => eb.or([eb('corporation_id', 'is', null), eb('corporation_id', '=', corporationId)]))
    .orderBy('rule_id')
    .execute();
  return rows.map((row) => ({ ...row, said: row.said as Said }));
}

import { type Kysely, sql } from 'kysely';
import type { Database } from '#platform/db';

/** Why a number is not sent to: the customer's own list, or the person's own word. */
export type Suppression = 'blacklisted' | 'opted_out';

/**
 * Which of the numbers may not get anything that the console sends from a sender ID: blocked for the corporation, or for
 * this sender, unless for programs alone. The person's own word is reported before the customer's list.
 */
export async function suppressed(
  db: Kysely<Database>,
  from: { corporation_id: number; sender_id_id: number },
  numbers: readonly string[],
): Promise<Map<string, Suppression>> {
  if (numbers.length === 0) return new Map();
  const { rows } = await sql<{ number: string; opt_out: boolean }>`
    SELECT number, bool_or(opt_out) AS opt_out FROM blacklist_number
    WHERE corporation_id = ${from.corporation_id} AND number = ANY (${`{${numbers.join()}}`}::text[])
      AND (sender_id_id IS NULL OR sender_id_id = ${from.sender_id_id}) AND channel IN ('all', 'web')
    GROUP BY number`.execute(db);
  return new Map(rows.map(({ number, opt_out }) => [number, opt_out ? 'opted_out' : 'blacklisted']));
}
